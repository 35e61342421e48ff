# SPDX-License-Identifier: MIT
"""The site of the documentation: what mkdocs does not do by itself."""
