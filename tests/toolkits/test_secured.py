# SPDX-License-Identifier: MIT
"""gSOAP, CXF and npm's soap call running images by WS-Security: with a digest of a password, and with a signature.
gSOAP signs by RSA: its ECDSA is in DER, which XML Signature does not have."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key, pkcs12
from lxml import etree

from tests.bodies.support import ask
from tests.bodies.support import posted as http
from tests.browser.served import served
from tests.support import built
from tests.toolkits.recorder import recorded
from tests.toolkits.support import CLIENTS, VERSIONS, fetched, said_by, url_of
from tests.wss.signing import key
from tests.wss.wrapping import KINDS, renamed, wrapped
from whit.paths import ROOT
from whit_lab.real import gsoap
from whit_testbed.engine import Engine
from whit_testbed.toolkits import MAVEN_CXF, NPM_SOAP, PIP_XMLSEC, by_maven, by_npm, by_pip

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
needs_gsoap = pytest.mark.skipif(bool(gsoap.why_not()), reason=gsoap.why_not())
needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
PROTECTED = BestAvailableEncryption(b"changeit")  # Java wants a password
APPS, KEYS = ROOT / "tests" / "apps", ROOT / "tests" / "wss"
RSA = (KEYS / "rsa_key.pem", KEYS / "rsa.pem")


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WHIT_TEST_PASSWORD", "secret")
        with served(APPS / "secured", tmp_path_factory.mktemp("data")) as url:
            yield f"{url}lamp"


device = url_of(APPS / "signed", "/device")


@pytest.fixture(scope="module")
def client(lamp: str, device: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the client from both WSDLs with gSOAP's two compilers and gSOAP's own header of WS-Security."""
    scratch, shared = tmp_path_factory.mktemp("gsoap"), gsoap.SHARED
    run(scratch, "wsdl2h", "-c", "-o", "made.h", f"{device}.wsdl", f"{lamp}.wsdl")
    (scratch / "all.h").write_text('#import "wsse.h"\n' + (scratch / "made.h").read_text())
    run(scratch, "soapcpp2", "-c", "-C", "-L", "-w", "-x", f"-I{shared / 'import'}:{shared}", "all.h")
    includes = ("-I.", f"-I{shared}", f"-I{shared / 'plugin'}")
    plugin = (shared / name for name in (*gsoap.PLUGIN, "custom/struct_timeval.c"))
    sources = (CLIENTS / "secured.c", "soapC.c", "soapClient.c", *plugin)
    libraries = ("-lgsoapssl", "-lssl", "-lcrypto", "-lz")
    run(scratch, "gcc", "-w", *gsoap.AS_INSTALLED, *includes, *sources, "-o", "client", *libraries)
    return scratch / "client"


def run(directory: Path, *words: str | Path) -> None:
    done = subprocess.run([str(word) for word in words], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def check(said: Mapping[str, Any], fault: str) -> None:
    """Two calls, and one that is refused."""
    assert said["levels"] == [40, 41] and said["calls"][1] == said["calls"][0] + 1
    assert said["code"].endswith(fault)


@needs_gsoap
def test_gsoap_knows_a_password(client: Path, lamp: str) -> None:
    check(said_by([client, lamp, "secret"]), "MessageExpired")
    with pytest.raises(AssertionError, match="FailedAuthentication"):
        said_by([client, lamp, "sesame"])


@needs_gsoap
def test_gsoap_signs(client: Path, device: str) -> None:
    check(said_by([client, device, *RSA]), "MessageExpired")


@pytest.fixture(scope="module")
def cxf(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """The command of its client."""
    jars, scratch = f"{fetched(by_maven, MAVEN_CXF)}/*", tmp_path_factory.mktemp("cxf")
    run(scratch, "javac", "-nowarn", "-cp", jars, "-d", scratch, CLIENTS / "Secured.java")
    return ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}:{scratch}", "Secured"]


@needs_java
@pytest.mark.parametrize("version", VERSIONS)
def test_cxf_knows_a_password(cxf: list[str | Path], lamp: str, version: str) -> None:
    check(said_by([*cxf, lamp, version, "secret"]), "FailedAuthentication")


@needs_java
@pytest.mark.parametrize("method", ["rsa", "ecdsa"])
def test_cxf_signs(cxf: list[str | Path], device: str, tmp_path: Path, method: str) -> None:
    check(said_by([*cxf, device, "1.1" if method == "rsa" else "1.2", store(tmp_path, method), method]), "FailedCheck")


def store(directory: Path, method: str) -> Path:
    """The key and the certificate as Java wants them."""
    if method == "rsa":
        own, name = load_pem_private_key((KEYS / "rsa_key.pem").read_bytes(), None), "rsa.pem"
    else:
        own, name = key(), "client.pem"
    certificate = x509.load_pem_x509_certificate((KEYS / name).read_bytes())
    assert isinstance(own, (RSAPrivateKey, EllipticCurvePrivateKey))
    file = directory / "alice.p12"
    file.write_bytes(pkcs12.serialize_key_and_certificates(b"alice", own, certificate, None, PROTECTED))
    return file


@pytest.fixture(scope="module")
def npm() -> list[str | Path]:
    """The command of its client."""
    modules = fetched(by_npm, NPM_SOAP)
    return ["env", f"NODE_PATH={modules}", "NODE_NO_WARNINGS=1", "node", CLIENTS / "signing.js"]


@pytest.mark.parametrize("version", VERSIONS)
def test_npm_signs(npm: list[str | Path], device: str, version: str) -> None:
    check(said_by([*npm, device.removesuffix("/device"), *RSA, version]), "FailedCheck")


@pytest.mark.parametrize(
    "toolkit", ["zeep", pytest.param("gsoap", marks=needs_gsoap), "npm", pytest.param("cxf", marks=needs_java)]
)
def test_wrapping(toolkit: str, device: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Wrapping attacks XSW1 to 8 and one more, made from each client's message, are refused; then the message itself is
    accepted."""
    with recorded(device.removesuffix("/device")) as (origin, posted):
        said_by(command(toolkit, origin, tmp_path, request), PYTHONPATH=str(fetched(by_pip, PIP_XMLSEC)))
    assert len(posted) >= 2
    for media_type, octets in posted[:2]:  # the last one of each client is refused
        with Engine(built(APPS / "signed").image, unix_s=int(time.time())) as engine:
            for kind, name in product(KINDS, ("", "other", None)):
                root = wrapped(octets, kind, "99")
                if name != "":
                    renamed(root, "99", name)
                told = ask(engine, http("/device", etree.tostring(root), f"Content-Type: {media_type}"))
                assert told.status == 500 and b"Fault" in told.body, (kind, name, told)
            told = ask(engine, http("/device", octets, f"Content-Type: {media_type}"))
            assert told.status == 200 and b"calls>1<" in told.body, told


def command(toolkit: str, origin: str, scratch: Path, request: pytest.FixtureRequest) -> list[str | Path]:
    if toolkit == "zeep":
        return [sys.executable, CLIENTS / "signing.py", origin, *RSA, "1.1"]
    if toolkit == "gsoap":
        return [request.getfixturevalue("client"), f"{origin}/device", *RSA]
    if toolkit == "npm":
        return [*request.getfixturevalue("npm"), origin, *RSA, "1.2"]
    return [*request.getfixturevalue("cxf"), f"{origin}/device", "1.1", store(scratch, "ecdsa"), "ecdsa"]
