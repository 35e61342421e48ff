# SPDX-License-Identifier: MIT
"""Draws the segments between a client and a server as a ladder."""
