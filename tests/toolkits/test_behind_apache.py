# SPDX-License-Identifier: MIT
"""apps/services behind Apache's mod_proxy: connections are kept, bodies come chunked, faults stay what they are."""

import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from whit.machines.free_port import free_port
from whit.real.servers import MODULES

from tests.toolkits.by_zeep import by_zeep
from tests.toolkits.support import VERSIONS, check

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
StartServers 1
{user}
ProxyRequests Off
ProxyPass /things/ {origin}/ keepalive=On
ProxyPassReverse /things/ {origin}/
"""


@pytest.fixture(scope="module")
def proxy(thermostat: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port at which Apache has all of apps/services under /things/."""
    directory, port = tmp_path_factory.mktemp("apache"), free_port()
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


def test_json_through_a_proxy(proxy: int) -> None:
    connection = HTTPConnection("127.0.0.1", proxy, timeout=20)

    def call(name: str, body: object, *, chunked: bool = False) -> tuple[int, object]:
        octets = json.dumps(body).encode()
        whole = iter([octets[:5], octets[5:]]) if chunked else octets
        kind = {"Content-Type": "application/json"}
        connection.request("POST", f"/things/{name}", whole, kind, encode_chunked=chunked)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    for chunked in (False, True, False):
        assert call("echo", {"text": "ä <b>"}, chunked=chunked) == (200, {"text": "ä <b>"})
    status, said = call("set_points", {"day": 31, "night": 16})
    assert (status, said) == (400, {"fault": {"code": "Sender", "reason": "a room has 5 to 30 degrees"}})
    assert call("set_points", {"day": 20.5, "night": 16}) == (200, {})
    connection.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_soap_through_a_proxy(proxy: int, thermostat: str, version: str) -> None:
    check(by_zeep(f"http://127.0.0.1:{proxy}/things", version, f"http://127.0.0.1:{proxy}/things/thermostat"), version)


def test_what_describes_them(proxy: int, thermostat: str) -> None:
    for path in ("openapi.json", "thermostat.wsdl", ""):
        with urllib.request.urlopen(f"{thermostat}/{path}", timeout=20) as straight:
            octets = straight.read()
        with urllib.request.urlopen(f"http://127.0.0.1:{proxy}/things/{path}", timeout=20) as through:
            assert through.read() == octets
