# SPDX-License-Identifier: MIT
"""Reads and writes what goes over the wire: frames, datagrams, segments, HTTP messages."""
