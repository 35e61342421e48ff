# SPDX-License-Identifier: MIT
"""A form as multipart/form-data without files (RFC 7578), as fetch() sends a FormData."""

import random
import re

import pytest

from tests.bodies.support import BOUNDARY, FORM, MULTIPART, ask, body_of, chunked, pieces, posted
from tests.conftest import seed_of_run
from tests.harness import Make, engine_of
from tests.support import parsed
from whit.paths import ROOT
from whit_testbed.engine import Engine

DASHES = b"--" + BOUNDARY
Fields = list[tuple[bytes, bytes]]
BODY: Fields = [(b"octet", b"7"), (b"number", b"-3"), (b"text", b"a b+c%41")]
SAID = b"post 7 -3 [a b+c%41] run 1"


def form_data(fields: Fields, boundary: bytes = BOUNDARY, more: bytes = b"") -> bytes:
    """Returns a form as Chromium writes it; `more`: field lines of each part."""
    head = b'--%b\r\nContent-Disposition: form-data; name="%b"\r\n%b\r\n%b\r\n'
    return b"".join(head % (boundary, name, more, value) for name, value in fields) + b"--" + boundary + b"--\r\n"


def sent(fields: Fields, **how: bytes) -> bytes:
    return posted("/form", form_data(fields, **how), MULTIPART)


# doPostIn takes parts too.
engine = engine_of(ROOT / "tests" / "apps" / "bodies", form_data=True)


# This application has JSON and no doPostIn; the log gives the reason of errors.
alone = engine_of(ROOT / "tests" / "apps" / "json", form_data=True, log=True)


def status(engine: Engine, body: bytes, field: str = MULTIPART) -> int:
    response = ask(engine, posted("/form", body, field))
    assert response.status == 200 or response.field("connection") == "close"
    return response.status


def test_a_form_in_parts(engine: Engine) -> None:
    assert body_of(engine, sent(BODY)) == SAID
    assert body_of(engine, posted("/form", form_data(BODY), MULTIPART, method="PUT")) == SAID.replace(
        b"run 1", b"run 2"
    )
    assert body_of(engine, posted("/form", b"octet=1", FORM)) == b"post 1 0 [] run 3"


def test_the_order_and_what_is_not_declared(engine: Engine) -> None:
    fields = [
        (b"x", b"\r\n--" + BOUNDARY[:-1] + b"!"),
        (b"text", b""),
        (b"octet", b"255"),
        (b"octet2", b"1"),
        (b"octe", b""),
    ]
    assert body_of(engine, sent(fields)) == b"post 255 0 [] run 1"


def test_without_parts_it_is_empty(engine: Engine) -> None:
    assert status(engine, DASHES + b"--\r\n") == 400  # octet is missing
    assert status(engine, b"") == 400
    assert body_of(engine, sent([(b"octet", b"1")])) == b"post 1 0 [] run 1"


@pytest.mark.parametrize("on", [False, True])
def test_where_app_toml_says_so(make: Make, on: bool) -> None:
    assert status(make(form_data=on), form_data(BODY)) == (200 if on else 415)


def test_the_parts_of_a_handler_are_still_its_own(engine: Engine) -> None:
    content = posted("/upload", form_data([(b"f", b"abc")], more=b"Content-Type: text/plain\r\n"), MULTIPART)
    assert body_of(engine, content).startswith(b"1\n0 1  3 ")


TEXTS = [
    b"",
    b"\r",
    b"\n",
    b"\r\n",
    b"\r\r\n",
    b"\r\n\r\n",
    b"\r\n-",
    b"\r\n--",
    b"\r\n--\r\n",
    b"--" + BOUNDARY[:9],
    b"\r\n--" + BOUNDARY[:7],
    b"a\r\n--b\r",
    b"=&%00+;\"'",
    "äöü€".encode(),
    b"12345678901",
    b"123456789\r\n",
    b"12345678901"[:-4] + b"\r\n--",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts(engine: Engine, text: bytes) -> None:
    assert body_of(engine, sent([(b"octet", b"1"), (b"text", text)])) == b"post 1 0 [%b] run 1" % text


TOO_LONG = [
    b"123456789012",
    b"1234567890\r\n",
    b"12345678\r\n--",
    b"\r\n--" + BOUNDARY[:8],
    b"12345678901\r",
    b"x" * 300,
]


@pytest.mark.parametrize("text", TOO_LONG)
@pytest.mark.parametrize("last", [False, True])
def test_texts_that_are_too_long(engine: Engine, text: bytes, last: bool) -> None:
    fields = [(b"octet", b"1"), (b"text", text)]
    assert status(engine, form_data(fields if last else fields[::-1])) == 400
    assert body_of(engine, sent(BODY)) == SAID


@pytest.mark.parametrize(
    "value", [b"", b"256", b"1\r", b"1\r\n", b"\r\n1", b"1\r\n--" + BOUNDARY[:4], b" 1", b"1\0", b"\0"]
)
def test_values_that_are_refused(engine: Engine, value: bytes) -> None:
    assert status(engine, form_data([(b"octet", value)])) == 400
    assert status(engine, form_data([(b"octet", b"1"), (b"octet", b"1")])) == 400
    assert status(engine, form_data([(b"octet", b"1"), (b"text", b"a\0b")])) == 400
    assert status(engine, form_data([(b"octet", b"1"), (b"text", b"\xff")])) == 400
    assert body_of(engine, sent(BODY)) == SAID


def test_cut_at_every_octet(engine: Engine) -> None:
    octets = sent(BODY)
    begin = octets.index(b"Content-Type")
    for at in range(begin, len(octets)):
        assert b"post 7 -3 [a b+c%41]" in parsed(pieces(engine, octets, [at], port=40000 + at), "POST").body
    every = list(range(begin, len(octets)))
    assert b"post 7 -3 [a b+c%41]" in parsed(pieces(engine, octets, every, port=39000), "POST").body


@pytest.mark.parametrize("size", [1, 2, 3, 7, 41, 100])
def test_boundaries_that_straddle_chunks(engine: Engine, size: int) -> None:
    assert body_of(engine, chunked("/form", form_data(BODY), MULTIPART, size=size)) == SAID


@pytest.mark.parametrize("boundary", [b"a", b"x" * 70, b"----WebKitFormBoundaryAbCdEf0123456789", b"'()+_,-./:=?z"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_boundaries(engine: Engine, boundary: bytes, quote: str) -> None:
    if b":" in boundary and not quote:
        quote = '"'
    field = f"Content-Type: multipart/form-data; charset=utf-8; boundary={quote}{boundary.decode()}{quote}"
    assert body_of(engine, posted("/form", form_data(BODY, boundary), field)) == SAID


@pytest.mark.parametrize(
    "field",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        'multipart/form-data; boundary=""',
        "multipart/form-data; boundary=" + "x" * 71,
        "multipart/form-data; boundary=a; boundary=a",
        'multipart/form-data; boundary="a',
        "multipart/form-data; boundary",
    ],
)
def test_a_type_without_a_boundary(engine: Engine, field: str) -> None:
    assert status(engine, form_data(BODY, b"a"), f"Content-Type: {field}") == 400


@pytest.mark.parametrize("kind", ["multipart/mixed", "multipart/form-dat", "multipart/form-datas", "text/plain"])
def test_other_types(engine: Engine, kind: str) -> None:
    assert status(engine, form_data(BODY), f"Content-Type: {kind}; boundary={BOUNDARY.decode()}") == 415


WHOLE = form_data([(b"octet", b"1")])
HEAD = b'Content-Disposition: form-data; name="octet"'
MALFORMED = {
    "another boundary": form_data([(b"octet", b"1")], BOUNDARY[:-1] + b"!"),
    "a longer boundary": form_data([(b"octet", b"1")], BOUNDARY + b"!"),
    "a shorter boundary": form_data([(b"octet", b"1")], BOUNDARY[:-1]),
    "the last one is another": WHOLE.replace(BOUNDARY + b"--", BOUNDARY[:-1] + b"!--"),
    "no last delimiter": WHOLE[: -len(DASHES) - 4],
    "one dash at the end": WHOLE.replace(BOUNDARY + b"--", BOUNDARY + b"-"),
    "cut in a head": WHOLE[: WHOLE.index(b"form-data")],
    "no name": WHOLE.replace(b'; name="octet"', b""),
    "an empty name": WHOLE.replace(b'"octet"', b'""'),
    "a name without an end": WHOLE.replace(b'"octet"', b'"octet'),
    "two names": WHOLE.replace(b'"octet"', b'"octet"; name=octet'),
    "no disposition": WHOLE.replace(HEAD, b"X: y"),
    "no head": WHOLE.replace(HEAD + b"\r\n", b""),
    "two dispositions": WHOLE.replace(HEAD, HEAD + b"\r\n" + HEAD),
    "a line without a name": WHOLE.replace(HEAD, HEAD + b"\r\n: x"),
    "a line without a colon": WHOLE.replace(HEAD, HEAD + b"\r\nX"),
    "a blank before the colon": WHOLE.replace(b"Disposition:", b"Disposition :"),
    "a folded line": WHOLE.replace(b"; name", b";\r\n name"),
    "a control character": WHOLE.replace(HEAD, HEAD + b"\r\nX: \0"),
    "a line feed alone": WHOLE.replace(b"\r\n", b"\n"),
    "octets behind a delimiter": WHOLE.replace(DASHES + b"\r\n", DASHES + b"x\r\n"),
    "a name without quotes": WHOLE.replace(b'"octet"', b"oct et"),
}


@pytest.mark.parametrize("which", MALFORMED)
def test_what_is_malformed(engine: Engine, which: str) -> None:
    assert MALFORMED[which] != WHOLE
    assert status(engine, MALFORMED[which]) == 400
    assert body_of(engine, sent(BODY)) == SAID


FINE = {
    "a preamble": b"x\r\n\r\n" + WHOLE,
    "an epilogue": WHOLE + b"x\0--" + DASHES + b"\r\n",
    "without the last line end": WHOLE[:-2],
    "transport padding": WHOLE.replace(DASHES + b"\r\n", DASHES + b" \t\r\n"),
    "more lines": WHOLE.replace(HEAD, b"Content-Type: text/plain; charset\r\n" + HEAD + b"\r\nX:"),
    "other letters": WHOLE.replace(HEAD, b"content-DISPOSITION:form-data ;NAME=octet"),
    "an escaped name": WHOLE.replace(b'"octet"', b'"oc\\tet"'),
}


@pytest.mark.parametrize("which", FINE)
def test_what_rfc_2046_allows(engine: Engine, which: str) -> None:
    assert FINE[which] != WHOLE
    assert body_of(engine, posted("/form", FINE[which], MULTIPART)) == b"post 1 0 [] run 1"


@pytest.mark.parametrize("name", ["; filename=a", '; filename=""', '; FileName="a b"', "; filename*=utf-8''a"])
def test_a_file_is_refused_with_the_reason(alone: Engine, name: str) -> None:
    body = form_data([(b"octet", b"1")]).replace(b'"octet"', b'"octet"' + name.encode())
    response = ask(alone, posted("/set", body, MULTIPART))
    assert (response.status, response.field("connection")) == (415, "close")
    assert re.search("POST /set.* 415 .*a file in multipart/form-data", alone.take_log())
    assert body_of(alone, posted("/set", form_data([(b"octet", b"1")]), MULTIPART)) == b"1 -7 off 1 []"


def test_beside_json(alone: Engine) -> None:
    """Every type of argument is read; parameters of other media types are ignored."""
    fields = [(b"octet", b"1"), (b"low", b"-5"), (b"on", b"1"), (b"mode", b"slow"), (b"text", b"a\r\nb")]
    assert body_of(alone, posted("/set", form_data(fields), MULTIPART)) == b"1 -5 on 0 [a\r\nb]"
    json = "Content-Type: application/json; charset"
    assert body_of(alone, posted("/set", b'{"octet":1}', json)) == b"1 -7 off 1 []"
    for wrong in ((b"on", b"1\r\n"), (b"mode", b"slow\r"), (b"mode", b"slo")):
        assert ask(alone, posted("/set", form_data([(b"octet", b"1"), wrong]), MULTIPART)).status == 400
    assert ask(alone, posted("/any", form_data([(b"a", b"\r\n--b")]), MULTIPART)).body == b"taken"


def test_like_another_reader(engine: Engine) -> None:
    """Random texts that look like delimiters, cut at random places."""
    rng = random.Random(seed_of_run())
    likely = [b"\r", b"\n", b"\r\n", b"\r\n--", b"-", b"--", b"\r\n--" + BOUNDARY[:2], BOUNDARY[:3], b"x"]
    for number in range(60):
        text = b"".join(rng.choices(likely, k=rng.randrange(5)))[:11]
        octets = sent([(b"x", text * 9), (b"octet", b"1"), (b"text", text)])
        begin = octets.index(b"\r\n\r\n") + 4
        cuts = sorted(rng.sample(range(begin, len(octets)), 3))
        assert b"post 1 0 [%b]" % text in pieces(engine, octets, cuts, port=41000 + number)
