# SPDX-License-Identifier: MIT
"""The engine in virtual time: frames in, frames out, and peers with code of their own."""
