# SPDX-License-Identifier: MIT
"""Programs as clients, over sockets of this machine: they load the right content, they resume, and more."""

import hashlib
import shutil
import subprocess
import time

import pytest

from tests.tls.host import NAME, RETRY, UPDATE, counted, identity, start
from tests.tls.served import PAGES, served

BIG = hashlib.sha256(PAGES[b"/big"]).hexdigest()


@pytest.fixture(autouse=True)
def switched_on():
    start()
    yield
    assert counted("broken") == 0


def run(*words, said=b"", for_s=60):
    if shutil.which(str(words[0])) is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run([str(word) for word in words], input=said, capture_output=True, timeout=for_s)
    return done.returncode, done.stdout, done.stderr


def curl(server, *words, target="/"):
    resolve = ("--resolve", f"{NAME}:{server.port}:127.0.0.1", "--cacert", identity().certificate)
    return run("curl", "-sS", *resolve, *words, f"https://{NAME}:{server.port}{target}")


def test_curl_gets_pages_on_one_connection():
    with served() as server:
        code, out, err = curl(server, f"https://{NAME}:{server.port}/big", "-o", "/dev/null")
        assert code == 0, err
        assert out == PAGES[b"/"] and len(server.connections) == 1


@pytest.mark.parametrize("record_len", [64, 512, 1438])
def test_curl_gets_a_megabyte(record_len):
    with served(record_len) as server:
        code, out, err = curl(server, target="/big")
        assert code == 0 and hashlib.sha256(out).hexdigest() == BIG, err


def test_curl_posts_records_of_16_kb(tmp_path):
    octets = PAGES[b"/big"][:300_000]
    with served() as server:
        posted = tmp_path / "posted"
        posted.write_bytes(octets)
        code, out, err = curl(server, "-H", "Expect:", "--data-binary", f"@{posted}")
        assert code == 0 and out == PAGES[b"/"], err
        assert server.posted == [octets]


def s_client(server, *words):
    connect = ("-connect", f"127.0.0.1:{server.port}", "-servername", NAME, "-CAfile", identity().certificate)
    return ("openssl", "s_client", "-verify_return_error", *connect, *words)


def ask(server, *words):
    return run(*s_client(server, "-quiet", *words), said=b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")


def test_openssl_is_asked_again_for_its_share():
    with served() as server:
        code, out, err = ask(server, "-groups", "P-256:X25519")
        assert code == 0 and out.endswith(PAGES[b"/"]), err
        assert server.connections[0].sent[0][0] == RETRY


def test_openssl_resumes_after_it_was_asked_again(tmp_path):
    with served() as server:
        for words in (("-sess_out", tmp_path / "session"), ("-sess_in", tmp_path / "session")):
            code, out, err = ask(server, "-groups", "P-256:X25519", *words)
            assert code == 0 and out.endswith(PAGES[b"/"]), err
        assert [one.resumed for one in server.connections] == [False, True]


def test_openssl_updates_keys():
    """s_client's letters, each a read of its own, update keys: k its own, K also ours."""
    with served() as server:
        command = [str(word) for word in s_client(server, "-crlf")]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for line in (b"k\n", b"K\n", b"K\n", b"k\n", b"GET / HTTP/1.1\nConnection: close\n\n"):
                time.sleep(0.3)
                process.stdin.write(line)
                process.stdin.flush()
            out = process.stdout.read()
        assert PAGES[b"/"] in out
        assert [kind for kind, _ in server.connections[0].sent].count(UPDATE) == 2


def gnutls(server, *words):
    ca = ("--x509cafile", identity().certificate, "--sni-hostname", NAME, "--verify-hostname", NAME)
    said = b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
    return run("gnutls-cli", *ca, *words, "-p", server.port, "127.0.0.1", said=said)


def test_gnutls():
    with served() as server:
        code, out, err = gnutls(server)
        assert code == 0 and PAGES[b"/"] in out, out + err


def test_gnutls_resumes():
    with served() as server:
        code, out, err = gnutls(server, "--resume", "--waitresumption")
        assert code == 0 and b"This is a resumed session" in out and PAGES[b"/"] in out, out + err
        assert [one.resumed for one in server.connections] == [False, True]


NODE = """
const https = require('https'), fs = require('fs'), crypto = require('crypto');
const [ca, name, port] = process.argv.slice(1);
const agent = new https.Agent({keepAlive: true, ca: fs.readFileSync(ca), servername: name});
const get = (path) => new Promise((done, failed) => https.get({host: '127.0.0.1', port, path, agent}, (answer) => {
  const hash = crypto.createHash('sha256');
  answer.on('data', (part) => hash.update(part));
  answer.on('end', () => done(hash.digest('hex')));
}).on('error', failed));
(async () => {
  console.log(await get('/big'));
  console.log(await get('/big'));
  agent.destroy();
  console.log(await get('/big'));
  agent.destroy();
})();
"""


def test_node_resumes():
    with served() as server:
        code, out, err = run("node", "-e", NODE, identity().certificate, NAME, server.port)
        assert code == 0 and out.decode().split() == [BIG] * 3, err
        assert [one.resumed for one in server.connections] == [False, True]


GO = """
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	pem, _ := os.ReadFile(os.Args[1])
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	with := &tls.Config{RootCAs: roots, ServerName: os.Args[2], ClientSessionCache: tls.NewLRUClientSessionCache(4)}
	for i := 0; i < 2; i++ {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: with}}
		answer, err := client.Get("https://127.0.0.1:" + os.Args[3] + "/big")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		octets, _ := io.ReadAll(answer.Body)
		fmt.Printf("%x\\n", sha256.Sum256(octets))
		client.CloseIdleConnections()
	}
}
"""


@pytest.mark.slow
def test_go_resumes(tmp_path):
    (tmp_path / "main.go").write_text(GO)
    with served() as server:
        code, out, err = run("go", "run", tmp_path / "main.go", identity().certificate, NAME, server.port, for_s=200)
        assert code == 0 and out.decode().split() == [BIG] * 2, out + err
        assert [one.resumed for one in server.connections] == [False, True]


def test_a_certificate_of_somebody_else_is_noticed():
    """A real client rejects an unknown certificate."""
    with served() as server:
        code, _, _ = run("curl", "-sS", f"https://127.0.0.1:{server.port}/")
        assert code == 60 and server.ended()[0].phase == "closed"
