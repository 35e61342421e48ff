# SPDX-License-Identifier: MIT
"""The host tools of Whit."""
