# SPDX-License-Identifier: MIT
"""What a command needs of the machine. Standard library only, but for what it installs."""
