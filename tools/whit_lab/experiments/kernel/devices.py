# SPDX-License-Identifier: MIT
"""Emulated devices in real time: curl and Chromium with an 8-bit processor on the paper's line, and with others."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from whit.image.build import build
from whit.machines import emulator
from whit.machines.free_port import free_port
from whit.machines.machines import why_no_machine
from whit.machines.run_options import RunOptions
from whit.paths import ROOT
from whit.wire.units import MS
from whit_lab.experiment import Bars, Found, Progress, Row, Sheet
from whit_lab.experiments.contacts.runs import CLOCK_HZ, RTT_MS, avr
from whit_lab.experiments.kernel.runs import CONTENTS, CURL, SHOWS, contents_seconds, machine_page
from whit_lab.papers import SMEWS_TABLE2_S
from whit_lab.real import placed
from whit_lab.real.visit import visit_alone

APP = ROOT / "apps" / "contacts"
LOADS = 3
BOOT_S = 1.0
OTHERS = ("cortex-m", "riscv")
EMPTY = "cb_extract"  # requested while the book is empty: 2 bytes; the papers' list has 1915
NOTES = (
    "curl's requests at the AVR are short, and the papers' were a browser's: an octet more takes it 130 µs. The book "
    "is empty when cb_extract is asked for, by curl or Chromium; the papers' list has 1915 octets. With requests of "
    "400 octets and the papers' sizes all of it is in the experiment contacts.",
    "cb_add answers when the contact is in the AVR's EEPROM, which takes 1.8 ms for each octet.",
)
BESIDE = f"curl at an ATmega1284P, requests from {len(CURL.format('/'))} octets on"


def measure(progress: Progress) -> Iterator[Found]:
    pages: dict[str, float] = {}
    for target in ("avr", *OTHERS):
        progress(f"Chromium at an emulated {target}", 0.9)
        if missing := why_no_machine(target):
            yield f"No {target}: {missing}."
        elif target == "avr":
            pages["ATmega1284P, 8 MHz, SLIP at 10 kB/s"] = seconds = _avr_page()
            yield from _show_avr(_avr_contents(), seconds)
        else:
            pages[f"{target}, Ethernet of QEMU"] = _page(target)
    if pages:
        amounts = {name: round(seconds * 1000, 1) for name, seconds in pages.items()}
        yield Bars("The address book in Chromium, from emulated devices", "milliseconds", amounts)


def _show_avr(contents: Mapping[str, float], page_s: float) -> Iterator[Found]:
    source, rows = "001 Table 2, Smews measured", []
    for name, seconds in contents.items():
        theirs = SMEWS_TABLE2_S[name]
        if name != EMPTY:
            yield Row(f"{name}, {BESIDE}", seconds, theirs, "s", source)
        rows.append((f"{name}, empty" if name == EMPTY else name, f"{theirs:.2f}", f"{seconds:.3f}"))
    name = "the page of an empty book, Chromium at an ATmega1284P, compressed"
    yield Row(name, page_s, SMEWS_TABLE2_S["page"], "s", f"{source}, a list of 1915 B, not compressed")
    title = "Contents of the address book, 8 MHz, SLIP at 10 kB/s, RTT 5 ms: seconds from request to last octet"
    yield Sheet(title, ("content", "Smews measured (001 Table 2)", "curl at Whit on an AVR"), rows)
    yield from NOTES


def _avr_contents() -> dict[str, float]:
    with placed.machine("avr", avr(), hz=CLOCK_HZ, delay_us=RTT_MS * MS // 2, boot_s=BOOT_S) as at:
        return dict(zip(CONTENTS, contents_seconds(at), strict=True))


def _avr_page() -> float:
    return machine_page(placed.machine("avr", avr(), hz=CLOCK_HZ, delay_us=RTT_MS * MS // 2, boot_s=BOOT_S), LOADS)


def _page(target: str) -> float:
    """Loads the page without the relay: over the loopback interface, to the emulator's network."""
    with tempfile.TemporaryDirectory() as data:
        options = RunOptions(str(APP), port=free_port(), data=Path(data), target=target)
        server = emulator.start(options, build(APP, target=target))
        try:
            visits = visit_alone(f"http://{options.host}:{options.port}/", shows=SHOWS, times=LOADS)
        finally:
            server.end()
    return sorted(one.whole_s for one in visits)[LOADS // 2]
