# SPDX-License-Identifier: MIT
"""A port for a server."""

import random
import socket

PORTS = range(20_000, 32_000)  # below the ports that Linux gives to outgoing connections


def free_port(wanted: int = 0) -> int:
    """Returns a free port of 127.0.0.1: the wanted one, or a random one, because other processes also look for one."""
    draw = random.SystemRandom()
    port = wanted or draw.choice(PORTS)
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                port = draw.choice(PORTS)
                continue
            return port
