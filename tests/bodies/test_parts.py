# SPDX-License-Identifier: MIT
"""Bodies that handlers read: forms with files, raw bodies, as threads and as a whole."""

import pytest

from tests.bodies.support import (
    BOUNDARY,
    FORM,
    MULTIPART,
    OCTETS,
    Part,
    ask,
    body_of,
    chunked,
    digest,
    multipart,
    noise,
    pieces,
    posted,
    told,
)
from tests.harness import Make
from tests.support import exchange, parsed
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

STREAM = b"application/octet-stream"
FILES: tuple[Part, ...] = (
    (b"a.txt", b"text/plain", b"hello\r\n--" + BOUNDARY[:-1]),
    (b"", None, b""),
    (b"b.bin", STREAM, noise(3000)),
    (b"c", b"Text/Plain;charset=x", b"\r\n" * 50 + b"\r"),
)


def test_files(bodies: Engine) -> None:
    assert body_of(bodies, posted("/upload", multipart(*FILES), MULTIPART)) == told(*FILES)
    for size in (1, 3, 100, 5000):
        assert body_of(bodies, chunked("/upload", multipart(*FILES), MULTIPART, size=size)) == told(*FILES)
    for file in FILES:
        assert body_of(bodies, posted("/upload", multipart(file), MULTIPART)) == told(file)


@pytest.mark.parametrize("length", [0, 1, 100, 255, 256, 257, 5000, 19000])
def test_raw_body(bodies: Engine, length: int) -> None:
    content = noise(length)
    expected = told((b"", STREAM, content))
    assert body_of(bodies, posted("/upload", content, OCTETS)) == expected
    assert body_of(bodies, posted("/upload", content, OCTETS.upper() + " ; x=y", method="PUT")) == expected
    assert body_of(bodies, chunked("/upload", content, OCTETS)) == expected


def test_what_the_handler_leaves(bodies: Engine) -> None:
    parts = [(b"skip", STREAM, b"x" * 2000), (b"b", STREAM, b"yes")]
    said = body_of(bodies, posted("/upload", multipart(*parts), MULTIPART))
    assert said == told((b"skip", STREAM, b"x"), parts[1])
    parts = [(b"a", STREAM, b"x" * 2000), (b"fail", STREAM, b"yes"), (b"c", STREAM, b"x")]
    response = ask(bodies, posted("/upload", multipart(*parts), MULTIPART))
    assert (response.status, response.field("connection")) == (500, "close")


@pytest.mark.parametrize("size", [0, 1, 2, 5, 74])
def test_preamble_and_epilogue(bodies: Engine, size: int) -> None:
    body = b"-" * size + b"\r\n" + multipart(*FILES) + b"x" * size + b"\r\n--" + BOUNDARY + b"\r\n"
    assert body_of(bodies, posted("/upload", body, MULTIPART)) == told(*FILES)
    assert body_of(bodies, posted("/upload", multipart(*FILES)[:-2], MULTIPART)) == told(*FILES)


@pytest.mark.parametrize("boundary", ["a", "-", "--", "'()+_,-./:=?", "x" * 70, "a b"])
def test_boundaries(bodies: Engine, boundary: str) -> None:
    files = [(b"f", STREAM, b"\r\n-" + b"\r\n--"[:3] + b"\n--" + boundary.encode()), (b"g", STREAM, b"\r\n\r\n")]
    body = multipart(*files, boundary=boundary.encode())
    field = f'Content-Type: Multipart/Form-Data;BOUNDARY="{boundary}"'
    assert body_of(bodies, posted("/upload", body, field)) == told(*files)


@pytest.mark.parametrize(
    "parameters",
    [
        "",
        ";",
        "; boundary",
        "; boundary=",
        '; boundary=""',
        '; boundary="a',
        "; boundary=" + "a" * 71,
        '; boundary="' + "a" * 71 + '"',
        "; boundary=a; boundary=a",
        "; boundary=a=b",
        "; boundary=a b",
        "; boundary =a",
        "; boundar=a",
        '; boundary="a"b',
        "x; boundary=a",
        " x",
    ],
)
def test_wrong_boundaries(bodies: Engine, parameters: str) -> None:
    field = "Content-Type: multipart/form-data" + parameters
    assert ask(bodies, posted("/upload", multipart(FILES[0], boundary=b"a"), field)).status in (400, 415)


def test_two_types(bodies: Engine) -> None:
    assert ask(bodies, posted("/upload", b"x", OCTETS, OCTETS)).status == 400


PART = b'Content-Disposition: form-data; filename="f"\r\nContent-Type: text/plain\r\n'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--" + BOUNDARY,
        b"--" + BOUNDARY + b"\r\n",
        b"--" + BOUNDARY + b"\r\n" + PART,
        b"--" + BOUNDARY + b"\r\n" + PART + b"\r\n",
        b"--" + BOUNDARY + b"\r\n" + PART + b"\r\nabc\r\n--" + BOUNDARY + b"-",
        b"--" + BOUNDARY + b"x\r\n" + PART + b"\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"-x" + PART + b"\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\n" + PART + b"\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\n" + PART + b"\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\n: x\r\n\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\nA\r\n\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\n " + PART + b"\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\nX: a\x00b\r\n\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\nX: " + b"a" * 1100 + b"\r\n\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"\r\n" + b"X: a\r\n" * 300 + b"\r\nabc\r\n--" + BOUNDARY + b"--",
        b"--" + BOUNDARY + b'\r\nContent-Disposition: form-data; filename="f\r\n\r\nabc\r\n--' + BOUNDARY + b"--",
        b"--" + BOUNDARY + b"--\r\n"[:0] + b" " * 1100,
    ],
)
def test_malformed_parts(bodies: Engine, body: bytes) -> None:
    response = ask(bodies, posted("/upload", body, MULTIPART))
    assert (response.status, response.field("connection")) == (400, "close")
    assert body_of(bodies, posted("/upload", b"x", OCTETS)) == told((b"", STREAM, b"x"))


def test_form_without_parts(bodies: Engine) -> None:
    assert body_of(bodies, posted("/upload", b"--" + BOUNDARY + b"--", MULTIPART)).endswith(b"\n")


def test_types_that_are_not_taken(bodies: Engine) -> None:
    for octets in (
        posted("/upload", b"x", "Content-Type: image/png"),
        posted("/upload", b"x", "Content-Type: application/octet-streams"),
        posted("/upload", b"x"),
        posted("/upload", b"x", FORM),
        posted("/upload", multipart((b"a", b"image/png", b"x")), MULTIPART),
        posted("/upload", multipart(FILES[0], (b"a", b"text", b"x")), MULTIPART),
    ):
        response = ask(bodies, octets)
        assert (response.status, response.field("connection")) == (415, "close")
    assert body_of(bodies, posted("/whole", b"x", "Content-Type: image/png")) == b"0=x\n"
    assert body_of(bodies, posted("/whole", b"x")) == b"0=x\n"


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (b'form-data; name="x"; filename="a b;c.txt"', b"a b;c.txt"),
        (b"form-data; filename=plain", b"plain"),
        (b'form-data; FileName="a\\"b\\\\c"', b'a"b\\c'),
        (b'form-data; filename="a\\b.txt"', b"a\\b.txt"),
        (b'form-data; filename="C:\\\\d\\e f"', b"C:\\d\\e f"),
        (b'form-data; filename="' + b"x" * 30 + b'\\y"', b"x" * 30 + b"\\"),
        (b'form-data; filename="' + b"n" * 40 + b'"; x=y', b"n" * 31),
        (b"form-data; filename*=UTF-8''x; filename=\"y\"", b"y"),
        (b'form-data; filename="\xc3\xa4"', b"\xc3\xa4"),
        (b'form-data; name="filename=x"', b""),
    ],
)
def test_file_names(bodies: Engine, disposition: bytes, name: bytes) -> None:
    body = b"--" + BOUNDARY + b"\r\ncontent-TYPE: text/plain\r\nContent-disposition:" + disposition
    body += b"\r\nContent-Length: 3\r\n\r\nabc\r\n--" + BOUNDARY + b"--"
    assert body_of(bodies, posted("/upload", body, MULTIPART)) == told((name, b"text/plain", b"abc"))


# ---------------------------------------------------------------- parts as a whole


def test_whole_parts(bodies: Engine) -> None:
    body = multipart((b"a", b"x/y", b"abc"), (b"", None, b"\r\n--"), (b"c", None, b""))
    assert body_of(bodies, posted("/whole", body, MULTIPART)) == b"0a=abc\n1=\r\n--\n2c=\n"
    assert body_of(bodies, chunked("/whole", body, MULTIPART, size=1)) == b"0a=abc\n1=\r\n--\n2c=\n"
    assert ask(bodies, posted("/whole", multipart((b"!", None, b"")), MULTIPART)).status == 500
    assert body_of(bodies, posted("/whole", b"")) == b"0=\n"
    long = b"y" * 300
    assert body_of(bodies, posted("/whole", multipart((b"a", b"x/y", long), (b"b", None, long)), MULTIPART))


def test_part_beyond_the_room(bodies: Engine) -> None:
    for octets in (
        posted("/whole", b"x" * 600),
        chunked("/whole", b"x" * 600),
        posted("/whole", multipart((b"a", None, b"x" * 600)), MULTIPART),
        posted("/whole", multipart((b"b", None, b"x" * 100), (b"a", None, b"\r\n" * 6000)), MULTIPART),
    ):
        response = ask(bodies, octets)
        assert (response.status, response.field("connection")) == (413, "close")


@pytest.mark.parametrize("size", [600, 1000, 3000])
def test_part_beyond_the_room_is_refused_at_once(bodies: Engine, size: int) -> None:
    """Otherwise a client's timer would send the octets that still fit one by one (RFC 9293 section 3.8.6.1)."""
    net = Net(bodies, up=Impairment(delay_us=MS))
    client = net.host().client(Options(rto_min=200 * MS))
    client.send(posted("/whole", multipart((b"a", None, b"x" * size)), MULTIPART), "POST")
    begun_us = net.loop.now_us
    net.run(client, for_s=20)
    assert client.responses[0].status == 413
    assert net.loop.now_us - begun_us < 100 * MS


# ---------------------------------------------------------------- cuts

SMALL: tuple[Part, ...] = ((b"a", STREAM, b"\r\n--" + BOUNDARY[:3]), (b"b", b"text/plain", b"\r"))
CUT = {
    "parts": (posted("/upload", multipart(*SMALL), MULTIPART), told(*SMALL)),
    "chunked": (chunked("/upload", multipart(*SMALL), MULTIPART, size=7, tail=b"A: b\r\n"), told(*SMALL)),
    "raw": (posted("/upload", b"0123456789", OCTETS), told((b"", STREAM, b"0123456789"))),
    "whole": (posted("/whole", multipart(*SMALL), MULTIPART), b"0a=\r\n--" + BOUNDARY[:3] + b"\n1b=\r\n"),
}


@pytest.mark.parametrize("name", CUT)
def test_cut_at_every_octet(make: Make, name: str) -> None:
    octets, said = CUT[name]
    engine = make()
    for cut in range(1, len(octets)):
        assert pieces(engine, octets, [cut], port=40000 + cut).endswith(b"\r\n\r\n" + said), cut
    assert pieces(engine, octets, list(range(1, len(octets))), split=1).endswith(b"\r\n\r\n" + said)


def test_two_bodies_in_a_row(make: Make) -> None:
    octets, said = CUT["parts"]
    engine = make()
    for cut in range(1, 2 * len(octets), 5):
        got = pieces(engine, octets + octets, [cut], port=40000 + cut)
        assert got.count(b"\r\n\r\n" + said) == 2, cut


def test_digest_of_a_large_body(bodies: Engine) -> None:
    """The slow handler reads the same octets as the quick one."""
    content = noise(2500)
    assert body_of(bodies, posted("/slow", content)) == b"2500 %d" % digest(content)
    assert body_of(bodies, chunked("/slow", content, size=30)) == b"2500 %d" % digest(content)


# ---------------------------------------------------------------- the receive window


def test_window_follows_a_slow_handler(bodies: Engine) -> None:
    """The window closes as octets wait, and a segment of its own opens it when they have been read. Its edge never
    moves back."""
    content = noise(2000)
    octets = posted("/slow", content)
    peer = Peer(bodies)
    peer.handshake()
    at, edge, closed, updates = 0, 1460, 0, 0
    sent: list[bytes] = []
    for _ in range(2000):
        if at == len(octets):
            break
        new = peer.take_all()
        for segment in new:
            assert segment.ack - 1 + segment.wnd >= edge
            edge = segment.ack - 1 + segment.wnd
            at = max(at, segment.ack - 1)
            closed += segment.wnd == 0
            updates += not sent
        sent = []
        if at < edge and at < len(octets):
            sent = [octets[at : min(edge, at + 200)]]
            peer.send("PA", seq=1 + at, ack=1, payload=sent[0])
        else:
            peer.wait(4)
    assert at == len(octets)
    assert closed > 2
    assert updates > 3
    peer.wait(2000)
    assert b"2000 %d" % digest(content) in peer.receive(seq=1 + at)


def test_window_probes_are_answered(bodies: Engine) -> None:
    peer = Peer(bodies)
    peer.handshake()
    octets = posted("/slow", noise(5000))
    at, segment = 0, None
    for _ in range(50):
        peer.send("PA", seq=1 + at, ack=1, payload=octets[at : at + 200])
        segment = peer.take_all()[-1]
        at = segment.ack - 1
        if segment.wnd == 0:
            break
    assert segment is not None
    assert segment.wnd == 0
    peer.send("A", seq=at, ack=1)  # Linux: an old octet without data
    assert peer.take_all()[-1].ack == 1 + at
    peer.send("A", seq=1 + at, ack=1, payload=octets[at : at + 1])  # an octet beyond the window
    assert peer.take_all()[-1].ack - 1 in (at, at + 1)


def test_requests_without_bodies_announce_the_whole_window(bodies: Engine) -> None:
    peer = Peer(bodies)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=request("/form?octet=1"))
    assert {segment.wnd for segment in peer.take_all()} == {1460}


def test_slow_handler_outlives_the_timeout_of_a_request(make: Make) -> None:
    """Progress keeps the connection: 20 000 octets, 100 in 60 ms, take longer than the timeout of 2 s."""
    content = noise(15_000)
    engine = make(request_timeout_s=2)
    assert body_of(engine, posted("/slow", content)) == b"15000 %d" % digest(content)


def test_pipelined_behind_a_slow_body(bodies: Engine) -> None:
    content = noise(700)
    octets = posted("/slow", content) + posted("/form", b"octet=1", FORM) + request("/form?octet=2")
    client = exchange(bodies, octets, "POST", "POST", "GET")
    assert [response.body for response in client.responses] == [
        b"700 %d" % digest(content),
        b"post 1 0 [] run 1",
        b"2 0 []",
    ]


def test_answer_that_waits_for_room(bodies: Engine) -> None:
    """A slow handler ends while another's answer fills the buffer: its own waits until that is acknowledged."""
    content = noise(150)
    octets = posted("/slow", content)
    peer = Peer(bodies)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets)
    other = Peer(bodies, port=40001)
    other.handshake()
    other.send("PA", seq=1, ack=1, payload=request("/long"), wnd=65535)
    peer.take_all(3000)
    assert not peer.take_all()
    end = max(segment.seq + len(segment.payload) for segment in other.take_all())
    other.send("A", seq=1 + len(request("/long")), ack=end)
    peer.collect()
    assert b"150 %d" % digest(content) in peer.receive(seq=1 + len(octets))


@pytest.mark.parametrize("target", ["/upload", "/slow"])
def test_octets_that_found_no_room_are_asked_for_when_there_is(bodies: Engine, target: str) -> None:
    """Sends four acknowledgments, as three duplicates cause a fast retransmit (RFC 5681 section 3.2)."""
    peer, other = Peer(bodies), Peer(bodies, port=40001)
    octets = posted(target, noise(5000), OCTETS)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets[:200])
    peer.expect("A", ack=201)
    other.handshake()
    other.send("PA", seq=1, ack=1, payload=request("/long"))
    answer = other.take_all()
    peer.send("PA", seq=201, ack=1, payload=octets[200:600])
    peer.expect("A", ack=201)
    other.send("A", seq=1 + len(request("/long")), ack=answer[-1].seq + len(answer[-1].payload))
    peer.collect()
    assert [segment.ack for segment in peer.take_all()] == [201] * 4
    peer.send("PA", seq=201, ack=1, payload=octets[200:600])
    assert peer.take_all()[-1].ack > 201


def test_form_during_an_upload(bodies: Engine) -> None:
    """A second upload waits until there is room for its segments; a form and a page do not."""
    peer = Peer(bodies)
    peer.handshake()
    octets = posted("/upload", noise(5000), OCTETS)
    peer.send("PA", seq=1, ack=1, payload=octets[:300])
    assert body_of_other(bodies, posted("/form", b"octet=1", FORM), 40001) == b"post 1 0 [] run 1"
    assert body_of_other(bodies, request("/form?octet=2"), 40002) == b"2 0 []"
    second = Peer(bodies, port=40003)
    second.handshake()
    small = posted("/upload", b"x", OCTETS)
    second.send("PA", seq=1, ack=1, payload=small)
    second.expect_nothing(500)
    peer.send("R", seq=301)
    second.send("PA", seq=1, ack=1, payload=small)
    assert parsed(second.receive(seq=1 + len(small))).body == told((b"", STREAM, b"x"))


def body_of_other(engine: Engine, octets: bytes, port: int) -> bytes:
    peer = Peer(engine, port=port)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets)
    return parsed(peer.receive(seq=1 + len(octets))).body
