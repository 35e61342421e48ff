# SPDX-License-Identifier: MIT
"""A tiny page to kept-alive clients of wrk: `./whit run` beside lwIP's web server, each on a TAP device. Real time."""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from statistics import median

from whit.errors import WhitError
from whit_lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit_lab.experiments.crowd.wrk import Load, load
from whit_lab.instruments.served import application_of
from whit_lab.real import namespace
from whit_lab.real.hosted import DEVICE, TAP, Hosted, hosted
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER
from whit_testbed import lwip
from whit_testbed.lwip_build import PACKAGE, tap_program

CLIENTS = (1, 8)
ROUNDS, SECONDS = 9, 3
PAGE, BODY = "tiny.html", b"<!DOCTYPE html><title>Here</title>\n"
KEEP = "Connection: keep-alive"  # lwIP's web server closes connections without it
MAC, ROUTER = "02:00:5e:10:00:01", "10.7.0.1"
PLACES = 16  # for connections, as in lab/lwip/lwipopts.h
OURS, SHIPPED, THEIRS = f"Whit, {PLACES} slots", "Whit as shipped, 4 slots", "lwIP"
BUILT = f"{PACKAGE}, its httpd, -O2, no threads, frames read and written one by one (lab/lwip)"

Place = Callable[[], AbstractContextManager[Hosted]]


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not() or ("" if shutil.which("wrk") else "wrk is not installed") or _no_lwip()
    if lacks:
        yield f"Nothing beside lwIP: {lacks}."
        return
    places: Mapping[str, Place] = {OURS: partial(_ours, PLACES), SHIPPED: _ours, THEIRS: _theirs}
    found: dict[tuple[int, str], list[Load]] = {(clients, name): [] for clients in CLIENTS for name in places}
    rounds = 1 if reduced else ROUNDS
    for number in range(rounds):
        for name, place in places.items():
            progress(f"a tiny page from {name}", number / rounds)
            with place() as at:
                for clients in CLIENTS:
                    found[clients, name].append(
                        load(at, f"/{PAGE}", clients, 1 if reduced else SECONDS, "--header", KEEP)
                    )
    yield from _show(found)


def _show(found: Mapping[tuple[int, str], list[Load]]) -> Iterator[Found]:
    rates = {key: median(one.rate for one in loads) for key, loads in found.items()}
    to = f"a page of {len(BODY)} octets to {' and '.join(map(str, CLIENTS))} clients that keep their connections"
    least = min(rates[clients, OURS] / rates[clients, THEIRS] for clients in CLIENTS)
    yield {"lwip": BUILT}
    yield Figure(
        "tap_over_lwip",
        f"{to}: requests a second, ours over lwIP's, both with {PLACES} places",
        round(least, 2),
        "",
        None,
        1,
    )
    rows = [
        (str(clients), name, f"{rates[clients, name]:.0f}", f"{median(one.processor_us for one in loads):.1f}",
         f"{median(one.p99_ms for one in loads):.3f}", str(sum(one.errors for one in loads)))
        for (clients, name), loads in found.items()
    ]  # fmt: skip
    columns = ("clients", "server", "requests a second", "processor, µs a request", "99 %, ms", "errors")
    yield Sheet(f"{to}, in one run", columns, rows)
    for clients in CLIENTS:
        ours, theirs = (round(rates[clients, name]) for name in (OURS, THEIRS))
        yield Row(f"a tiny page, {clients} kept connections", ours, theirs, "1/s", BUILT, better="more")
    bars = {f"{name}, {clients} kept": round(rate) for (clients, name), rate in rates.items()}
    yield Bars("A tiny page on a TAP device", "requests a second", bars)


def _no_lwip() -> str:
    try:
        tap_program()
    except WhitError as error:
        return str(error)
    return ""


@contextmanager
def _ours(slots: int = 0) -> Iterator[Hosted]:
    settings = {"connections": slots} if slots else {}
    with Namespace() as alone, hosted(application_of("tiny", {PAGE: BODY}), alone, TAP, settings, quiet=True) as at:
        yield at


@contextmanager
def _theirs() -> Iterator[Hosted]:
    with Namespace() as alone:
        alone.do(
            "sh",
            "-c",
            f"ip tuntap add {DEVICE} mode tap; ip addr add {ROUTER}/24 dev {DEVICE}; ip link set {DEVICE} up",
        )
        command = alone.inside(tap_program(), DEVICE, MAC, SERVER, f"/{PAGE}")
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(lwip.response(lwip.Content(BODY)))
            process.stdin.close()
            if process.stdout.readline() != b"serving\n":
                raise WhitError("lab: lwIP does not serve on a TAP device", 1)
            yield Hosted(SERVER, 80, alone, (process.pid,))
        finally:
            process.terminate()
            process.wait()
