# SPDX-License-Identifier: MIT
"""Highest throughput of the processor of the papers' board: an emulated AVR's cycles for a response, frame by frame.

The engine and a driver run on the emulated processor. The driver copies each frame into RAM, byte by byte. The line and
the network interface take no processor time.
"""

from pathlib import Path

from whit.errors import WhitError
from whit.image.build import build
from whit.paths import ROOT
from whit.wire.http import request
from whit.wire.units import MS
from whit_lab import papers
from whit_lab.experiments.window.runs import KEEP, client
from whit_lab.instruments.served import files_application
from whit_testbed.client import State
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

SIZES = (10_000, 30_000)  # bytes: an object of this compiler has 32 767 at most
LINK = Impairment(delay_us=MS)


def kb_s() -> tuple[float, float]:
    """Returns the thousands of bytes a second for which the processor has the cycles, at the board's clock.

    The contents are a file, and generated null bytes. A request's other costs are not included.
    """
    file = build(files_application(SIZES), target="avr-inprocess", check_budget=False).image
    generator = build(ROOT / "lab" / "window", target="avr-inprocess", check_budget=False).image
    targets = ([f"/{size}.bin" for size in SIZES], [f"/zeros?length={size}" for size in SIZES])
    return _kb_s(file, targets[0]), _kb_s(generator, targets[1])


def _kb_s(image: Path, targets: list[str]) -> float:
    few, many = (_cycles(image, target, size) for target, size in zip(targets, SIZES, strict=True))
    return round((SIZES[1] - SIZES[0]) / ((many - few) / papers.ETHERNUT_HZ) / 1000, 1)


def _cycles(image: Path, target: str, size: int) -> int:
    with Engine(image) as engine:
        net = Net(engine, up=LINK)
        connection = net.host().connect(client("on"))
        net.loop.run(lambda: connection.state is State.OPEN)
        net.idle(1)
        before = engine.cycle
        connection.send(request(target, KEEP))
        net.idle(1)
        if len(connection.input.stream) < size:
            raise WhitError(f"lab: {target} on AVR: {len(connection.input.stream)} octets came, expected {size}", 1)
        return engine.cycle - before
