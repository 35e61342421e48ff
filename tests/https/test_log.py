# SPDX-License-Identifier: MIT
"""The request log names the reason why TLS ended a connection."""

import ssl
from pathlib import Path

import pytest

from tests.https import secured
from tests.https.secured import PORT, Secured, started
from whit_testbed.net import Net


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "- TLS refused: alert 70 protocol_version\n"),
        (b"\x17\x03\x03\x00\x30", "- TLS refused: alert 10 unexpected_message\n"),
        (b"\x15\x03\x03\x00\x02\x02\x64", "- TLS refused by the client: alert 100\n"),
    ],
)
def test_what_is_refused(application: Path, said: bytes, line: str) -> None:
    with started(application, log=True) as engine:
        net = Net(engine)
        net.host().connect(remote_port=PORT).send(said)
        net.idle(1)
        assert engine.take_log() == line


def test_a_client_that_does_not_trust(application: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(application, log=True) as engine:
        net = Net(engine)
        assert Secured(net).get("/n33.bin").status == 200
        net.idle(1)
        line = engine.take_log()
        assert line.startswith("GET /n33.bin 200 ") and line.count("\n") == 1
        monkeypatch.setattr(secured, "context", ssl.create_default_context)
        assert Secured(net, "10.0.0.3").wait() == []
        net.idle(1)
        assert engine.take_log() == "- TLS refused by the client: alert 48 unknown_ca\n"
