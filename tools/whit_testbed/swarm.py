# SPDX-License-Identifier: MIT
"""Many connections at once, as plain segments."""

from whit.wire.packet import IPV4, TCP_PROTOCOL, Ethernet, Flags, Ipv4, Segment, mss_option
from whit_testbed.engine import Engine


class Swarm:
    """Connections of many hosts; each is one dictionary entry. request: the request of each."""

    def __init__(self, engine: Engine, request: bytes) -> None:
        self.engine, self.request = engine, request
        self.places: dict[int, tuple[int, int]] = {}  # number -> our next sequence number, the engine's next

    @staticmethod
    def address(number: int) -> tuple[bytes, int]:
        return bytes([10, 1, number >> 10 & 255, 1 + (number >> 2 & 255) % 254]), 1024 + number

    def send(self, number: int, flags: Flags, seq: int, ack: int, payload: bytes = b"") -> list[Segment]:
        source, port = self.address(number)
        server = self.engine.identity.address
        options = mss_option(1460) if flags & Flags.S else b""
        segment = Segment(port, 80, seq, ack, flags, 65535, payload, options=options).pack(source, server)
        datagram = Ipv4(source, server, TCP_PROTOCOL, segment).pack()
        self.engine.frame_in(Ethernet(self.engine.identity.mac, b"\2\0" + source, IPV4, datagram).pack())
        answers = []
        for frame in self.engine.frames_out():
            answer = Ipv4.parse(Ethernet.parse(frame).payload)
            answers.append(Segment.parse(answer.payload, answer.src, answer.dst))
        return answers

    def open(self, number: int) -> None:
        (syn,) = self.send(number, Flags.S, number * 7919, 0)
        self.places[number] = (number * 7919 + 1, syn.seq + 1)
        assert self.send(number, Flags.A, *self.places[number]) == []

    def ask(self, number: int, octets: bytes = b"") -> bytes:
        """Sends a request whose answer fits one segment, without acknowledging it."""
        seq, ack = self.places[number]
        octets = octets or self.request
        (answer,) = self.send(number, Flags.A | Flags.P, seq, ack, octets)
        self.places[number] = (seq + len(octets), ack + len(answer.payload))
        return answer.payload

    def acknowledge(self, number: int) -> None:
        assert self.send(number, Flags.A, *self.places[number]) == []
