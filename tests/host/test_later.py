# SPDX-License-Identifier: MIT
"""How long a request waits for a slot (drivers/later.c) whose peer doubles its timer, and then falls silent."""

import ctypes
import subprocess

import pytest
from whit.paths import ROOT

SECOND = 1000  # ms
FRAME = bytes(12) + b"\x08\x00\x45" + bytes(8) + b"\x06" + bytes(100)  # of TCP, in Ethernet


@pytest.fixture
def later(tmp_path) -> ctypes.CDLL:
    made = tmp_path / "later.so"
    sources = [
        *(ROOT / "drivers" / name for name in ("later.c", "fair.c", "frames.c")),
        ROOT / "tests" / "host" / "later.c",
    ]
    (tmp_path / "whit_limits.h").write_text("#define WHIT_TLS 0\n")
    headers = [f"-I{path}" for path in (tmp_path, ROOT / "include", ROOT / "drivers", ROOT / "ports" / "flat")]
    subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", *headers, *sources, "-o", made], check=True)
    library = ctypes.CDLL(str(made))
    library.later_receive.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32)
    library.later_waits.restype = ctypes.c_bool
    return library


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
    """After ten seconds it was forgotten, and came by the client's timer, which had doubled to a minute."""
    frame = FRAME[:-1] + b"\1"
    later.later_receive(frame, len(frame), 0)
    later.later_offer(120 * SECOND)
    assert later.later_waits()


@pytest.mark.parametrize(("tci", "kept"), [(0x0000, True), (0xE000, True), (0x0001, False), (0x0100, False)])
def test_a_priority_tag_is_passed_over(later: ctypes.CDLL, tci: int, kept: bool) -> None:
    """IEEE 802.1Q: VLAN 0 is none. Only frames that are known for segments wait."""
    frame = FRAME[:12] + b"\x81\x00" + tci.to_bytes(2, "big") + FRAME[12:]
    later.later_receive(frame, len(frame), 0)
    assert later.later_waits() == kept


def test_a_frame_that_is_too_long_is_not_kept(later: ctypes.CDLL) -> None:
    """It comes where somebody made the MTU of a TAP device larger. Its end was written over the next one."""
    for length, kept in ((1519, False), (1518, True)):
        later.later_receive(FRAME.ljust(length, b"\0"), length, 0)
        assert later.later_waits() == kept


def ahead(port: int, last: int = 2, seq: int = 7) -> bytes:
    frame = bytearray(FRAME)
    frame[34:36], frame[38:42], frame[-1] = port.to_bytes(2, "big"), seq.to_bytes(4, "big"), last
    return bytes(frame)


def test_what_is_ahead_of_a_gap_is_offered_when_its_connection_moves(later: ctypes.CDLL) -> None:
    """It was offered again for each frame that came: with 250 of them, a frame cost 250 offers and more."""
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
