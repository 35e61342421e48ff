# SPDX-License-Identifier: MIT
"""apps/services as a user meets it: `whit run`, curl, and Python's own client."""

import json
import shutil
import urllib.request
from http.client import HTTPConnection
from pathlib import Path

import pytest

from whit.commands.new import new
from whit.paths import ROOT

from .conftest import WHIT, Start, body, get
from .test_apps import Thing

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


def test_where_the_page_of_services_is_told(start: Start, port: int, tmp_path: Path) -> None:
    """The page of services moves to another URL if the application has its own page."""
    for app, path in ((ROOT / "apps" / "services", "/"), (new(str(tmp_path / "lamp")), "/services.html")):
        server = start(WHIT, "run", app, "--port", port)
        said = server.read_until("Ctrl-C ends it.")
        assert f"its functions can be called at http://127.0.0.1:{port}{path}\n" in said
        assert b"openapi.json" in body(get(port, path))
        assert server.end() == 0


def test_curl_and_python(start: Start, port: int, tmp_path: Path) -> None:
    thing = Thing(start, port, "services", tmp_path)
    assert thing.json("/echo", "-d", '{"text": "ä \\"<b>\\" \\ud83d\\ude00"}') == {"text": 'ä "<b>" 😀'}
    assert thing.json("/echo", "-G", "--data-urlencode", "text=ä & +") == {"text": "ä & +"}
    assert thing.curl("/echo", "--data-urlencode", "text=ä & +").decode() == "text: ä & +\n"
    said = thing.json("/temperature", "--json", '{"unit": "f"}')
    assert 50 < said["value"] < 90 and said["unit"] == "f"
    assert thing.curl("/temperature", "-d", "unit=x", "--no-fail") == b"fault: unit: expected c or f\n"
    assert thing.status("/temperature", "-F", "unit=c") == 200
    assert thing.status("/set_points", "-d", "day=20", "-d", "night=10") == 415
    assert thing.json("/set_points", "--json", '{"day": 20.5, "night": 16}') == {}
    refused = thing.json("/set_points", "--json", '{"day": 30.1, "night": 16}', "--no-fail")
    assert refused == {"fault": {"code": "Sender", "reason": "a room has 5 to 30 degrees"}}
    assert thing.server.end() == 0
    thing = Thing(start, port, "services", tmp_path)
    assert thing.json("/points") == {"day": 20.5, "night": 16.0}
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    for newest, status in ((0, 200), (16, 200), (256, 400), (-1, 400), (1, 200)):
        connection.request("POST", "/readings", json.dumps({"newest": newest}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == status
        told = json.loads(answer.read())
        assert ("readings" in told) == (status == 200)
    connection.close()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json", timeout=20) as described:
        paths = json.load(described)["paths"]
    assert set(paths) == {"/echo", "/temperature", "/points", "/set_points", "/readings"}
