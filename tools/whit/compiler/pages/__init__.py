# SPDX-License-Identifier: MIT
"""Page templates: HTML in Jinja's syntax becomes a generator in C."""

from .compile import compile_page
from .source import SUFFIX, is_part, served_as

__all__ = ["SUFFIX", "compile_page", "is_part", "served_as"]
