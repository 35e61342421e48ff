# SPDX-License-Identifier: MIT
"""The engine in virtual time: frames in, frames out, and peers that are not the engine's own code."""
