# SPDX-License-Identifier: MIT
"""What tells open pages which version is served: at once, at each change, and after the command was started again."""

import http.client
import re
import socket

import pytest
from whit.commands.reload import Reloader, version_of


def listener_of(reloader: Reloader) -> int:
    """Its port, which stands in the script."""
    match = re.search(rb":(\d+)/", reloader.script("x"))
    assert match
    return int(match[1])


def listening(port: int) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/", headers={"Origin": "http://127.0.0.1:8080"})
    response = connection.getresponse()
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    return response


def version(response: http.client.HTTPResponse) -> str:
    while True:
        line = response.readline().decode()
        assert line, "closed"
        if line.startswith("data: "):
            return line.removeprefix("data: ").strip()


def test_every_version_is_told(port: int) -> None:
    reloader = Reloader("127.0.0.1", port, on_this_machine=False)
    reloader.announce("one")
    early = listening(listener_of(reloader))
    assert version(early) == "one"
    reloader.announce("two")
    late = listening(listener_of(reloader))
    assert version(early) == version(late) == "two"
    reloader.close()
    with pytest.raises(AssertionError, match="closed"):
        version(early)


def test_nothing_is_told_before_a_server_is_up(port: int) -> None:
    """An open page of an earlier command must not reload into nothing."""
    reloader = Reloader("127.0.0.1", port, on_this_machine=False)
    early = listening(listener_of(reloader))
    reloader.announce("first")
    assert version(early) == "first"
    reloader.close()


def test_same_place_after_a_restart(port: int) -> None:
    first = Reloader("127.0.0.1", port, on_this_machine=False)
    place = listener_of(first)
    first.announce("one")
    assert version(listening(place)) == "one"
    first.close()
    second = Reloader("127.0.0.1", port, on_this_machine=False)
    assert listener_of(second) == place
    second.announce("two")
    assert version(listening(place)) == "two"
    second.close()


def test_another_port_where_it_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = int(other.getsockname()[1])
        reloader = Reloader("127.0.0.1", taken - 1, on_this_machine=True)
        assert listener_of(reloader) != taken
        assert b'"127.0.0.1"' in reloader.script("x")
        reloader.close()


def test_version_is_that_of_the_files() -> None:
    files = {"a": (1, 2), "b": (3, 4)}
    assert version_of(files) == version_of(dict(reversed(files.items())))
    assert version_of(files) != version_of(files | {"a": (5, 2)})
