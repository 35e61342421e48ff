# SPDX-License-Identifier: MIT
"""Third-party programs against a host with https.aes: some support AES-128-GCM alone, others order suites by their
processor."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.crypto.built import has_aes
from tests.https.firefox import firefox
from tests.https.programs import GO
from tests.https.relay import relayed
from tests.https.served import APP, BIG, PAGE, SUM, UP, Served, client, served
from tests.https.test_clients import ASK, DIGEST, POST, SUM_OF
from whit_testbed.tls import AES_128_GCM, CHACHA20_POLY1305

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("https-aes")]  # they share a server

FAST = AES_128_GCM if has_aes() else CHACHA20_POLY1305
"""What clients prefer on this processor, and the host then."""
NAMES = {AES_128_GCM: "TLS_AES_128_GCM_SHA256", CHACHA20_POLY1305: "TLS_CHACHA20_POLY1305_SHA256"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("data"), APP, "--set", "https.aes=true") as one:
        yield one


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("up") / "up"
    path.write_bytes(UP)
    return path


@pytest.mark.parametrize(
    ("offered", "suite"),
    [
        ([AES_128_GCM], AES_128_GCM),
        ([AES_128_GCM, CHACHA20_POLY1305], FAST),
        ([CHACHA20_POLY1305, AES_128_GCM], CHACHA20_POLY1305),
    ],
)
def test_openssl(server: Served, tmp_path: Path, offered: list[int], suite: int) -> None:
    """A host goes by the client's order if its processor has instructions for AES. A ticket of it resumes."""
    asks = ("openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile", server.authority, "-ign_eof")
    suites = ("-ciphersuites", ":".join(NAMES[one] for one in offered))
    for kept, is_new in (("-sess_out", "New"), ("-sess_in", "Reused")):
        heard = client(*asks, *suites, kept, tmp_path / "session", said=ASK)
        assert f"{is_new}, TLSv1.3, Cipher is {NAMES[suite]}".encode() in heard and PAGE in heard


def test_curl(server: Served, up: Path) -> None:
    curl = ("curl", "-sS", "--cacert", server.authority, "--tls13-ciphers", NAMES[AES_128_GCM])
    assert client(*curl, f"{server.url}/big") == BIG
    posted = ("-H", "Content-Type: application/octet-stream", "--data-binary", f"@{up}")
    assert client(*curl, *posted, f"{server.url}/sum") == SUM


def gnutls(server: Served, *words: object, said: bytes = b"") -> bytes:
    """Returns gnutls-cli's output for a resumed session, with AES alone."""
    trusted = ("--x509cafile", server.authority, "--verify-hostname", "127.0.0.1", "--resume", "--waitresumption")
    alone = ("--priority", "NORMAL:-CIPHER-ALL:+AES-128-GCM")
    heard = client("gnutls-cli", *trusted, *alone, *words, "-p", server.port, "127.0.0.1", said=said)
    assert heard.count(b"- Description: (TLS1.3") == heard.count(b"-(AES-128-GCM)\n") == 2
    assert b"This is a resumed session" in heard
    return heard


def test_gnutls(server: Served) -> None:
    assert PAGE in gnutls(server, said=ASK)
    assert BIG in gnutls(server, said=b"GET /big HTTP/1.0\r\n\r\n")  # no chunks for HTTP/1.0


def test_gnutls_early_data(server: Served, tmp_path: Path) -> None:
    """Early data uses the suite of the earlier connection."""
    (tmp_path / "early").write_bytes(ASK)
    assert PAGE in gnutls(server, f"--earlydata={tmp_path / 'early'}")


def test_go(server: Served, up: Path, tmp_path: Path) -> None:
    """Go's suites of TLS 1.3 cannot be selected."""
    (tmp_path / "main.go").write_text(GO)
    with relayed(server.port) as relay:
        url = f"https://127.0.0.1:{relay.port}"
        out = client("go", "run", tmp_path / "main.go", server.authority, url, up, seconds=200)
        assert out.decode().split("\n") == [f"{DIGEST} false", f"{SUM.decode()} true", ""]
        assert relay.suites == [FAST, FAST]


@pytest.mark.browser
def test_chromium(server: Served, browser: Browser) -> None:
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    with relayed(server.port) as relay:
        page.goto(f"https://127.0.0.1:{relay.port}/")
        assert page.evaluate(SUM_OF, [f"/big?{number}" for number in range(4)]) == [DIGEST] * 4
        assert page.evaluate(POST, len(UP)) == SUM.decode()
        assert set(relay.suites) == {FAST}
        context.close()


@pytest.mark.browser
def test_firefox(server: Served, tmp_path: Path) -> None:
    with firefox(tmp_path, server.authority) as tab, relayed(server.port) as relay:
        tab.go(f"https://127.0.0.1:{relay.port}/")
        assert tab.run(f"return ({SUM_OF})(said[0])", ["/big"]) == [DIGEST]
        assert tab.run(f"return ({POST})(said[0])", len(UP)) == SUM.decode()
        assert set(relay.suites) == {FAST}
