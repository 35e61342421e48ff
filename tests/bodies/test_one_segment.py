# SPDX-License-Identifier: MIT
"""A browser's request with a form is one segment."""

from tests.harness import Make
from tests.support import parsed
from whit_testbed.trace import Peer

FORM = b"interval=60&mode=auto&lamp=1&name=" + b"n" * 20
HEAD = b"POST /settings HTTP/1.1\r\nHost: w\r\nContent-Length: %d\r\n"
HEAD += b"Content-Type: application/x-www-form-urlencoded\r\nX-Browser: " + b"b" * 700 + b"\r\n\r\n"


def test_an_application_with_forms_announces_a_whole_segment(make_app: Make) -> None:
    peer = Peer(make_app("form"))
    peer.send("S", mss=1460)
    assert peer.expect("SA").mss == 1460
    request = HEAD % len(FORM) + FORM
    peer.send("PA", seq=1, ack=1, payload=request)
    answers = peer.take_all(within=50)
    assert {segment.ack for segment in answers} == {1 + len(request)}
    assert parsed(b"".join(segment.payload for segment in answers)).status == 303


def test_what_finds_no_room_is_asked_for_at_once(make_app: Make) -> None:
    """Four acknowledgments, of which the last three are duplicates, when there is room again."""
    peer = Peer(make_app("form"))
    peer.handshake()
    body = b"name=" + b"%41" * 20 + b"&" + b"x" * 700
    request = HEAD % len(body) + body
    peer.send("PA", seq=1, ack=1, payload=request)
    acked = 1
    for _ in range(20):
        answers = peer.take_all(within=50)
        if any(segment.payload for segment in answers):
            break
        assert len(answers) >= 4 and answers[-1].ack > acked, answers
        acked = answers[-1].ack
        peer.send("PA", seq=acked, ack=1, payload=request[acked - 1 :])
    else:
        raise peer.error("never answered")
    assert parsed(b"".join(segment.payload for segment in answers)).status == 303
