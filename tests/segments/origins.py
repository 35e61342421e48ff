# SPDX-License-Identifier: MIT
"""A host to which the engine opens a connection: its segments are written by hand, its ARP answers itself."""

from tests.support import ask, get
from whit.paths import ROOT
from whit.wire.packet import Arp, Ethernet, Ipv4, Segment
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

APP = ROOT / "tests" / "apps" / "client"
HOST = "10.0.0.10"
PORT = 7000


class Origin(Peer):
    """A peer whose numbers are relative to both first ones: the engine's first octet is 1, and so is ours."""

    def __init__(
        self, engine: Engine, *, port: int = PORT, iss: int = 5000, address: str = HOST, answers: bool = True
    ) -> None:
        mac = bytes.fromhex("0200aabb") + bytes.fromhex(f"{int(address.rpartition('.')[2]):04x}")
        super().__init__(engine, port=port, remote_port=0, iss=iss, address=address, mac=mac)
        self.answers = answers
        self.asked_at: list[int] = []  # when the engine asked by ARP, in ms

    def asked(self, time_ms: int, arp: Arp) -> None:
        if arp.target_ip != self.address:
            return
        self.asked_at.append(time_ms)
        if self.answers:
            self.tell()

    def tell(self) -> None:
        """Answers the engine's question for the MAC address."""
        arp = Arp(2, self.mac, self.address, self.server_mac, self.server)
        self.frame(self.link_frame(arp.pack(), 0x0806))

    def addressed(self, frame: bytes) -> bool:
        """True for the engine's segments to this port; after a SYN, for those of its connection."""
        at = 20 if self.engine.link == "slip" else 34
        ours = Peer.addressed(self, frame) if self.remote_port else None
        if ours is not None:
            return ours
        return (
            len(frame) > at + 4
            and (self.engine.link == "slip" or frame[:6] == self.mac)
            and frame[at - 4 : at] == self.address
            and frame[at + 2 : at + 4] == self.port.to_bytes(2, "big")
        )

    def expect_syn(self, within: int = 0) -> Segment:
        """The engine's SYN: from now on only segments of its connection are for this host."""
        self.collect()
        frame = self.next_frame(within)[1]
        datagram = Ipv4.parse(frame if self.engine.link == "slip" else Ethernet.parse(frame).payload)
        syn = Segment.parse(datagram.payload, datagram.src, datagram.dst)
        self.remote_port, self.irs = syn.sport, syn.seq
        self.queue.appendleft((self.engine.now_ms, frame))
        return self.expect("S", seq=0, length=0)

    def accept(self, *, mss: int | None = 1460, wnd: int = 65535, within: int = 0) -> None:
        """SYN, SYN-ACK; its acknowledgment is to be expected."""
        self.expect_syn(within)
        self.send("SA", ack=1, mss=mss, wnd=wnd)


class Asking:
    """A client whose request makes the engine open a connection, and its received octets."""

    def __init__(self, engine: Engine, target: str = "/fetch", *, port: int = 40000) -> None:
        self.peer = Peer(engine, port=port)
        self.peer.handshake()
        self.octets = get(target)
        self.got = bytearray()
        ask(self.peer, self.octets)

    def body(self, within: int = 0) -> bytes:
        """Returns the body received up to now, without its chunk framing, and acknowledges it."""
        self.peer.wait(within)
        more = self.peer.receive(seq=1 + len(self.octets), at=1 + len(self.got))
        self.got += more
        head, _, chunks = bytes(self.got).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        if b"chunked" not in head:
            return chunks
        said = b""
        while chunks and (length := int(chunks[:3] if chunks[1:2] != b"\r" else b"0", 16)):
            said += chunks[5 : 5 + length]
            chunks = chunks[7 + length :]
        return said
