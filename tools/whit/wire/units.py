# SPDX-License-Identifier: MIT
"""Units of time in captures and in virtual time: microseconds."""

MS = 1000
SECOND = 1_000_000
