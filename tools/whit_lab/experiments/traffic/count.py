# SPDX-License-Identifier: MIT
"""Sorts the datagrams of a line into the parts of INRIA RT-0349, Figure 2, and their bytes into kinds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from whit.ladder.steps import Ladder, Step
from whit.wire.http import Response

HEADS = 40  # bytes of IP and TCP around data
END_OF_HEAD = b"\r\n\r\n"
SYN, SYN_ACK, ACK_1, GET, ACK_2, ANSWER, ACK_3, FIN_1, ACK_4, FIN_2, ACK_5 = PARTS = (
    "SYN",
    "SYN/ACK",
    "ACK 1: of the SYN/ACK",
    "GET",
    "ACK 2: of the request",
    "HTTP/1.1",
    "ACK 3: of the response",
    "FIN/ACK, the first",
    "ACK 4: of the first FIN",
    "FIN/ACK, the second",
    "ACK 5: of the second FIN",
)
"""The figure's packets, in its order."""
CONTENT, HTTP_HEAD, CHUNKS, REQUEST, TCP_IP, ACKS, OPENING, CLOSING, AGAIN = KINDS = (
    "content",
    "HTTP head",
    "chunks",  # their framing
    "request",
    "TCP/IP heads",  # around data
    "ACK 2, 3",
    "opening",
    "closing",
    "sent again",
)


@dataclass(frozen=True)
class Traffic:
    """`parts`: bytes of each datagram that played that part. FINs carried by data are not counted. `kinds`: bytes by
    kind. `strategies`: bytes of data by the server's strategy."""

    parts: Mapping[str, Sequence[int]]
    kinds: Mapping[str, int]
    strategies: Mapping[str, int] = field(default_factory=dict)
    largest: int = 0
    data: Sequence[int] = ()  # bytes of each of the server's segments with data

    @property
    def datagrams(self) -> int:
        return sum(map(len, self.parts.values()))

    @property
    def octets(self) -> int:
        return sum(self.kinds.values())

    @property
    def around(self) -> int:
        """Bytes of TCP and IP."""
        return sum(self.kinds.get(kind, 0) for kind in (TCP_IP, ACKS, OPENING, CLOSING))


def traffic(ladder: Ladder, responses: Sequence[Response]) -> Traffic:
    """Returns the traffic of all connections, without other protocols than TCP. `responses`: all received responses."""
    steps = sorted((step for step in ladder.steps if step.connection), key=lambda step: step.begin_us)
    parts: dict[str, list[int]] = {part: [] for part in PARTS}
    kinds = dict.fromkeys(KINDS, 0)
    strategies: dict[str, int] = {}
    data: list[int] = []
    for connection in sorted({step.connection for step in steps}):
        for step, part in _played([step for step in steps if step.connection == connection]):
            parts[part].append(step.octets)
            if step.again:
                kinds[AGAIN] += step.octets
            elif part in (GET, ANSWER):
                kinds[TCP_IP] += HEADS
                kinds[REQUEST] += step.octets - HEADS if part is GET else 0
            else:
                kinds[_KIND_OF[part]] += step.octets
            if part is ANSWER and not step.again:
                data.append(step.octets - HEADS)
                strategies[step.strategy] = strategies.get(step.strategy, 0) + step.octets - HEADS
    for response in responses:
        head_len = response.raw.index(END_OF_HEAD) + len(END_OF_HEAD)
        kinds[HTTP_HEAD] += head_len
        kinds[CONTENT] += len(response.body)
        kinds[CHUNKS] += len(response.raw) - head_len - len(response.body)
    return Traffic(parts, kinds, strategies, max(step.octets for step in steps), data)


_KIND_OF = {
    **dict.fromkeys((SYN, SYN_ACK, ACK_1), OPENING),
    **dict.fromkeys((ACK_2, ACK_3), ACKS),
    **dict.fromkeys((FIN_1, ACK_4, FIN_2, ACK_5), CLOSING),
}


def _played(steps: Sequence[Step]) -> Iterator[tuple[Step, str]]:
    """Yields the steps of a connection, each with its part. Any later segment of the other side acknowledges a FIN."""
    fins: list[bool] = []  # the side of each FIN: True from left to right
    acked = 0  # acknowledged FINs
    asked = False
    for step in steps:
        up = step.left_to_right
        acks_fin = acked < len(fins) and fins[acked] != up
        if step.kind == "handshake":
            part = SYN if up else SYN_ACK
        elif step.kind in ("request", "data"):
            part = GET if up else ANSWER
            asked = asked or up
        elif step.kind == "ack":
            part = (ACK_4, ACK_5)[acked] if acks_fin else ACK_2 if not up else ACK_3 if asked else ACK_1
        else:
            part = FIN_2 if any(fin != up for fin in fins) else FIN_1
        acked += acks_fin
        if step.kind == "fin" or step.label.endswith(" FIN"):
            fins += [up] if up not in fins else []
        yield step, part
