# SPDX-License-Identifier: MIT
"""The documentation's site: additions to mkdocs."""
