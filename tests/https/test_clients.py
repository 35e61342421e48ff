# SPDX-License-Identifier: MIT
"""Third-party programs against a real image; this machine's authority checks the certificate. They make full and
resumed handshakes, several requests per connection, a megabyte down and a megabyte up."""

import hashlib
import http.client
import re
import ssl
import zlib

import pytest
from playwright.sync_api import Error

from tests.https.chromium import chromium, trust
from tests.https.programs import GO, JAVA, NODE
from tests.https.relay import relayed
from tests.https.served import BIG, PAGE, SUM, UP, Served, client, served

ASK = b"GET / HTTP/1.1\r\nHost: thing\r\nConnection: close\r\n\r\n"
DIGEST = hashlib.sha256(BIG).hexdigest()
pytestmark = pytest.mark.xdist_group("https-clients")  # they share a server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("data")) as one:
        yield one


@pytest.fixture(scope="module")
def up(tmp_path_factory):
    path = tmp_path_factory.mktemp("up") / "up"
    path.write_bytes(UP)
    return path


def test_what_it_announces(server: Served):
    """The fingerprint is that of the certificate which a client gets."""
    got = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", server.port)))
    digest = hashlib.sha256(got).hexdigest().upper()
    fingerprint = ":".join(re.findall("..", digest))
    assert f"and at https://127.0.0.1:{server.port}/, SHA-256 {fingerprint}" in server.announced


def test_curl(server: Served, up):
    """curl counts its connections: keep-alive needs only one."""
    trusted = ("curl", "-sS", "--cacert", server.authority)
    out = client(
        *trusted,
        "-w",
        "%{num_connects} ",
        f"{server.url}/",
        "-o",
        up.with_name("a"),
        f"{server.url}/big",
        "-o",
        up.with_name("b"),
    )
    assert out == b"1 0 "
    assert up.with_name("a").read_bytes() == PAGE and up.with_name("b").read_bytes() == BIG
    assert (
        client(*trusted, "-H", "Content-Type: application/octet-stream", "--data-binary", f"@{up}", f"{server.url}/sum")
        == SUM
    )


def test_curl_resumes(server: Served, tmp_path):
    with relayed(server.port) as relay:
        target = (f"https://127.0.0.1:{relay.port}/", "-o", tmp_path / "page")
        client("curl", "-sS", "--cacert", server.authority, "-H", "Connection: close", *target, *target)
        assert relay.resumed == [False, True]
    assert (tmp_path / "page").read_bytes() == PAGE


def test_curl_without_the_authority(server: Served):
    with pytest.raises(AssertionError, match="unable to get local issuer certificate"):
        client("curl", "-sS", f"{server.url}/")


def test_openssl(server: Served, tmp_path):
    connect = (
        "-connect",
        f"127.0.0.1:{server.port}",
        "-CAfile",
        server.authority,
        "-verify_return_error",
        "-verify_ip",
        "127.0.0.1",
    )
    for kept, said in (("-sess_out", "New, TLSv1.3"), ("-sess_in", "Reused, TLSv1.3")):
        out = client("openssl", "s_client", *connect, kept, tmp_path / "session", "-ign_eof", said=ASK)
        assert f"{said}, Cipher is TLS_CHACHA20_POLY1305_SHA256".encode() in out
        assert PAGE in out


def test_openssl_early_data(server: Served, tmp_path):
    connect = ("-connect", f"127.0.0.1:{server.port}", "-CAfile", server.authority, "-verify_return_error", "-ign_eof")
    session, early = tmp_path / "session", tmp_path / "early"
    client("openssl", "s_client", *connect, "-sess_out", session, said=ASK)
    post = b"POST /sum HTTP/1.1\r\nHost: thing\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
    for said, answer in ((ASK, PAGE), (post, b"3 %d" % zlib.adler32(b"abc"))):
        early.write_bytes(said)
        out = client("openssl", "s_client", *connect, "-sess_in", session, "-early_data", early)
        assert b"Early data was accepted" in out and answer in out


def test_gnutls_early_data(server: Served, tmp_path):
    """GnuTLS does not send its early data again: the answer arrives only if the server reads it."""
    early = tmp_path / "early"
    early.write_bytes(ASK)
    trusted = ("--x509cafile", server.authority, "--verify-hostname", "127.0.0.1", "--resume", "--waitresumption")
    out = client("gnutls-cli", *trusted, f"--earlydata={early}", "-p", server.port, "127.0.0.1")
    assert b"This is a resumed session" in out and PAGE in out


def test_gnutls(server: Served):
    words = (
        "gnutls-cli",
        "--x509cafile",
        server.authority,
        "--verify-hostname",
        "127.0.0.1",
        "--resume",
        "--waitresumption",
    )
    out = client(*words, "-p", server.port, "127.0.0.1", said=ASK)
    assert b"This is a resumed session" in out and PAGE in out


def test_python(server: Served):
    """Several requests of a connection, then another one that resumes it."""
    context = ssl.create_default_context(cafile=server.authority)
    session = None
    for resumed in (False, True):
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=30)
        with context.wrap_socket(_connected(server), server_hostname="127.0.0.1", session=session) as connection.sock:
            for method, target, body, content in (
                ("GET", "/", None, PAGE),
                ("GET", "/big", None, BIG),
                ("POST", "/sum", UP, SUM),
            ):
                connection.request(method, target, body, {"Content-Type": "application/octet-stream"} if body else {})
                assert connection.getresponse().read() == content
            assert connection.sock.session_reused == resumed
            assert connection.sock.version() == "TLSv1.3"
            session = connection.sock.session


def _connected(server: Served):
    plain = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    plain.connect()
    return plain.sock


def test_wget(server: Served, up):
    """wget keeps no session, so it cannot resume."""
    trusted = ("wget", "-q", "-O", "-", f"--ca-certificate={server.authority}")
    assert client(*trusted, f"{server.url}/big") == BIG
    posted = ("--header=Content-Type: application/octet-stream", f"--post-file={up}")
    assert client(*trusted, *posted, f"{server.url}/sum") == SUM


def test_node(server: Served, up):
    out = client("node", "-e", NODE, server.authority, server.url, up)
    assert out.decode().split("\n") == [f"{DIGEST} false", f"{DIGEST} false", f"{SUM.decode()} true", ""]


@pytest.mark.slow
def test_go(server: Served, up, tmp_path):
    (tmp_path / "main.go").write_text(GO)
    out = client("go", "run", tmp_path / "main.go", server.authority, server.url, up, seconds=200)
    assert out.decode().split("\n") == [f"{DIGEST} false", f"{SUM.decode()} true", ""]


@pytest.mark.slow
def test_java(server: Served, up, tmp_path):
    """Java reads its trusted authorities from a file format of its own."""
    trust = tmp_path / "trust"
    words = ("-importcert", "-noprompt", "-file", server.authority, "-keystore", trust, "-storepass", "secret")
    client("keytool", *words)
    (tmp_path / "Main.java").write_text(JAVA)
    options = (f"-Djavax.net.ssl.trustStore={trust}", "-Djavax.net.ssl.trustStorePassword=secret")
    with relayed(server.port) as relay:
        url = f"https://127.0.0.1:{relay.port}"
        out = client("java", *options, tmp_path / "Main.java", url, up, seconds=200)
        assert relay.resumed == [False, True, True]
    assert out.decode().split("\n") == [DIGEST, SUM.decode(), DIGEST, ""]


SUM_OF = """async (paths) => Promise.all(paths.map(async (path) => {
  const octets = new Uint8Array(await (await fetch(path)).arrayBuffer());
  const digest = await crypto.subtle.digest("SHA-256", octets);
  return Array.from(new Uint8Array(digest), (octet) => octet.toString(16).padStart(2, "0")).join("");
}))"""
POST = """async (length) => (await fetch("/sum", {
  method: "POST", headers: {"Content-Type": "application/octet-stream"},
  body: Uint8Array.from({length}, (_, at) => Math.imul(length - 1 - at, 2654435761) >>> 24),
})).text()"""


@pytest.mark.browser
@pytest.mark.slow
def test_chromium(server: Served, browser):
    """Chromium uses several connections at once. It does not know the authority: see docs/https.md for the padlock."""
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"{server.url}/")
    assert page.title() == "secure" and page.evaluate("isSecureContext")
    assert page.evaluate(SUM_OF, [f"/big?{number}" for number in range(4)]) == [DIGEST] * 4
    assert page.evaluate(POST, len(UP)) == SUM.decode()
    context.close()


@pytest.mark.browser
@pytest.mark.slow
def test_chromium_resumes(server: Served, browser):
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    with relayed(server.port) as relay:
        page.goto(f"https://127.0.0.1:{relay.port}/")
        assert relay.resumed and not relay.resumed[0]
        before = len(relay.resumed)
        for again in range(3):  # what it opened at once, and is cut too, takes a ticket along
            relay.cut()
            page.goto(f"https://127.0.0.1:{relay.port}/?{again}")
            assert page.title() == "secure"
        assert any(relay.resumed[before:])
        context.close()


@pytest.mark.browser
@pytest.mark.slow
def test_chromium_and_the_padlock(server: Served, browser, tmp_path):
    with chromium(browser, tmp_path) as its_own, pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        its_own.new_page().goto(server.url)
    trust(tmp_path)
    with chromium(browser, tmp_path) as its_own:
        page = its_own.new_page()
        answer = page.goto(server.url)
        assert answer.status == 200 and page.evaluate("isSecureContext")
        details = answer.security_details()
        assert details["protocol"] == "TLS 1.3" and details["issuer"].startswith("Whit")
