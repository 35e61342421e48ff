# SPDX-License-Identifier: MIT
"""Real clients and real servers, in real time. This process is the link of the kernel's TCP."""
