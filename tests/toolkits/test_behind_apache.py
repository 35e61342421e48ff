# SPDX-License-Identifier: MIT
"""apps/services behind Apache's mod_proxy, and as its CGI: connections are kept, bodies are chunked, faults stay
unchanged."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.toolkits.by_zeep import by_zeep
from tests.toolkits.support import VERSIONS, check
from whit.machines.free_port import free_port
from whit.paths import ROOT
from whit_lab.real.servers import MODULES
from whit_testbed import as_cgi

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("toolkits"),
    pytest.mark.skipif(shutil.which("apache2") is None, reason="apache2 is not installed"),
]
SETTINGS = """\
ServerRoot {directory}
PidFile {directory}/pid
ErrorLog {directory}/log
DefaultRuntimeDir {directory}
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule proxy_module {modules}/mod_proxy.so
LoadModule proxy_http_module {modules}/mod_proxy_http.so
LoadModule alias_module {modules}/mod_alias.so
LoadModule cgid_module {modules}/mod_cgid.so
ScriptSock {directory}/cgid.sock
ScriptAlias /called {directory}/thermostat.cgi
StartServers 1
{user}
ProxyRequests Off
ProxyPass /things/ {origin}/ keepalive=On
ProxyPassReverse /things/ {origin}/
"""


@pytest.fixture
def cgi(tmp_path: Path) -> Path:
    """The script, without Apache."""
    make_cgi(tmp_path)
    return tmp_path / "thermostat.cgi"


@pytest.fixture(scope="module")
def proxy(thermostat: str) -> Iterator[int]:
    """The port at which Apache has all of apps/services under /things/, and as its CGI under /called/."""
    directory, port = Path(tempfile.mkdtemp(prefix="whit-apache-")), free_port()
    directory.chmod(0o777)  # for Apache's user, who starts the CGI
    make_cgi(directory)
    user = "" if Path("/proc/self").stat().st_uid else "User www-data\nGroup www-data"
    settings = directory / "conf"
    settings.write_text(SETTINGS.format(directory=directory, port=port, modules=MODULES, user=user, origin=thermostat))
    process = subprocess.Popen(["apache2", "-DFOREGROUND", "-f", str(settings)], stdin=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if (directory / "pid").exists():
                break
            assert process.poll() is None, (directory / "log").read_text()
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(directory)


def make_cgi(directory: Path) -> None:
    """Makes the script that Apache starts, beside copies of its files: Apache's user may not read the checkout."""
    command = [ROOT / "whit", "build", "apps/services"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    shutil.copy(ROOT / built.stdout.split()[0], directory / "program")
    shutil.copy(as_cgi.__file__, directory / "as_cgi.py")
    script = directory / "thermostat.cgi"
    script.write_text(
        f"#!/bin/sh\nexec /usr/bin/python3 -I {directory}/as_cgi.py {directory}/program {directory}/data\n"
    )
    script.chmod(0o755)


@pytest.mark.parametrize("place", ["things", "called"])
def test_json_through_apache(proxy: int, place: str) -> None:
    connection = HTTPConnection("127.0.0.1", proxy, timeout=20)

    def call(name: str, body: object, *, chunked: bool = False) -> tuple[int, object]:
        octets = json.dumps(body).encode()
        whole = iter([octets[:5], octets[5:]]) if chunked else octets
        kind = {"Content-Type": "application/json"}
        connection.request("POST", f"/{place}/{name}", whole, kind, encode_chunked=chunked)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    for chunked in (False, True, False):
        assert call("echo", {"text": "ä <b>"}, chunked=chunked) == (200, {"text": "ä <b>"})
    status, said = call("set_points", {"day": 31, "night": 16})
    assert (status, said) == (400, {"fault": {"code": "Sender", "reason": "a room has 5 to 30 degrees"}})
    assert call("set_points", {"day": 20.5, "night": 16}) == (200, {})
    connection.request("GET", f"/{place}/points?")
    assert json.loads(connection.getresponse().read()) == {"day": 20.5, "night": 16.0}
    connection.close()


@pytest.mark.parametrize("place", ["things", "called"])
@pytest.mark.parametrize("version", VERSIONS)
def test_soap_through_apache(proxy: int, place: str, version: str) -> None:
    origin = f"http://127.0.0.1:{proxy}/{place}"
    check(by_zeep(origin, version, f"{origin}/thermostat"), version)


def test_calls_of_a_cgi_wait_for_each_other(proxy: int) -> None:
    """Each has the persistent memory that the one before it left."""

    def set_points(night: int) -> None:
        body = json.dumps({"day": 20, "night": night}).encode()
        kind = {"Content-Type": "application/json"}
        asked = urllib.request.Request(f"http://127.0.0.1:{proxy}/called/set_points", body, kind)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            assert answer.read() == b"{}"

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(set_points, range(6, 14)))
    with urllib.request.urlopen(f"http://127.0.0.1:{proxy}/called/points", timeout=20) as answer:
        points = json.load(answer)
    assert points["day"] == 20 and 6 <= points["night"] < 14


def test_a_cgi_that_cannot_start(tmp_path: Path) -> None:
    command = [sys.executable, "-I", as_cgi.__file__, tmp_path / "nothing", tmp_path / "data"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.stdout == b"Status: 502 Bad Gateway\r\n\r\n"
    assert done.stderr.startswith(b"whit: ") and b"nothing" in done.stderr


@pytest.mark.parametrize("length", ["13", "16777217", ""])
def test_a_cgi_reads_what_was_sent(cgi: Path, length: str) -> None:
    """The CGI reads only CONTENT_LENGTH octets: another server may leave standard input open."""
    told = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/echo",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": length,
    }
    with subprocess.Popen([cgi], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | told) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b'{"text": "a"}' if length != "16777217" else bytes(as_cgi.BODY_MAX + 1))
        process.stdin.flush()
        if length == "":
            process.stdin.close()
        head, _, content = process.stdout.read().partition(b"\r\n\r\n")
    if length == "16777217":
        assert head == b"Status: 413 Content Too Large"
    else:
        assert head.startswith(b"Status: 200 OK\r\n") and json.loads(content) == {"text": "a"}


def test_a_cgi_passes_on_what_was_asked(proxy: int) -> None:
    """The CGI passes on a percent-encoded path and query, and a compressed text for clients that accept it."""
    with urllib.request.urlopen(f"http://127.0.0.1:{proxy}/called/echo?text=%C3%A4%26%20%2B", timeout=20) as answer:
        assert json.load(answer) == {"text": "ä& +"}
    asked = urllib.request.Request(f"http://127.0.0.1:{proxy}/called/openapi.json", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked, timeout=20) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "/echo" in json.loads(gzip.decompress(answer.read()))["paths"]


def test_what_describes_them(proxy: int, thermostat: str) -> None:
    for path in ("openapi.json", "thermostat.wsdl", ""):
        with urllib.request.urlopen(f"{thermostat}/{path}", timeout=20) as straight:
            octets = straight.read()
        with urllib.request.urlopen(f"http://127.0.0.1:{proxy}/things/{path}", timeout=20) as through:
            assert through.read() == octets
