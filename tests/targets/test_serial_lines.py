# SPDX-License-Identifier: MIT
"""Several connections on the serial line of an emulated device: input is read before more output leaves, and each octet
is sent once."""

import pytest

from whit.image.build import build
from whit_lab.instruments.device import powered
from whit_lab.instruments.served import files_application

SIZE, CONNECTIONS = 4000, 3
HEADERS_MOST = 1.15
CLOCK_HZ = 8_000_000  # of the AVR


@pytest.mark.parametrize(
    ("target", "settings", "kept_len"),
    [
        ("avr", {"link.baud": 9600, "avr.clock_hz": CLOCK_HZ}, 0),
        ("gba", {"link.baud": 115_200}, 32768),
        ("gba", {"link.baud": 9600}, 32768),
    ],
)
def test_each_octet_is_sent_once(target: str, settings: dict[str, object], kept_len: int) -> None:
    built = build(files_application((SIZE,)), target=target, overrides=settings, check_budget=False)
    with powered(built, b"\xff" * kept_len, hz=CLOCK_HZ if target == "avr" else 0, delay_us=2500) as line:
        sent: list[int] = []
        line.watch = lambda up, begin, end, datagram: None if up else sent.append(len(datagram))
        clients = [line.host().client() for _ in range(CONNECTIONS)]
        for _ in range(2):
            sent.clear()
            for client in clients:
                client.ask(f"/{SIZE}.bin")
            for client in clients:
                line.run(client)
            assert sum(sent) < HEADERS_MOST * SIZE * CONNECTIONS
