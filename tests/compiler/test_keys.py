# SPDX-License-Identifier: MIT
"""[keys] of app.toml: an author's mistakes, and the places that contain a password afterwards."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.compiler.support import error_of, make_app
from tests.tls.host import identity
from whit.paths import ROOT

PAGE = "<!doctype html><title>Lamp</title>"
ERRORS = [
    ("no table", "keys = 3", "1: keys: expected tables, [keys.NAME]"),
    ("no tables", '[keys]\nalice = "x"', "1: keys: expected tables, [keys.NAME]"),
    ("a long name", f'[keys.{"a" * 33}]\npassword = "env:P"', "expected a name of 1 to 32 bytes, as callers send it"),
    ("a blank", '[keys." a"]\npassword = "env:P"', "expected a name of 1 to 32 bytes"),
    ("an unknown key", '[keys.a]\npasword = "env:P"', "2: unknown key keys.a.pasword: expected password or"),
    ("no password", "[keys.a]", "1: [keys.a] is empty: expected password = "),
    (
        "the password",
        '[keys.a]\npassword = "sesame"',
        '2: keys.a.password: expected its source, "file:PATH" or "env:NAME"',
    ),
    ("a number", "[keys.a]\npassword = 7", "2: keys.a.password: expected its source"),
    ("not set", '[keys.a]\npassword = "env:WHIT_NOBODY"', "2: keys.a.password: WHIT_NOBODY is not set: expected the"),
    (
        "empty",
        '[keys.a]\npassword = "env:EMPTY"',
        "2: keys.a.password: that of EMPTY has 0 bytes: expected 1 to 128",
    ),
    ("no file", '[keys.a]\npassword = "file:../no"', "2: "),
    (
        "inside",
        '[keys.a]\npassword = "file:index.html"',
        "2: index.html is in the application's directory, all of which is served",
    ),
    ("no certificate", '[keys.a]\ncertificate = "../open"', "expected a certificate, PEM"),
    ("an empty path", '[keys.a]\ncertificate = ""', "certificate is '': expected the path of a PEM file"),
    ("a certificate inside", '[keys.a]\ncertificate = "a.pem"', "is in the application's directory"),
    ("for all to read", '[keys.a]\npassword = "file:../open"', "others may read it"),
]


@pytest.mark.parametrize(("text", "expected"), [one[1:] for one in ERRORS], ids=[one[0] for one in ERRORS])
def test_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str) -> None:
    monkeypatch.setenv("EMPTY", "")
    monkeypatch.setenv("P", "p")
    (tmp_path / "open").write_text("sesame")
    (tmp_path / "open").chmod(0o644)
    said = error_of(make_app(tmp_path / "app", {"app.toml": text + "\n", "index.html": PAGE}))
    assert said.startswith("app.toml:") and expected in said
    assert "sesame" not in said and "\n" not in said


OTHERS = [
    ("3072", "RSA of 3072 bits with the exponent 65537: expected a key of P-256, or of RSA with 2048 bits and the"),
    ("e = 3", "RSA of 2048 bits with the exponent 3: expected a key of P-256"),
    (
        "P-384",
        "expected a key of P-256, or of RSA with 2048 bits and the exponent 65537, whose signatures are verified",
    ),
    ("Ed25519", "whose signatures are verified; others are not"),
    ("damaged", "it cannot be read: expected the public key, PEM, of a key of P-256, or of RSA with 2048 bits"),
]


def public(kind: str) -> PublicKeyTypes:
    if kind == "P-384":
        return ec.generate_private_key(ec.SECP384R1()).public_key()
    if kind == "Ed25519":
        return ed25519.Ed25519PrivateKey.generate().public_key()
    exponent, bits = (65537, 3072) if kind == "3072" else (3, 2048)
    return rsa.RSAPublicNumbers(exponent, (1 << bits) - 1).public_key()


@pytest.mark.parametrize(("kind", "expected"), OTHERS, ids=[kind for kind, _ in OTHERS])
def test_keys_of_other_kinds(tmp_path: Path, kind: str, expected: str) -> None:
    pem = b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
    if kind != "damaged":
        pem = public(kind).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "a.pem").write_bytes(pem)
    files = {"app.toml": '[keys.a]\ncertificate = "../a.pem"\n', "index.html": PAGE}
    said = error_of(make_app(tmp_path / "app", files))
    assert said.startswith("app.toml:2: ") and expected in said and "\n" not in said


SIGNED = """// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="give"/>
     <service name="lamp" operation="get" as="soap" security="SECURITY"/>
     <result><value name="level" type="uint8"/></result>
   </generator> */
#include <whit/app.h>
static char give(struct result_t *result) { return (char)(result->level = 1); }
"""
OF_CALLER = f'\n[keys.a]\ncertificate = "{ROOT}/tests/wss/client.pem"\n'
REPLIES = [
    ("nothing signed", "none", "services.sign = true", 'expected a function with security="signed"'),
    ("a path alone", "signed", 'services.key = "../key.pem"', "services.key signs replies: expected services.sign"),
    ("no certificate", "signed", 'services.sign = true\nservices.certificate = "../no.pem"', "no such file: expected"),
    ("its place", "signed", "services.sign = true", "; ./whit cert new "),
    ("inside", "signed", 'services.sign = true\nservices.key = "key.pem"', "all of which is served"),
    ("two", "signed", 'https.certificate = "OF_DEVICE"\nservices.certificate = "../a.pem"', "as a device has one key"),
    ("a number", "signed", "services.sign = 1", "services.sign is 1: expected true or false"),
]


@pytest.mark.parametrize(("security", "text", "said"), [one[1:] for one in REPLIES], ids=[one[0] for one in REPLIES])
def test_replies_told_in_one_line(tmp_path: Path, security: str, text: str, said: str) -> None:
    text = text.replace("OF_DEVICE", str(identity().certificate))
    files = {"app.toml": text + OF_CALLER, "get.c": SIGNED.replace("SECURITY", security)}
    error = error_of(make_app(tmp_path / "app", files))
    assert error.startswith("app.toml:") and said in error and "\n" not in error
