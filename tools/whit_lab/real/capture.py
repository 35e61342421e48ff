# SPDX-License-Identifier: MIT
"""Captures frames of an interface in a namespace, with the kernel's times. The kernel keeps them until they are
read."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from whit_lab.real.namespace import Namespace

ETH_P_ALL, ETHERTYPE_IPV4, TCP = 3, 0x0800, 6
SO_TIMESTAMPNS, SO_RCVBUFFORCE = 35, 33  # Linux's asm-generic/socket.h
ROOM = 256 << 20  # bytes of waiting frames, as the kernel counts them
SNAP = 256  # captured bytes of a frame
FIN, SYN, ACK = 1, 2, 16


@dataclass(frozen=True)
class Seen:
    """A frame with a TCP segment."""

    time_s: float
    octets: int  # of the frame, without its checksum
    source: tuple[str, int]
    target: tuple[str, int]
    flags: int
    len: int  # bytes of data
    data: bytes  # the first bytes of the data


class Capture:
    def __init__(self, received: socket.socket) -> None:
        self._socket = received

    def segments(self) -> list[Seen]:
        """Returns all segments since the last call."""
        found: list[Seen] = []
        while True:
            try:
                frame, notes, _, _ = self._socket.recvmsg(SNAP, 64, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return found
            if seen := _segment(frame, notes):
                found.append(seen)


@contextmanager
def capture(namespace: Namespace, device: str) -> Iterator[Capture]:
    with namespace.entered():
        made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    with made:
        made.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, ROOM)
        made.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        made.bind((device, 0))
        yield Capture(made)


def _segment(frame: bytes, notes: list[tuple[int, int, bytes]]) -> Seen | None:
    if len(frame) < 54 or struct.unpack_from("!H", frame, 12)[0] != ETHERTYPE_IPV4 or frame[23] != TCP:
        return None
    seconds, nanoseconds = struct.unpack("=qq", notes[0][2][:16])
    ip_len = (frame[14] & 15) * 4
    total_len = struct.unpack_from("!H", frame, 16)[0]
    at = 14 + ip_len
    source_port, target_port = struct.unpack_from("!HH", frame, at)
    data_at = at + (frame[at + 12] >> 4) * 4
    source, target = socket.inet_ntoa(frame[26:30]), socket.inet_ntoa(frame[30:34])
    return Seen(
        seconds + nanoseconds / 1e9,
        14 + total_len,
        (source, source_port),
        (target, target_port),
        frame[at + 13],
        14 + total_len - data_at,
        frame[data_at:],
    )
