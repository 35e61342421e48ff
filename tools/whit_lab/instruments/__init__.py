# SPDX-License-Identifier: MIT
"""Measuring tools that several experiments share."""
