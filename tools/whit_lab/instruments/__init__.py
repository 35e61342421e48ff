# SPDX-License-Identifier: MIT
"""What several experiments measure with."""
