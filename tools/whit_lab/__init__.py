# SPDX-License-Identifier: MIT
"""The laboratory: experiments that measure. Every figure comes from a measurement."""
