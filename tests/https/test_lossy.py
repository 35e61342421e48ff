# SPDX-License-Identifier: MIT
"""Third-party programs on the kernel's TCP: a megabyte each way over a TAP device that loses one frame of twenty each
way."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.served import chromium_path
from tests.host.conftest import WHIT, Running
from tests.host.test_tap import ENGINE, WHY_NOT, inside, namespace_made
from tests.https.chromium import chromium, trust
from tests.https.programs import GO, JAVA, NODE, PYTHON
from tests.https.served import APP, BIG, START_S, SUM, UP, client
from tests.https.test_clients import DIGEST, POST, SUM_OF
from whit.certificate import places
from whit.wire.http import parse_response

pytestmark = [
    *(pytest.mark.slow, pytest.mark.root, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)),
    pytest.mark.xdist_group("https-lossy"),  # they share a server
]
URL = f"https://{ENGINE}:4433"
AUTHORITY = places.THERE / places.AUTHORITY
LOSSES = """table ip losses {
  chain in { type filter hook input priority 0; iifname "whit0" numgen random mod 20 < 1 counter drop; }
  chain out { type filter hook output priority 0; oifname "whit0" numgen random mod 20 < 1 counter drop; }
}"""
BOTH = f"{DIGEST}\n{SUM.decode()}\n"
KIND = "Content-Type: application/octet-stream"
GNUTLS_PIECE = 500  # gnutls-cli reads more at once than our record_size_limit lets it send, and drops the rest


def asked(body: bytes = b"") -> bytes:
    """Returns a request for a client without HTTP of its own."""
    what = f"POST /sum HTTP/1.1\r\n{KIND}\r\nContent-Length: {len(body)}" if body else "GET /big HTTP/1.1"
    return f"{what}\r\nHost: {ENGINE}\r\nConnection: close\r\n\r\n".encode() + body


def answered(out: bytes) -> bytes:
    response = parse_response(out[out.index(b"HTTP/1.1 ") :], "GET")
    assert response is not None
    return response.body


@dataclass(frozen=True)
class Lossy:
    namespace: str
    up: Path

    def client(self, *words: object, said: bytes = b"") -> bytes:
        return client(*words, said=said, within=inside(self.namespace))


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lossy]:
    """A server on the lossy wire, the losses, and the data to upload."""
    data = tmp_path_factory.mktemp("lossy")
    up = data / "up"
    up.write_bytes(UP)
    with namespace_made(f"whit-lossy-{os.getpid()}") as namespace:
        command = [*inside(namespace), WHIT, "run", APP, "--tap", "whit0", "--https", "--data", data, "--quiet"]
        running = Running([str(word) for word in command], data)
        try:
            assert f"{URL}/" in running.read_until("Ctrl-C ends it.", START_S)
            client("nft", "-f", "-", said=LOSSES.encode(), within=inside(namespace))
            yield Lossy(namespace, up)
            rules = client("nft", "list", "ruleset", within=inside(namespace)).decode()
            lost = [int(part.split()[0]) for part in rules.split("counter packets ")[1:]]
            assert len(lost) == 2 and min(lost) > 0, rules
        finally:
            running.end()


def test_curl(wire: Lossy) -> None:
    trusted = ("curl", "-sS", "--fail", "--cacert", AUTHORITY)
    assert wire.client(*trusted, f"{URL}/big") == BIG
    assert wire.client(*trusted, "-H", KIND, "--data-binary", f"@{wire.up}", f"{URL}/sum") == SUM


def test_wget(wire: Lossy) -> None:
    trusted = ("wget", "-q", "-O", "-", f"--ca-certificate={AUTHORITY}")
    assert wire.client(*trusted, f"{URL}/big") == BIG
    assert wire.client(*trusted, f"--header={KIND}", f"--post-file={wire.up}", f"{URL}/sum") == SUM


def test_openssl(wire: Lossy) -> None:
    trusted = ("-CAfile", AUTHORITY, "-verify_return_error", "-verify_ip", ENGINE)
    command = ("openssl", "s_client", "-quiet", "-connect", f"{ENGINE}:4433", *trusted)
    assert answered(wire.client(*command, said=asked())) == BIG
    assert answered(wire.client(*command, said=asked(UP))) == SUM


def by_gnutls(wire: Lossy, said: bytes) -> bytes:
    """Returns GnuTLS's answer. Its input stays open until the answer has arrived: gnutls-cli waits only a moment after
    the end."""
    command = ("gnutls-cli", "--x509cafile", AUTHORITY, "--verify-hostname", ENGINE, "-p", 4433, ENGINE)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    words = [*inside(wire.namespace), *map(str, command)]
    with subprocess.Popen(words, stdin=theirs, stdout=subprocess.PIPE) as running, theirs, ours:
        for at in range(0, len(said), GNUTLS_PIECE):
            ours.send(said[at : at + GNUTLS_PIECE])
        out, _ = running.communicate(timeout=60)
    return answered(out)


def test_gnutls(wire: Lossy) -> None:
    assert by_gnutls(wire, asked()) == BIG
    assert by_gnutls(wire, asked(UP)) == SUM


def test_python(wire: Lossy) -> None:
    assert wire.client(sys.executable, "-c", PYTHON, AUTHORITY, URL, wire.up).decode() == BOTH


def test_node(wire: Lossy) -> None:
    out = wire.client("node", "-e", NODE, AUTHORITY, URL, wire.up).decode().split("\n")
    assert out == [f"{DIGEST} false", f"{DIGEST} false", f"{SUM.decode()} true", ""]


def test_go(wire: Lossy, tmp_path: Path) -> None:
    source, program = tmp_path / "main.go", tmp_path / "main"
    source.write_text(GO)
    client("go", "build", "-o", program, source, seconds=200)
    out = wire.client(program, AUTHORITY, URL, wire.up).decode().split("\n")
    assert out == [f"{DIGEST} false", f"{SUM.decode()} true", ""]


def test_java(wire: Lossy, tmp_path: Path) -> None:
    trust, source = tmp_path / "trust", tmp_path / "Main.java"
    words = ("-importcert", "-noprompt", "-file", AUTHORITY, "-keystore", trust, "-storepass", "secret")
    client("keytool", *words)
    source.write_text(JAVA)
    options = (
        f"-Djavax.net.ssl.trustStore={trust}",
        "-Djavax.net.ssl.trustStorePassword=secret",
        "-XX:TieredStopAtLevel=1",
    )
    assert wire.client("java", *options, source, URL, wire.up).decode() == f"{BOTH}{DIGEST}\n"


@pytest.mark.browser
def test_chromium(wire: Lossy, browser, tmp_path: Path) -> None:
    trust(tmp_path)
    program = tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\nexec {" ".join(inside(wire.namespace))} {chromium_path()} "$@"\n')
    program.chmod(0o755)
    with chromium(browser, tmp_path, program) as its_own:
        page = its_own.new_page()
        page.goto(f"{URL}/")
        assert page.evaluate("isSecureContext")
        assert page.evaluate(SUM_OF, ["/big"]) == [DIGEST]
        assert page.evaluate(POST, len(UP)) == SUM.decode()
