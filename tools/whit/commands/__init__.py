# SPDX-License-Identifier: MIT
"""What the commands of ./whit do."""
