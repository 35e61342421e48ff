# SPDX-License-Identifier: MIT
"""The time that a frame waits for a slot (drivers/later.c), while its peer doubles its timer and then falls silent."""

import _ctypes
import ctypes
import subprocess
from collections.abc import Iterator

import pytest

from whit.paths import ROOT

SECOND = 1000  # ms
FRAME = bytes(12) + b"\x08\x00\x45" + bytes(8) + b"\x06" + bytes(100)  # of TCP, in Ethernet


@pytest.fixture
def later(tmp_path) -> Iterator[ctypes.CDLL]:
    made = tmp_path / "later.so"
    sources = [
        *(ROOT / "drivers" / name for name in ("later.c", "fair.c", "frames.c", "promised.c")),
        ROOT / "tests" / "host" / "later.c",
    ]
    (tmp_path / "whit_limits.h").write_text("#define WHIT_TLS 0\n")
    headers = [f"-I{path}" for path in (tmp_path, ROOT / "include", ROOT / "drivers", ROOT / "ports" / "flat")]
    subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", *headers, *sources, "-o", made], check=True)
    library = ctypes.CDLL(str(made))
    library.later_receive.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32)
    library.later_waits.restype = ctypes.c_bool
    yield library
    _ctypes.dlclose(library._handle)  # else one of the same path would be this one, with all that it keeps


@pytest.mark.parametrize(
    ("copies_s", "waits_s"),
    [((), 10), ((9,), 27), ((9, 36), 81), ((9, 36, 117, 360), 360)],
    ids=["silent at once", "once", "twice", "longer than a timer"],
)
def test_a_peer_that_falls_silent(later: ctypes.CDLL, copies_s: tuple[int, ...], waits_s: int) -> None:
    """Three times as long as it was silent before, but no timer is longer than 120 s."""
    later.later_receive(FRAME, len(FRAME), 0)
    for second in range(1, 2000):
        if second in copies_s:
            later.later_receive(FRAME, len(FRAME), second * SECOND)
        later.later_offer(second * SECOND)
        if not later.later_waits():
            break
    assert second == max(copies_s, default=0) + waits_s


def test_what_waits_for_a_long_response_is_kept(later: ctypes.CDLL) -> None:
    """A frame stays longer than ten seconds: otherwise the client's timer, doubled to a minute, would retransmit it."""
    frame = FRAME[:-1] + b"\1"
    later.later_receive(frame, len(frame), 0)
    later.later_offer(120 * SECOND)
    assert later.later_waits()


@pytest.mark.parametrize(("tci", "kept"), [(0x0000, True), (0xE000, True), (0x0001, False), (0x0100, False)])
def test_a_priority_tag_is_passed_over(later: ctypes.CDLL, tci: int, kept: bool) -> None:
    """IEEE 802.1Q: VLAN 0 means no VLAN. Only frames known to be segments wait."""
    frame = FRAME[:12] + b"\x81\x00" + tci.to_bytes(2, "big") + FRAME[12:]
    later.later_receive(frame, len(frame), 0)
    assert later.later_waits() == kept


def test_a_frame_that_is_too_long_is_not_kept(later: ctypes.CDLL) -> None:
    """A frame longer than a slot of the driver must not overwrite the next one. A larger MTU of a TAP device allows
    such frames."""
    for length, kept in ((1519, False), (1518, True)):
        later.later_receive(FRAME.ljust(length, b"\0"), length, 0)
        assert later.later_waits() == kept


def ahead(port: int, last: int = 2, seq: int = 7) -> bytes:
    frame = bytearray(FRAME)
    frame[34:36], frame[38:42], frame[-1] = port.to_bytes(2, "big"), seq.to_bytes(4, "big"), last
    return bytes(frame)


def test_what_is_ahead_of_a_gap_is_offered_when_its_connection_moves(later: ctypes.CDLL) -> None:
    """A new frame does not cause an offer of each kept frame: with 250 kept, each cost 250 offers."""
    for port in range(250):
        later.later_receive(ahead(port), len(FRAME), 0)
    offered = ctypes.c_uint.in_dll(later, "offered_cnt")
    offered.value = 0
    for number in range(100):
        later.later_receive(ahead(1000 + number), len(FRAME), number)
        later.later_offer(number)
    assert offered.value == 100
    offered.value = 0
    later.later_receive(ahead(17, last=3, seq=1), len(FRAME), 200)
    later.later_offer(200)
    assert offered.value == 2, "and the one that follows it"


def test_what_is_ahead_of_a_gap_is_offered_in_its_order(later: ctypes.CDLL) -> None:
    for seq in range(10, 20):
        later.later_receive(ahead(17, seq=seq), len(FRAME), 0)
    later.later_receive(ahead(17, last=3, seq=1), len(FRAME), 0)
    later.later_offer(0)
    assert not later.later_waits()


def test_what_is_ahead_of_a_gap_is_let_go_when_its_peer_is_silent(later: ctypes.CDLL) -> None:
    later.later_receive(ahead(17), len(FRAME), 0)
    for second, waits in ((9, True), (10, False)):
        later.later_offer(second * SECOND)
        assert later.later_waits() == waits


WINDOW = range(1000, 1400, 100)  # sequence numbers of segments of 100 octets


def segment(seq: int, last: int = 1, *, length: int = 100, port: int = 17, flags: int = 0x10) -> bytes:
    """Returns a frame of a connection with a slot."""
    frame = bytearray(54 + length)
    frame[12:15], frame[16:18], frame[23] = b"\x08\x00\x45", (40 + length).to_bytes(2, "big"), 6
    frame[34:36], frame[38:42], frame[46], frame[47] = port.to_bytes(2, "big"), seq.to_bytes(4, "big"), 0x50, flags
    frame[-1] = last
    return bytes(frame)


def receive(later: ctypes.CDLL, frame: bytes, now_ms: int = 0) -> int:
    """Up to where octets are acknowledged then."""
    later.later_receive(frame, len(frame), now_ms)
    return ctypes.c_uint32.in_dll(later, "next").value


@pytest.fixture
def slot(later: ctypes.CDLL) -> ctypes.CDLL:
    ctypes.c_uint32.in_dll(later, "next").value = WINDOW[0]
    return later


def test_what_is_kept_in_order_is_acknowledged(slot: ctypes.CDLL) -> None:
    assert receive(slot, segment(1000)) == 1100
    assert receive(slot, segment(1200)) == 1100, "ahead of a gap"
    assert receive(slot, segment(1300)) == 1100
    assert receive(slot, segment(5000, port=18)) == 1100, "of another connection"
    assert receive(slot, segment(1100)) == 1400, "which fills the gap"


def test_numbers_that_begin_anew(slot: ctypes.CDLL) -> None:
    ctypes.c_uint32.in_dll(slot, "next").value = (1 << 32) - 50
    assert receive(slot, segment((1 << 32) - 50)) == 50


def test_what_was_acknowledged_is_kept(slot: ctypes.CDLL) -> None:
    """The peer does not retransmit acknowledged segments. They survive a shorter copy, a dropped copy, anyone's reset,
    and silence."""
    for seq in WINDOW:
        receive(slot, segment(seq))
    receive(slot, segment(1100, length=40))
    receive(slot, segment(1100, last=3))  # taken by the engine: or dropped, by a wrong checksum
    receive(slot, segment(1, flags=0x14))
    offered = ctypes.c_uint.in_dll(slot, "offered_cnt")
    for second in (1, 600):
        offered.value = 0
        slot.later_offer(second * SECOND)
        assert offered.value == len(WINDOW)
    assert ctypes.c_uint.in_dll(slot, "let_go_cnt").value == 0


def test_the_peer_is_reset_when_what_was_acknowledged_gives_way(slot: ctypes.CDLL) -> None:
    """Frames of one host take all places; another host finds none."""
    for number in range(513):
        receive(slot, segment(1000 + 100 * number))
    promised = (ctypes.c_uint32.in_dll(slot, "next").value - 1000) // 100
    assert promised == 512, "beyond half of the places nothing is promised"
    for port in range(1024 - 513):
        receive(slot, segment(1000, port=100 + port))
    let_go = ctypes.c_uint.in_dll(slot, "let_go_cnt")
    other = bytearray(segment(7))
    for number in range(513):
        other[26:30] = number.to_bytes(4, "big")
        other[26] = 1
        assert let_go.value == number // 513
        receive(slot, bytes(other))
    assert let_go.value == 1
