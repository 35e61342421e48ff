# SPDX-License-Identifier: MIT
"""404.html and the like, at the top of an application's directory: bodies of errors."""

from pathlib import Path

import pytest

from tests.harness import engine_of
from whit.compiler import compile_application
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "errors"


# With a log too, the application's file takes precedence over the page with the reason.
engine = engine_of(APP, variants={"device": {"log": False}, "host": {"log": True}})


def answer(engine: Engine, octets: bytes, method: str = "GET", options: Options | None = None) -> tuple[Response, bool]:
    """Returns the response, and True if the connection was closed after it."""
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client(options)
    client.send(octets, method)
    net.run(client, for_s=60)
    net.idle(1)
    (response,) = client.responses
    return response, response.field("connection") == "close"


def file(status: int) -> bytes:
    return (APP / f"{status}.html").read_bytes()


def test_of_a_path_that_is_not_there(engine: Engine) -> None:
    for target in ("/nowhere", "/404.html"):
        response, closed = answer(engine, request(target))
        assert (response.status, response.body, closed) == (404, file(404), False)
        assert response.field("content-type").startswith("text/html")  # type: ignore[union-attr]
        assert response.field("etag") is None and response.field("cache-control") is None


def test_head_and_conditions(engine: Engine) -> None:
    whole, _ = answer(engine, request("/nowhere"))
    head, _ = answer(engine, request("/nowhere", method="HEAD"), "HEAD")
    assert head.raw == whole.raw[: len(whole.raw) - len(whole.body)]
    for field in ('If-None-Match: "00000000"', "If-None-Match: *"):
        assert answer(engine, request("/nowhere", field))[0].raw == whole.raw


def test_a_refusal_closes(engine: Engine) -> None:
    response, closed = answer(engine, b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
    assert (response.status, response.body, closed) == (400, file(400), True)


def test_a_method_and_what_is_allowed(engine: Engine) -> None:
    response, _ = answer(engine, request("/set"))
    assert (response.status, response.body, response.field("allow")) == (405, file(405), "POST, PUT")
    response, _ = answer(engine, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    assert (response.status, response.body, response.field("allow")) == (405, file(405), "GET, HEAD")


def test_of_a_handler_that_fails(engine: Engine) -> None:
    assert answer(engine, request("/say"))[0].body == file(500)


@pytest.mark.parametrize("window", [1, 70, 1000])
def test_small_windows_and_segments(engine: Engine, window: int) -> None:
    response, _ = answer(engine, request("/nowhere"), options=Options(mss=88, window=window))
    assert response.body == file(404)


def test_a_pipelined_request_follows(engine: Engine) -> None:
    net = Net(engine)
    client = net.host().client()
    client.send(request("/nowhere") + request("/"), "GET", "GET")
    net.run(client, for_s=30)
    assert [response.status for response in client.responses] == [404, 200]
    assert client.responses[1].body == (APP / "index.html").read_bytes()


def test_only_at_the_top_and_only_of_an_error(tmp_path: Path) -> None:
    """Other files are normal files; without error files, the image contains no trace of them."""
    app = tmp_path / "app"
    (app / "dir").mkdir(parents=True)
    for name in ("index.html", "200.html", "404.htm", "dir/404.html"):
        (app / name).write_text("<p>a")
    compiled = compile_application(app, tmp_path / "out")
    assert {resource.path for resource in compiled.resources} == {"index.html", "200.html", "404.htm", "dir/404.html"}
    assert "whit_error" not in (tmp_path / "out" / "whit_tables.c").read_text()
    assert "#define WHIT_HAS_ERROR_FILES 0" in (tmp_path / "out" / "whit_limits.h").read_text()
