# SPDX-License-Identifier: MIT
"""The laboratory: experiments that measure, and never state what they did not measure."""
