# SPDX-License-Identifier: MIT
"""Records of TLS in a stream (RFC 8446, section 5.1), as a line shows them: encrypted ones have only a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HEADER = 5
CCS, ALERT, HANDSHAKE, SEALED = 20, 21, 22, 23
HELLOS = {1: "ClientHello", 2: "ServerHello"}
RETRY_RANDOM = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
RANDOM_AT = HEADER + 4 + 2


@dataclass(frozen=True)
class Record:
    """Positions count as those of a stream. number: of a sealed one, from 1 on; 0: it is not sealed."""

    begin: int
    end: int
    name: str
    number: int = 0


def records(octets: bytes) -> list[Record]:
    """Returns the TLS records of a stream from its first octet; an empty list if the stream is not TLS."""
    found: list[Record] = []
    at = sealed = 0
    while at + HEADER <= len(octets) and octets[at + 1] == 3 and CCS <= octets[at] <= SEALED:
        end = at + HEADER + int.from_bytes(octets[at + 3 : at + HEADER], "big")
        sealed += octets[at] == SEALED
        number = sealed if octets[at] == SEALED else 0
        found.append(Record(at + 1, end + 1, _name(octets[at:end]), number))
        at = end
    return found


def _name(octets: bytes) -> str:
    if octets[0] == HANDSHAKE:
        name = HELLOS.get(octets[HEADER] if len(octets) > HEADER else 0, "handshake")
        return "HelloRetryRequest" if octets[RANDOM_AT : RANDOM_AT + 32] == RETRY_RANDOM else name
    return {CCS: "CCS", ALERT: "alert"}.get(octets[0], "record")


def said(found: Sequence[Record], begin: int, end: int, *, again: bool = False) -> str:
    """Returns the names of the records in a segment. again: encrypted records were encrypted again."""
    words = []
    inside = [one for one in found if one.begin < end and one.end > begin]
    sealed = [one.number for one in inside if one.number]
    words += [one.name for one in inside if not one.number]
    if sealed:
        numbers = f"{sealed[0]}" if len(sealed) == 1 else f"{sealed[0]} to {sealed[-1]}"
        words.append(f"record{'s' if len(sealed) > 1 else ''} {numbers}{' sealed again' if again else ''}")
    return ", ".join(words)
