# SPDX-License-Identifier: MIT
"""Running images: on this machine, on emulated ones."""
