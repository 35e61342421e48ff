# SPDX-License-Identifier: MIT
"""Real clients and real servers, in real time: the kernel's TCP behind a link that this process plays."""
