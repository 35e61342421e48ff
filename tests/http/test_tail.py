# SPDX-License-Identifier: MIT
"""An argument that follows a path: /items/42."""

import pytest

from tests.bodies.support import pieces
from tests.bodies.test_image import found, symbols
from tests.harness import ask, engine_of
from tests.http.app_client import post
from tests.support import exchange, parsed
from whit.paths import ROOT
from whit.wire.http import request
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "paths"
FORM = "application/x-www-form-urlencoded"


engine = engine_of(APP)


SAID = {
    "/items/42": "42",
    "/items/0": "0",
    "/items/65535": "65535",
    "/items/%34%32": "42",
    "/%69tems/42": "42",
    "/items/42?more=1": "42 more",
    "/items/42?": "42",
    "/items/42?&x=/y/z?": "42",
    "/items?id=42": "42",
    "/items?more=1&id=7": "7 more",
    "/a/notes/hello": "[hello]",
    "/a/notes/a+b&c=d": "[a+b&c=d]",
    "/a/notes/%2F%3f%20%C3%A4": "[/? ä]",
    "/a/notes/12345678901": "[12345678901]",
    "/a/notes/": "[]",
    "/a/notes": "[]",
    "/a/notes?title=x+y": "[x y]",
    "/modes/slow": "0",
    "/modes": "1",
    "/itemsx.txt": "itemsx\n",
}


@pytest.mark.parametrize("target", SAID)
def test_values(engine: Engine, target: str) -> None:
    heads, response = exchange(engine, request(target, method="HEAD") + request(target), "HEAD", "GET").responses
    assert (heads.status, response.status) == (200, 200)
    assert response.body.decode() == SAID[target]


NO_RESOURCE = [
    "/items/42/",
    "/items/42/1",
    "/items//",
    "/a/notes/x/y",
    "/a/notes//x",
    "/a/notes/x/y?title=1",
    "/item/42",
    "/items%2F42",
    "/itemsx/42",
    "/a/42",
    "/a/note/x",
    "/modes/slow/fast",
]
MALFORMED = [
    "/items/",
    "/items",
    "/items/x",
    "/items/-1",
    "/items/65536",
    "/items/4294967338",
    "/items/4%",
    "/items/%",
    "/items/%zz",
    "/items/4%00",
    "/items/42?id=42",
    "/items/42?more=2",
    "/items/?id=4",
    "/a/notes/123456789012",
    "/modes/medium",
    "/modes/",
    "/items/42?more=1&more=1",
    "/items/4.2",
    "/items/+4",
    "/items/4%20",
]


@pytest.mark.parametrize("target", NO_RESOURCE)
def test_no_such_path(engine: Engine, target: str) -> None:
    assert ask(engine, target).status == 404


@pytest.mark.parametrize("target", MALFORMED)
def test_values_that_are_refused(engine: Engine, target: str) -> None:
    assert ask(engine, target).status == 400
    assert ask(engine, "/items/42").body == b"42"


def test_a_form_has_it_in_its_body(engine: Engine) -> None:
    assert post(engine, "/items", FORM, b"id=3&more=1").body == b"3 more"
    assert post(engine, "/items/3", FORM, b"id=3").status == 404
    assert post(engine, "/items/", FORM, b"id=3").status == 404
    assert ask(engine, "/items/42").body == b"42"


@pytest.mark.parametrize("target", ["/items/42?more=1", "/a/notes/%2F%3f%20%C3%A4"])
def test_cut_at_every_octet(engine: Engine, target: str) -> None:
    octets, expected = request(target), SAID[target].encode()
    for at in range(1, len(octets)):
        assert parsed(pieces(engine, octets, [at], port=40000 + at)).body == expected
    assert parsed(pieces(engine, octets, list(range(1, len(octets))), port=39000)).body == expected


def test_pipelined(engine: Engine) -> None:
    octets = request("/items/1") + request("/a/notes/x") + request("/items/2?more=1") + request("/nothing")
    responses = exchange(engine, octets, "GET", "GET", "GET", "GET").responses
    assert [response.body for response in responses[:3]] == [b"1", b"[x]", b"2 more"]
    assert responses[3].status == 404


@pytest.mark.slow
def test_nothing_of_it_where_no_path_ends_so() -> None:
    assert found(r"tail_(begin|end)", symbols(ROOT / "tests" / "apps" / "bodies")) == []
