# SPDX-License-Identifier: MIT
"""A port for a server that a test starts."""

import random
import socket

PORTS = range(20_000, 32_000)  # below those that Linux gives to outgoing connections, which could take it meanwhile


def free_port() -> int:
    """A port of 127.0.0.1 that is free now, drawn at random: other tests draw at the same time."""
    draw = random.SystemRandom()
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port := draw.choice(PORTS)))
            except OSError:
                continue
            return port
