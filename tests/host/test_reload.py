# SPDX-License-Identifier: MIT
"""Open pages learn the version served: at once, at each change, and after a restart of the command."""

import contextlib
import http.client
import re
import socket
import threading
import time

import pytest

from whit.commands.reload import ASKING_MAX, LISTENERS_MAX, Reloader, version_of


def listener_of(reloader: Reloader) -> int:
    """Returns the port in the script."""
    match = re.search(rb":(\d+)/", reloader.script("x"))
    assert match
    return int(match[1])


def asked(port: int, host: str | None, origin: str | None) -> http.client.HTTPResponse:
    """host: of the field Host, which has the listener's port; None: no field."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest("GET", "/", skip_host=True)
    for name, value in (("Host", host), ("Origin", origin)):
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


def listening(port: int, page: int) -> http.client.HTTPResponse:
    """page: the port of the page."""
    response = asked(port, f"127.0.0.1:{port}", f"http://127.0.0.1:{page}")
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Access-Control-Allow-Origin"] == f"http://127.0.0.1:{page}"
    assert response.headers["Vary"] == "Origin"
    return response


def version(response: http.client.HTTPResponse) -> str:
    while True:
        line = response.readline().decode()
        assert line, "closed"
        if line.startswith("data: "):
            return line.removeprefix("data: ").strip()


def test_every_version_is_told(port: int) -> None:
    reloader = Reloader("127.0.0.1", port, https_port=8443)
    reloader.announce("one")
    early = listening(listener_of(reloader), port)
    assert version(early) == "one"
    reloader.announce("two")
    late = listening(listener_of(reloader), port)
    assert version(early) == version(late) == "two"
    reloader.close()
    with pytest.raises(AssertionError, match="closed"):
        version(early)


def test_nothing_is_told_before_a_server_is_up(port: int) -> None:
    """An open page of an earlier command must not reload into nothing."""
    reloader = Reloader("127.0.0.1", port, https_port=8443)
    early = listening(listener_of(reloader), port)
    reloader.announce("first")
    assert version(early) == "first"
    reloader.close()


def test_same_place_after_a_restart(port: int) -> None:
    first = Reloader("127.0.0.1", port, https_port=8443)
    place = listener_of(first)
    first.announce("one")
    assert version(listening(place, port)) == "one"
    first.close()
    second = Reloader("127.0.0.1", port, https_port=8443)
    assert listener_of(second) == place
    second.announce("two")
    assert version(listening(place, port)) == "two"
    second.close()


def test_another_port_where_it_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = int(other.getsockname()[1])
        reloader = Reloader("127.0.0.1", taken - 1, device="10.7.0.2")
        assert listener_of(reloader) != taken
        assert b'"127.0.0.1"' in reloader.script("x")
        reloader.close()


MACHINE = socket.gethostname().lower()
ORIGINS = [  # Host without its port, Origin, both for a page at port 1, and at port 2 by HTTPS; whether it may listen
    ("127.0.0.1", "http://127.0.0.1:1", True),
    ("localhost", "http://localhost:1", True),
    ("LocalHost", "http://localhost:1", True),
    ("app.localhost", "http://app.localhost:1", True),
    ("localhost", "https://localhost:2", True),
    ("[::1]", "http://[::1]:1", True),
    (f"{MACHINE}.local", f"http://{MACHINE}.local:1", True),
    ("10.1.2.3", "http://10.1.2.3:1", True),
    ("localhost", "http://localhost:3", False),
    ("localhost", "https://localhost:1", False),  # each scheme has one port
    ("localhost", "http://localhost:2", False),
    ("localhost", "http://localhost", False),
    ("localhost", "http://127.0.0.1:1", False),
    ("127.0.0.1", "http://attacker.example:1", False),
    ("127.0.0.1", "http://attacker.example", False),
    ("attacker.example", "http://attacker.example:1", False),  # a name that was bound to this address
    ("localhost.attacker.example", "http://localhost.attacker.example:1", False),
    ("127.0.0.1.attacker.example", "http://127.0.0.1.attacker.example:1", False),
    ("notlocalhost", "http://notlocalhost:1", False),
    ("localhost", "http://ada@localhost:1", False),
    ("localhost", "http://localhost:1/", False),
    ("localhost", "file://localhost:1", False),
    ("localhost", "null", False),
    ("localhost", "http://localhost:x", False),
    ("localhost", "", False),
    ("localhost", None, False),
    ("ada@localhost", "http://localhost:1", False),
    ("", "http://localhost:1", False),
]


@pytest.mark.parametrize(("host", "origin", "may"), ORIGINS)
def test_which_page_may_listen(port: int, host: str, origin: str | None, may: bool) -> None:
    """Other pages learn nothing: the response has no Access-Control-Allow-Origin."""
    reloader = Reloader("127.0.0.1", port, https_port=port + 3)
    reloader.announce("secret")
    if origin is not None:
        origin = re.sub(r":([12])$", lambda found: f":{port if found[1] == '1' else port + 3}", origin)
    response = asked(listener_of(reloader), f"{host}:{listener_of(reloader)}", origin)
    allowed = response.headers["Access-Control-Allow-Origin"]
    assert (response.status, allowed) == ((200, origin) if may else (403, None))
    assert may or b"secret" not in response.read()
    reloader.close()


@pytest.mark.parametrize("host", [None, "localhost", "localhost:1", "localhost:x"])
def test_the_port_of_host(port: int, host: str | None) -> None:
    reloader = Reloader("127.0.0.1", port)
    assert asked(listener_of(reloader), host, f"http://localhost:{port}").status == 403
    reloader.close()


@pytest.mark.parametrize(
    ("origin", "may"),
    [
        ("http://10.7.0.2", True),
        ("https://10.7.0.2", True),
        ("http://10.7.0.3", False),
        ("http://10.7.0.2:443", False),
        ("https://10.7.0.2:80", False),
        ("http://10.7.0.2:8080", False),
    ],
)
def test_pages_of_a_device(port: int, origin: str, may: bool) -> None:
    """A TAP device has an address of its own, and the script names this machine."""
    reloader = Reloader("127.0.0.1", port, device="10.7.0.2")
    place = listener_of(reloader)
    assert asked(place, f"127.0.0.1:{place}", origin).status == (200 if may else 403)
    reloader.close()


def test_no_https_no_page_by_https(port: int) -> None:
    for words in ({}, {"device": "127.0.0.1", "device_ports": (port, None)}):
        reloader = Reloader("127.0.0.1", port, **words)  # type: ignore[arg-type]
        place = listener_of(reloader)
        for scheme in ("https", "ftp"):
            assert asked(place, f"127.0.0.1:{place}", f"{scheme}://127.0.0.1:{port}").status == 403
            assert asked(place, f"127.0.0.1:{place}", f"{scheme}://127.0.0.1").status == 403
        reloader.close()


def threads() -> int:
    return sum("_serve" in thread.name for thread in threading.enumerate())


def settles(most: int) -> bool:
    until = time.monotonic() + 10
    while threads() > most and time.monotonic() < until:
        time.sleep(0.02)
    return threads() <= most


def test_the_oldest_page_goes(port: int) -> None:
    """Each listener has a thread: there are as many as may listen, and newer ones are served."""
    reloader = Reloader("127.0.0.1", port)
    reloader.announce("one")
    before = threads()
    pages = [listening(listener_of(reloader), port) for _ in range(LISTENERS_MAX + 3)]
    assert settles(before + LISTENERS_MAX)
    for page in pages[:3]:
        with pytest.raises(AssertionError, match="closed"):
            version(page)
            version(page)
    reloader.announce("two")
    for page in pages[3:]:
        assert version(page) in ("one", "two")
    reloader.close()


def test_who_never_asks(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silent connections, and partial requests, block no page, hold few threads, and end."""
    monkeypatch.setattr("whit.commands.reload.PATIENCE_S", 1.0)
    reloader = Reloader("127.0.0.1", port)
    reloader.announce("one")
    before, place = threads(), listener_of(reloader)
    page = listening(place, port)
    silent = [socket.create_connection(("127.0.0.1", place), timeout=10) for _ in range(5 * ASKING_MAX)]
    for one in silent[::2]:
        with contextlib.suppress(OSError):
            one.send(b"GET / HTTP/1.1\r\nHost: ")
    assert version(listening(place, port)) == version(page) == "one"
    assert settles(before + 2 + 2 * ASKING_MAX)
    assert settles(before + 2)  # after a second
    for one in silent:
        one.close()
    reloader.close()


def test_many_ask_at_once(port: int) -> None:
    """No SYN of 300 is lost for want of a place, which would cost its client a second."""
    reloader = Reloader("127.0.0.1", port)
    reloader.announce("one")
    place, clients, began = listener_of(reloader), [], time.monotonic()
    for number in range(300):
        clients.append(socket.create_connection(("127.0.0.1", place), timeout=10))
        clients[-1].send(b"GET / HTTP/1.1\r\nHost: " if number % 2 else b"")
    assert time.monotonic() - began < 0.9
    assert version(listening(place, port)) == "one"
    for one in clients:
        one.close()
    reloader.close()


def test_version_is_that_of_the_files() -> None:
    files = {"a": (1, 2), "b": (3, 4)}
    assert version_of(files) == version_of(dict(reversed(files.items())))
    assert version_of(files) != version_of(files | {"a": (5, 2)})
