# SPDX-License-Identifier: MIT
"""gSOAP and CXF call running images by WS-Security: with a digest of a password, and with a signature. That of gSOAP is
by RSA: what it makes by ECDSA is in DER, which XML Signature has not."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key, pkcs12
from whit.paths import ROOT
from whit.real import gsoap
from whit.setup.toolkits import MAVEN_CXF, by_maven

from tests.browser.served import served
from tests.toolkits.support import CLIENTS, VERSIONS, fetched, said_by
from tests.wss.signing import key

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
needs_gsoap = pytest.mark.skipif(bool(gsoap.why_not()), reason=gsoap.why_not())
needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
PROTECTED = BestAvailableEncryption(b"changeit")  # Java wants a password
APPS, KEYS = ROOT / "tests" / "apps", ROOT / "tests" / "wss"


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WHIT_TEST_PASSWORD", "secret")
        with served(APPS / "secured", tmp_path_factory.mktemp("data")) as url:
            yield f"{url}lamp"


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(APPS / "signed", tmp_path_factory.mktemp("data")) as url:
        yield f"{url}device"


@pytest.fixture(scope="module")
def client(lamp: str, device: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of what gSOAP's two compilers make of both WSDLs and of its own header of WS-Security."""
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
    check(said_by([client, device, KEYS / "rsa_key.pem", KEYS / "rsa.pem"]), "MessageExpired")


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
    store = tmp_path / "alice.p12"
    if method == "rsa":
        own, name = load_pem_private_key((KEYS / "rsa_key.pem").read_bytes(), None), "rsa.pem"
    else:
        own, name = key(), "client.pem"
    certificate = x509.load_pem_x509_certificate((KEYS / name).read_bytes())
    assert isinstance(own, (RSAPrivateKey, EllipticCurvePrivateKey))
    store.write_bytes(pkcs12.serialize_key_and_certificates(b"alice", own, certificate, None, PROTECTED))
    check(said_by([*cxf, device, "1.1" if method == "rsa" else "1.2", store, method]), "FailedCheck")
