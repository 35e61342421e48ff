# SPDX-License-Identifier: MIT
"""zeep signs its messages by xmlsec, with its certificate in them or in a separate token, and calls a running image.
Replayed or changed messages are refused."""

import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from tests.toolkits.support import CLIENTS, VERSIONS, fetched, said_by, url_of
from tests.wss.signing import key
from whit.certificate import places
from whit.paths import ROOT
from whit_testbed.toolkits import PIP_XMLSEC, by_pip

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
CERTIFICATE = ROOT / "tests" / "wss" / "client.pem"
RSA = ROOT / "tests" / "wss"
REPLIES = ROOT / "tests" / "apps" / "replies"
TYPES = {"1.1": "text/xml; charset=utf-8", "1.2": "application/soap+xml; charset=utf-8"}


device = url_of(ROOT / "tests" / "apps" / "signed")


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key of the certificate that the application has."""
    known = x509.load_pem_x509_certificate(CERTIFICATE.read_bytes()).public_key()
    assert known == key().public_key()
    file = tmp_path_factory.mktemp("key") / "key.pem"
    form = serialization.PrivateFormat.PKCS8
    file.write_bytes(key().private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return file


# Replies are signed, by the certificate that `./whit run` made.
signer = url_of(REPLIES)


def posted(origin: str, octets: bytes, version: str) -> tuple[int, bytes]:
    connection = HTTPConnection(origin.removeprefix("http://"), timeout=20)
    connection.request("POST", "/device", octets, {"Content-Type": TYPES[version]})
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("rsa", [False, True], ids=["ECDSA", "RSA"])
def test_zeep_signs(device: str, secret: Path, version: str, rsa: bool) -> None:
    own = (RSA / "rsa_key.pem", RSA / "rsa.pem") if rsa else (secret, CERTIFICATE)
    command = [sys.executable, CLIENTS / "signing.py", device, *own, version]
    said = said_by(command, PYTHONPATH=str(fetched(by_pip, PIP_XMLSEC)))
    assert said["levels"] == [40, 41] and said["calls"][1] == said["calls"][0] + 1
    assert len(said["faults"]) == 1 and "MessageExpired" in said["faults"][0]
    octets = said["sent"].encode()
    for again, fault in ((octets, b"wsse:FailedAuthentication"), (octets.replace(b">41<", b">42<"), b"FailedCheck")):
        status, told = posted(device, again, version)
        assert status == 500 and fault in told, told


@pytest.mark.parametrize("version", VERSIONS)
def test_zeep_verifies_replies(signer: str, secret: Path, version: str) -> None:
    """zeep detects each changed bit of a Body."""
    certificate = places.directory_of("replies") / places.CERTIFICATE
    command = [sys.executable, CLIENTS / "signing.py", signer, secret, CERTIFICATE, version, certificate]
    said = said_by(command, PYTHONPATH=str(fetched(by_pip, PIP_XMLSEC)))
    assert said["levels"] == [40, 41] and len(said["faults"]) == 1
    assert said["changed"] > 2000 and said["unseen"] == []
    other = [*command[:-1], CERTIFICATE]
    with pytest.raises(AssertionError, match="SignatureVerificationFailed"):
        said_by(other, PYTHONPATH=str(fetched(by_pip, PIP_XMLSEC)))
