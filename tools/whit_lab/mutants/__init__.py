# SPDX-License-Identifier: MIT
"""`whit test --mutants`: small faults in engine and compiler, one at a time; which of them do the tests catch?"""
