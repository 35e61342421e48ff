# SPDX-License-Identifier: MIT
"""Builds images, and measures their cost."""
