# SPDX-License-Identifier: MIT
"""A link, a client and amounts as a user writes them."""

from __future__ import annotations

import re
from dataclasses import replace

from whit.errors import WhitError
from whit.model.parties import DATAGRAM, ETHERNET, SLIP, Framing, Link
from whit.model.policy import AckPolicy
from whit.suggest import did_you_mean

POLICIES = {policy.name.lower(): policy for policy in AckPolicy}
FRAMINGS = {framing.name: framing for framing in (SLIP, ETHERNET)}
RATES = {"b/s": 1.0, "kb/s": 1e3, "mb/s": 1e6, "bit/s": 1 / 8, "kbit/s": 1e3 / 8, "mbit/s": 1e6 / 8, "baud": 1 / 10}
"""Bytes per second, by unit in lower case. A baud is a bit of a UART, which sends ten for a byte."""
TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
SIZES = {"": 1, "b": 1, "kb": 1000, "mb": 1_000_000}
RATE_MIN, RATE_MAX = 10.0, 1e9  # octets a second
RTT_MAX_S = 60.0
LOSS_MAX = 0.4
SIZE_MAX = 1 << 24  # octets: positions in a response have 24 bits
EXAMPLE = "10kB/s,50ms; further words are half, LOSS%, slip, ethernet"


def read_link(text: str, *, framing: Framing = DATAGRAM) -> Link:
    """`RATE,RTT[,half][,LOSS%][,slip|ethernet]`, in any order. framing: where none is named."""
    given: dict[str, object] = {}
    for word in (part.strip() for part in text.split(",")):
        name, value = _word(word, text)
        if name in given:
            raise _link_error(text, f"{word} is a second {name.replace('_', ' ')}")
        given[name] = value
    if not given.keys() & {"rate", "round_trip"}:
        raise _link_error(text, "neither a rate nor a round trip")
    link = Link(None, 0.0, framing=framing)
    fields = {"rate": "rate", "round_trip": "rtt_s", "duplex": "half_duplex", "loss": "loss", "framing": "framing"}
    return replace(link, **{fields[name]: value for name, value in given.items()})  # type: ignore[arg-type]


def _word(word: str, text: str) -> tuple[str, object]:
    """Returns the property of the link that a word sets, and its value."""
    low = word.lower()
    if low in ("half", "full"):
        return "duplex", low == "half"
    if low in FRAMINGS:
        return "framing", FRAMINGS[low]
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(%|[a-z/]+)", low)
    number, unit = (float(found[1]), found[2]) if found else (0.0, "")
    if unit.endswith("b/s") and word.endswith("b/s"):
        start = word[:-3]
        raise _link_error(text, f"{word} may be bytes, {start}B/s, or bits, {start}bit/s")
    if unit in RATES:
        rate = number * RATES[unit]
        return "rate", _within(rate, RATE_MIN, RATE_MAX, word, text, "a rate of 10 B/s to 1000 MB/s")
    if unit in TIMES:
        return "round_trip", _within(number * TIMES[unit], 0, RTT_MAX_S, word, text, "a round trip of 0 to 60 s")
    if unit == "%":
        return "loss", _within(number / 100, 0, LOSS_MAX, word, text, "a loss of 0 to 40 %")
    raise _link_error(text, f"{word or 'an empty word'} is neither a rate nor an option of a link")


def _within(value: float, least: float, most: float, word: str, text: str, what: str) -> float:
    if not least <= value <= most:
        raise _link_error(text, f"{word} is not {what}")
    return value


def _link_error(text: str, what: str) -> WhitError:
    return WhitError(f"--link {text}: {what}; expected such as {EXAMPLE}")


def read_size(option: str, text: str, *, least: int = 0, most: int = SIZE_MAX) -> int:
    """Octets: 5805, 8kB."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    octets = float(found[1]) * SIZES[found[2]] if found and found[2] in SIZES else -1
    if not least <= octets <= most:
        raise WhitError(f"{option} {text}: expected bytes, {least} to {most}, such as 8000 or 8kB")
    return round(octets)


def read_policy(text: str) -> AckPolicy:
    """Returns the client's policy by the word of --ack. WhitError lists the words."""
    if text.lower() not in POLICIES:
        raise WhitError(f"--ack {text}: expected {', '.join(POLICIES)}{did_you_mean(text, POLICIES)}")
    return POLICIES[text.lower()]


def say_link(link: Link) -> str:
    """Returns the link in readable form, in words that read_link accepts."""
    rate = "no limit of rate" if link.rate is None else f"{say_rate(link.rate)}"
    words = [rate, f"round trip {1000 * link.rtt_s:g} ms", "half duplex" if link.half_duplex else "full duplex"]
    words += [f"{100 * link.loss:g} % loss each way"] if link.loss else []
    words += [{"slip": "SLIP", "ethernet": "Ethernet"}[link.framing.name]] if link.framing != DATAGRAM else []
    return ", ".join(words)


def say_rate(rate: float) -> str:
    """rate: octets a second."""
    return f"{rate / 1000:.4g} kB/s" if rate < 1e6 else f"{rate / 1e6:.4g} MB/s"


def read_then(text: str) -> tuple[str, int | None]:
    """Reads a request of a script: a target, with or without its first slash, and perhaps its content's bytes."""
    target, comma, octets = text.partition(",")
    if not target or "://" in target or target.startswith("//") or (comma and not octets):
        raise WhitError(f"--then {text}: expected a target, and perhaps the bytes of its content: /list,1915")
    return f"/{target.removeprefix('/')}", read_size(f"--then {target},", octets) if comma else None
