# SPDX-License-Identifier: MIT
"""Reads and writes frames, datagrams, segments and HTTP messages."""
