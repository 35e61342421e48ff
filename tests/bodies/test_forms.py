# SPDX-License-Identifier: MIT
"""Forms as bodies: typed arguments, transfer codings, refusals, and that nothing runs before the last octet."""

import pytest

from tests.bodies.support import FORM, OCTETS, ask, body_of, chunked, pieces, posted
from tests.harness import Make
from tests.support import exchange, parsed
from whit.wire.http import request
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

BODY = b"octet=7&number=-3&text=a%20b+c"
SAID = b"post 7 -3 [a b c] run 1"


def test_post_and_put(bodies: Engine) -> None:
    assert body_of(bodies, posted("/form", BODY, FORM)) == SAID
    assert body_of(bodies, posted("/form", BODY, FORM + "; charset=UTF-8", method="PUT")) == SAID.replace(b"1", b"2")
    assert body_of(bodies, posted("/form?octet=300&x=1", BODY, FORM.upper())) == SAID.replace(b"1", b"3")
    assert body_of(bodies, request("/form?octet=1&text=x")) == b"1 0 [x]"


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_chunks(bodies: Engine, size: int) -> None:
    assert body_of(bodies, chunked("/form", BODY, FORM, size=size)) == SAID
    octets = chunked("/form", BODY, FORM, size=size, extension=b' ;a=b;c="d e"', tail=b"T: 1\r\nU:2\r\n")
    assert body_of(bodies, octets) == SAID.replace(b"1", b"2")


@pytest.mark.parametrize("extension", [b" ", b"   ", b"\t \t", b" ;a", b"\t; a = b", b';a="\xe4 ;"'])
def test_blanks_behind_a_chunk_size(bodies: Engine, extension: bytes) -> None:
    """RFC 9112 section 7.1.1."""
    assert body_of(bodies, chunked("/form", BODY, FORM, size=7, extension=extension)) == SAID


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"number=1",
        b"octet=",
        b"octet=256",
        b"octet=1&octet=1",
        b"octet=1&text=123456789012",
        b"octet=1&text=%",
        b"octet=1&text=%4",
        b"octet=1&text=%00",
        b"octet=1&text=a b",
        b"octet=1&text=a\r\n",
        b"octet=1&text=\xe4",
        b"octet=1&text=a#b",
        *(b"octet=1&x=%c" % octet for octet in (0, 1, 0x1F, 0x20, 0x7F, 0x80, 0xFF)),
    ],
)
def test_wrong_arguments(bodies: Engine, body: bytes) -> None:
    response = ask(bodies, posted("/form", body, FORM))
    assert (response.status, response.field("connection")) == (400, "close")
    assert body_of(bodies, posted("/form", BODY, FORM)) == SAID


@pytest.mark.parametrize("octet", [0x21, 0x22, 0x24, 0x7E])
def test_octets_that_a_form_may_have(bodies: Engine, octet: int) -> None:
    assert body_of(bodies, posted("/form", b"octet=1&text=%c" % octet, FORM)) == b"post 1 0 [%c] run 1" % octet


@pytest.mark.parametrize("second", [FORM, OCTETS, "Content-Type: "])
def test_a_second_content_type(bodies: Engine, second: str) -> None:
    """RFC 9110 section 5.3: a field that is no list is not given twice."""
    response = ask(bodies, posted("/form", BODY, FORM, second))
    assert (response.status, response.field("connection")) == (400, "close")
    assert body_of(bodies, posted("/form", BODY, FORM)) == SAID


def test_a_lone_cr_does_not_end_a_line(bodies: Engine) -> None:
    """RFC 9112 section 2.2. Content-Type's line is read by code of its own where a body is taken."""
    octets = posted("/form", BODY, FORM)
    assert ask(bodies, octets.replace(b"urlencoded\r\n", b"urlencoded\rX: y\r\n")).status == 400
    assert body_of(bodies, octets) == SAID


@pytest.mark.parametrize("octet", [b"\0", b"\x01", b"\x1f", b"\x7f"])
def test_a_control_in_the_media_type(bodies: Engine, octet: bytes) -> None:
    """RFC 9110 section 5.5. In a quoted value, where nothing else looks at it."""
    octets = posted("/form", BODY, FORM + '; x="y"')
    assert ask(bodies, octets.replace(b'"y"', b'"' + octet + b'"')).status == 400
    assert body_of(bodies, octets) == SAID


def test_handler_that_cannot_answer(bodies: Engine) -> None:
    assert ask(bodies, posted("/form", b"octet=99", FORM)).status == 500


@pytest.mark.parametrize(
    "framing",
    [
        b"x\r\n",
        b"\r\n",
        b"g\r\n",
        b"-1\r\n",
        b"0x1\r\no\r\n",
        b"1\no\r\n",
        b"1\r\noc\r\n",
        b"1\r\no\n\n",
        b"1;a=\x01\r\no\r\n",
        b"1" + b";e=v" * 70 + b"\r\no\r\n",
        b"0" * 300 + b"1\r\n",
        b"0\r\n" + b"T: xxxxxxxxxxxxxxxxxxxx\r\n" * 50 + b"\r\n",
        b"1 1\r\no\r\n",
        b"1 x\r\no\r\n",
        b" 1\r\no\r\n",
        b"1 \n\r\no\r\n",
        b"0\r\nT\x00: x\r\n\r\n",
        b"0\r\nT: x\n\r\n\r\n",
    ],
)
def test_wrong_chunks(bodies: Engine, framing: bytes) -> None:
    octets = request("/form", FORM, "Transfer-Encoding: chunked", method="POST", body=framing)
    assert ask(bodies, octets).status == 400
    assert b"run 1" in body_of(bodies, posted("/form", BODY, FORM))


@pytest.mark.parametrize("line", ["T", "T x", ": x", "T : x", " T: x", "T: x\r\n U: y"])
def test_wrong_trailers(bodies: Engine, line: str) -> None:
    """A wrong trailer behind a complete form gets 400: the function does not run."""
    assert ask(bodies, chunked("/form", BODY, FORM, tail=line.encode() + b"\r\n")).status == 400
    assert b"run 1" in body_of(bodies, chunked("/form", BODY, FORM, tail=b"T: x\r\nU:\r\n"))


@pytest.mark.parametrize(
    ("extension", "trailers", "status"), [(256, 2, 200), (257, 2, 400), (9, 1024, 200), (9, 1025, 400)]
)
def test_lines_of_a_transfer_coding_have_a_limit(bodies: Engine, extension: int, trailers: int, status: int) -> None:
    """256 octets for the line of a chunk's size, the first's and each later one's; 1024 for all trailers together."""
    short = b"T: 123456\r\n"
    tail = b"T:" + b"x" * (trailers % 11 + 5) + b"\r\n" + short * (trailers // 11 - 1) if trailers > 2 else b""
    assert len(tail) + 2 == trailers
    for long in (0, 1):
        lines = [b"%x;" % size for size in (10, len(BODY) - 10)]
        lines[long] += b"e" * (extension - 2 - len(lines[long]))
        framing = (
            lines[0] + b"\r\n" + BODY[:10] + b"\r\n" + lines[1] + b"\r\n" + BODY[10:] + b"\r\n0\r\n" + tail + b"\r\n"
        )
        octets = request("/form", FORM, "Transfer-Encoding: chunked", method="POST", body=framing)
        assert ask(bodies, octets).status == status


@pytest.mark.parametrize("field", ["Content-Length: 5", "Transfer-Encoding: chunked"])
def test_two_lengths(bodies: Engine, field: str) -> None:
    octets = request("/form", FORM, "Transfer-Encoding: chunked", field, method="POST", body=b"0\r\n\r\n")
    assert ask(bodies, octets).status == 400


def test_too_large(make: Make) -> None:
    engine = make(body_max=100)
    large = b"octet=1&x=" + b"y" * 90
    assert body_of(engine, posted("/form", large, FORM)) == b"post 1 0 [] run 1"
    assert body_of(engine, chunked("/form", large, FORM)) == b"post 1 0 [] run 2"
    for octets in (posted("/form", large + b"z", FORM), chunked("/form", large + b"z", FORM, size=50)):
        response = ask(engine, octets)
        assert (response.status, response.field("connection")) == (413, "close")
    for length in ("4294967297", "429496729", "429496730", "99999999999999999999"):
        assert ask(engine, request("/form", FORM, f"Content-Length: {length}", method="POST")).status == 413
    for size in (b"ffffffff", b"fffffffff", b"100000000", b"65"):
        octets = request("/form", FORM, "Transfer-Encoding: chunked", method="POST", body=size + b"\r\n")
        assert ask(engine, octets).status == 413


@pytest.mark.parametrize(
    "fields", [(), (OCTETS,), ("Content-Type: multipart/form-data; boundary=a",), ("Content-Type:",)]
)
def test_type_that_is_not_taken(bodies: Engine, fields: tuple[str, ...]) -> None:
    response = ask(bodies, posted("/form", BODY, *fields))
    assert (response.status, response.field("connection")) == (415, "close")


def test_no_body(bodies: Engine) -> None:
    assert ask(bodies, request("/form", method="POST")).status == 400  # an empty form lacks an argument
    assert (
        ask(bodies, request("/form", FORM, "Transfer-Encoding: chunked", method="POST", body=b"0\r\n\r\n")).status
        == 400
    )


@pytest.mark.parametrize(
    ("target", "method", "allow"),
    [
        ("/upload", "GET", "POST, PUT"),
        ("/upload", "HEAD", "POST, PUT"),
        ("/page.txt", "POST", "GET, HEAD"),
    ],
)
def test_methods_that_are_allowed(bodies: Engine, target: str, method: str, allow: str) -> None:
    response = exchange(bodies, request(target, method=method), method).responses[0]
    assert (response.status, response.field("allow")) == (405, allow)


def test_preconditions_come_first(bodies: Engine) -> None:
    assert ask(bodies, posted("/form", BODY, FORM, 'If-Match: "00000000"')).status == 412
    assert body_of(bodies, posted("/form", BODY, FORM)) == SAID


def test_version_1_0(bodies: Engine) -> None:
    octets = request("/form", FORM, f"Content-Length: {len(BODY)}", method="POST", version="1.0", body=BODY)
    response = ask(bodies, octets)
    assert (response.body, response.field("connection")) == (SAID, "close")


def test_pipeline(bodies: Engine) -> None:
    octets = posted("/form", BODY, FORM) + chunked("/form", BODY, FORM, size=3) + request("/form?octet=5")
    octets += posted("/form", b"octet=1", FORM)
    client = exchange(bodies, octets, "POST", "POST", "GET", "POST")
    assert [response.body for response in client.responses] == [
        SAID,
        SAID.replace(b"1", b"2"),
        b"5 0 []",
        b"post 1 0 [] run 3",
    ]


REQUESTS = {
    "length": posted("/form", BODY, FORM),
    "chunked": chunked("/form", BODY, FORM, size=5, extension=b";x", tail=b"T: x\r\n"),
    "refused": posted("/form", b"octet=1&text=%zz&more", FORM),
    "wrong chunk": request("/form", FORM, "Transfer-Encoding: chunked", method="POST", body=b"5\r\nabcdeX\n"),
    "two": posted("/form", BODY, FORM) + request("/form?octet=1"),
}


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("link", ["ethernet", "slip"])
def test_cut_at_every_octet(make: Make, name: str, link: str) -> None:
    octets = REQUESTS[name]
    whole = pieces(make(link=link), octets, [])
    assert whole.startswith(b"HTTP/1.1 ")
    engine = make(link=link)
    for run, cut in enumerate(range(1, len(octets)), 1):
        got = pieces(engine, octets, [cut], port=40000 + cut)
        length = 22 + len(str(run))
        assert got == whole.replace(b"run 1", b"run %d" % run).replace(b" 23\r\n", b" %d\r\n" % length), cut
    engine = make(link=link)
    assert pieces(engine, octets, list(range(1, len(octets))), split=1) == whole


@pytest.mark.parametrize("end", ["fin", "reset", "timeout"])
@pytest.mark.parametrize("octets", [posted("/form", BODY, FORM), chunked("/form", BODY, FORM, size=9)])
def test_body_that_ends_early(bodies: Engine, octets: bytes, end: str) -> None:
    head = octets.index(b"\r\n\r\n") + 4
    for cut in range(head, len(octets), 3):
        peer = Peer(bodies, port=40000 + cut)
        peer.handshake()
        peer.send("PA" if end != "fin" else "PFA", seq=1, ack=1, payload=octets[:cut])
        if end == "reset":
            peer.send("R", seq=1 + cut)
        else:
            peer.wait(15_100)
            stream = peer.receive(seq=1 + cut + (end == "fin"))
            assert parsed(stream).status == (400 if end == "fin" else 408)
            peer.send("R", seq=1 + cut + (end == "fin"))
        assert sum(bodies.meter.held) == 0
    assert body_of(bodies, posted("/form", BODY, FORM)) == SAID


def test_spoilt_segments_leave_nothing(bodies: Engine) -> None:
    """Wrong checksums, wrong acknowledgments: other octets in them change nothing."""
    octets = posted("/form", BODY, FORM)
    for number, cut in enumerate(range(1, len(octets), 2)):
        peer = Peer(bodies, port=40000 + cut)
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=octets[:cut])
        for lie in (
            b"number=77&text=lie",
            b"; boundary=x\r\n",
            b"Content-Length: 3\r\n\r\n",
            b"8&octet=3",
            octets[cut:] + b"x",
        ):
            peer.send("PA", seq=1 + cut, ack=1, payload=lie, sum=0x1234)
            peer.send("PA", seq=1 + cut, ack=5000, payload=lie)
        peer.take_all()
        peer.send("PA", seq=1 + cut, ack=1, payload=octets[cut:])
        body = parsed(peer.receive(seq=1 + len(octets))).body
        assert body == SAID.replace(b"run 1", b"run %d" % (number + 1)), cut
        peer.send("R", seq=1 + len(octets))


CODED = ("gzip", "GZip", "x-gzip", "br", "deflate", "identity, gzip", "gzip, identity", "identityx", "x", "zstd;q=1")


@pytest.mark.parametrize("coding", CODED)
@pytest.mark.parametrize(("target", "media"), [("/form", FORM), ("/upload", OCTETS)])
def test_a_body_in_a_coding_is_refused(bodies: Engine, target: str, media: str, coding: str) -> None:
    """RFC 9110 section 15.5.16; nothing of it is read as if it were plain."""
    for fields in ((media, f"Content-Encoding: {coding}"), (f"content-encoding:{coding} ", media)):
        assert ask(bodies, posted(target, BODY, *fields)).status == 415
    assert body_of(bodies, posted("/form", BODY, FORM)) == SAID


@pytest.mark.parametrize("coding", ["", "identity", " \t Identity\t "])
def test_no_coding(bodies: Engine, coding: str) -> None:
    assert body_of(bodies, posted("/form", BODY, FORM, f"Content-Encoding: {coding}")) == SAID


def test_a_coding_where_no_body_is_taken(bodies: Engine) -> None:
    """The request's other error, 404, takes precedence over its Content-Encoding."""
    assert ask(bodies, request("/form?octet=1&text=x", "Content-Encoding: gzip")).status == 200
    assert ask(bodies, posted("/nowhere", BODY, FORM, "Content-Encoding: gzip")).status == 404
