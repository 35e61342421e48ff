# SPDX-License-Identifier: MIT
"""Bytes of a device's image, and instructions of a call."""

from collections.abc import Callable, Iterator
from pathlib import Path

from whit.paths import BUILD, ROOT
from whit_lab.experiment import Bars, Beside, Figure, Found, Progress, Row
from whit_lab.experiments.services import messages, secured, sizes
from whit_lab.instruments import signed
from whit_lab.instruments.instructions import Counter, valgrind_version
from whit_lab.papers import WSS_OVERHEAD_PERCENT
from whit_lab.real import gsoap

APPLICATION = ROOT / "lab" / "device"
HOST = "10.7.0.2"
CALLS = 10


def measure(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    progress("octets of an image", 0)
    yield from sizes.measure()
    yield from _overhead()
    progress("instructions of a signed message", 0.2)
    what = "Echo, signed: scanner, canonical forms, digests and checks on a Cortex-M3, without the public-key work"
    count = signed.instructions(secured.body(messages.ECHO), secured.application(secured.SIGNED), secured.certificate())
    yield Figure("signed_instructions_cortex_m", what, count, "instructions", 500_000)
    progress("instructions of a call", 0.3)
    yield from _instructions(1 if reduced else CALLS, gsoap_quickly=reduced)


def _overhead() -> Iterator[Found]:
    """Yields WS-Security's part of a message, by size. As in 004, HTTP's head is not counted."""
    plain = len(_content(messages.message(messages.ECHO, "/device", HOST)))
    share = {
        security: round((1 - plain / len(_content(secured.message(messages.ECHO, "/device", HOST, security)))) * 100, 1)
        for security in secured.WHAT
    }
    what = "part of the octets of an Echo's message that WS-Security takes: the most of all"
    yield Figure("wss_overhead_percent", what, max(share.values()), "%", 85)
    for security, percent in share.items():
        yield Beside(f"wss_overhead_{security}_percent", f"... {secured.WHAT[security]}", percent, "%")
        yield Row(
            f"overhead of a message, {secured.WHAT[security]}", percent, WSS_OVERHEAD_PERCENT, "%", "004 section 3"
        )


def _content(posted: bytes) -> bytes:
    return posted.partition(b"\r\n\r\n")[2]


def _instructions(cnt: int, *, gsoap_quickly: bool) -> Iterator[Found]:
    counter = Counter(str(APPLICATION), BUILD / "lab")
    ours = counter.count("measured_exchange", messages.message(messages.ECHO, "/device", HOST), "connection")
    yield {"compiler": counter.compiler, "valgrind": valgrind_version()}
    what = "Echo by SOAP on a new connection, TCP and IP included, x86-64 -O2"
    yield Figure("echo_instructions", what, ours.total, "instructions", 60_000)
    yield Bars(f"Instructions of an Echo: {ours.total:,}".replace(",", " "), "instructions, x86-64 -O2", ours.groups)
    if reason := gsoap.why_not():
        yield f"No instructions of gSOAP's server: {reason}."
        return
    made = gsoap.build(quickly=gsoap_quickly)
    message = messages.message(messages.ECHO, "/device", gsoap.HOST)
    theirs = _of_gsoap(made.plain, lambda: message, cnt)
    what = "the same by gSOAP's server, without the kernel's TCP and IP, over ours"
    yield Figure("gsoap_over_ours_plain", what, round(theirs / ours.total, 2), "times", least=3)
    yield Row("instructions of an Echo", ours.total, theirs, "", f"{gsoap.version()}, same messages")
    for security, least in ((secured.DIGEST, 3), (secured.SIGNED, 1), (secured.RSA, 1)):
        yield from _secured(made.secured, security, least, cnt)


def _secured(program: Path, security: str, least: float, cnt: int) -> Iterator[Found]:
    """Yields the same with WS-Security."""

    def message(host: str, der: bool) -> bytes:
        return secured.message(messages.ECHO, "/device", host, security, der=der)

    counter = Counter(secured.application(security), BUILD / "lab")
    ours = counter.count("measured_exchange", message(HOST, False), "connection").total
    theirs = _of_gsoap(program, lambda: message(gsoap.HOST, True), cnt, *secured.asked(security))
    what = f"the same with WS-Security, {secured.WHAT[security]}"
    yield Figure(f"gsoap_over_ours_{security}", what, round(theirs / ours, 2), "times", least=least)
    yield Row(f"... {secured.WHAT[security]}", ours, theirs, "", f"{gsoap.version()} with its plugin and OpenSSL")


def _of_gsoap(program: Path, message: Callable[[], bytes], cnt: int, *more: object) -> int:
    few, many = (gsoap.instructions(program, message, times * cnt, *more) for times in (1, 2))
    return round((many - few) / cnt)
