# SPDX-License-Identifier: MIT
"""One direction of a connection as captured, and the HTTP messages of both directions."""

import re
from dataclasses import dataclass, field

from whit.wire.http import BadResponse, parse_response
from whit.wire.packet import MASK32, distance

REQUEST_LINE = re.compile(rb"([A-Z]{3,7}) (\S{1,2000}) HTTP/1\.[01]\r\n")


@dataclass
class Stream:
    """Positions count from the SYN, as in `Step.label`: the first octet is 1."""

    origin: int | None = None  # sequence number of position 0
    most: int = 0  # position after everything that was sent
    pieces: dict[int, bytes] = field(default_factory=dict)  # by position, the longest of each
    acked: int = 0  # the peer's last acknowledgment
    window: int = -1  # the peer's last
    ack_cnt: int = 0  # acknowledgments of `acked` in a row, the first not counted

    def position(self, seq: int) -> int:
        if self.origin is None:
            self.origin = seq - 1 & MASK32  # the SYN was not seen
            self.most = 1
        return self.most + distance(seq, self.origin + self.most & MASK32)

    def put(self, at: int, octets: bytes) -> None:
        if len(octets) > len(self.pieces.get(at, b"")):
            self.pieces[at] = octets

    def octets(self) -> bytes:
        """Returns the octets from position 1 up to the first gap."""
        stream = bytearray()
        for at, piece in sorted(self.pieces.items()):
            if at > len(stream) + 1:
                break
            if at + len(piece) > len(stream) + 1:
                stream += piece[len(stream) + 1 - at :]
        return bytes(stream)


@dataclass(frozen=True)
class Asked:
    """A request, and the positions in the other stream at which its response begins and ends."""

    method: str
    target: str
    status: str  # empty: not seen
    begin: int
    end: int


def asked(requests: bytes, responses: bytes) -> list[Asked]:
    """Returns every request of a connection with its response. The last one gets the remaining octets."""
    found: list[Asked] = []
    lines = list(REQUEST_LINE.finditer(requests))
    at = 0
    for index, line in enumerate(lines):
        method, target = line[1].decode(), line[2].decode("latin-1")
        status = re.match(rb"HTTP/1\.[01] (\d{3})", responses[at : at + 12])
        end = _end(responses, at, method) if index < len(lines) - 1 else None
        found.append(Asked(method, target, status[1].decode() if status else "", at + 1, (end or 1 << 62) + 1))
        if end is None:
            break
        at = end
    return found


def _end(responses: bytes, at: int, method: str) -> int | None:
    """Returns the end of the response that begins at `at`; skips interim responses (100)."""
    try:
        while (response := parse_response(responses[at:], method)) is not None:
            at += len(response.raw)
            if response.status >= 200:
                return at
    except BadResponse:
        pass
    return None
