# SPDX-License-Identifier: MIT
"""Installs the programs and libraries that a command needs. Standard library only, except for what it installs."""
