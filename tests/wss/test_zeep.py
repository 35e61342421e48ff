# SPDX-License-Identifier: MIT
"""zeep calls a running image with a UsernameToken; a replayed message is refused."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from zeep import Client
from zeep.exceptions import Fault
from zeep.plugins import HistoryPlugin
from zeep.wsse.username import UsernameToken
from zeep.wsse.utils import WSU

from tests.host.conftest import Running
from whit.machines.free_port import free_port
from whit.paths import ROOT

APP = ROOT / "tests" / "apps" / "secured"
VERSIONS = {"LampPort": "text/xml; charset=utf-8", "LampPort12": "application/soap+xml; charset=utf-8"}


class Served:
    """The application, started as a person does."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.port = data, port
        self.start()

    def start(self) -> None:
        command = [ROOT / "whit", "run", APP, "--port", self.port, "--data", self.data, "--quiet"]
        self.running = Running([str(word) for word in command], self.data.parent)
        self.running.read_until("Ctrl-C ends it.", 120)

    def post(self, octets: bytes, kind: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", "/lamp", octets, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def caller(self, password: str = "secret", *, lasts_s: int = 60, version: int = 0) -> tuple[Any, HistoryPlugin]:
        history, now = HistoryPlugin(), datetime.now(UTC)
        times = WSU.Timestamp()
        times.append(WSU.Created(now.strftime("%Y-%m-%dT%H:%M:%SZ")))
        times.append(WSU.Expires((now + timedelta(seconds=lasts_s)).strftime("%Y-%m-%dT%H:%M:%SZ")))
        proof = UsernameToken("alice", password, use_digest=True, timestamp_token=times)
        url = f"http://127.0.0.1:{self.port}/lamp"
        client = Client(f"{url}.wsdl", wsse=proof, plugins=[history])
        binding = sorted(client.wsdl.bindings)[version]
        return client.create_service(binding, url), history


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("WHIT_TEST_PASSWORD", "secret")
    one = Served(tmp_path / "data", free_port())
    yield one
    one.running.end()


def fault_of(call: Any) -> str:
    with pytest.raises(Fault) as told:
        call.token(level=1)
    assert told.value.detail is None  # a header was the reason: SOAP 1.1 section 4.4
    return str(told.value.code) + " ".join(str(one) for one in told.value.subcodes or ())


def test_calls_and_what_is_sent_again(served: Served) -> None:
    number = 0
    for version, kind in enumerate(VERSIONS.values()):
        call, history = served.caller(version=version)
        for _ in range(3):
            number += 1
            answer = call.token(level=40 + number)
            assert (answer.level, answer.calls) == (40 + number, number)
        sent = etree.tostring(history.last_sent["envelope"])
        status, told = served.post(sent, kind)
        assert status == 500 and b"wsse:FailedAuthentication" in told
        assert "FailedAuthentication" in fault_of(served.caller("sesame", version=version)[0])
        assert "MessageExpired" in fault_of(served.caller(lasts_s=-5, version=version)[0])
    served.running.end()
    served.start()
    status, told = served.post(sent, kind)
    assert status == 500 and b"wsu:MessageExpired" in told
    time.sleep(3)  # a new call, later than the calls before the restart, succeeds
    assert served.caller()[0].token(level=1).calls == 1
