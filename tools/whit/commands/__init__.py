# SPDX-License-Identifier: MIT
"""The commands of ./whit."""
