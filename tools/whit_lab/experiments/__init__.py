# SPDX-License-Identifier: MIT
"""One module or package for each experiment; registry.py names them."""
