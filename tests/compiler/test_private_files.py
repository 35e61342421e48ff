# SPDX-License-Identifier: MIT
"""Private files by content and by name, ordinary files that resemble them, and the list that allows a file."""

import base64
import codecs
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates

from tests.compiler.support import error_of, make_app
from whit.compiler import compile_application
from whit.compiler.private_contents import looks

RSA = rsa.generate_private_key(65537, 2048)
EC = {name: ec.generate_private_key(curve) for name, curve in (("p256", ec.SECP256R1()), ("p521", ec.SECP521R1()))}
DSA = dsa.generate_private_key(1024)
ED = ed25519.Ed25519PrivateKey.generate()
X = x25519.X25519PrivateKey.generate()
KEYS = {"rsa": RSA, "dsa": DSA, "ed25519": ED, "x25519": X} | EC
DER_KEYS = {
    **{f"{name} pkcs8": (key, PrivateFormat.PKCS8, NoEncryption()) for name, key in KEYS.items()},
    **{f"{name} encrypted": (key, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")) for name, key in KEYS.items()},
    "rsa pkcs1": (RSA, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
    "dsa openssl": (DSA, PrivateFormat.TraditionalOpenSSL, NoEncryption()),
    **{f"{name} sec1": (key, PrivateFormat.TraditionalOpenSSL, NoEncryption()) for name, key in EC.items()},
}
ED_DER = ED.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def certificate(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "device")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1)
    )
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


@pytest.mark.parametrize("kind", DER_KEYS)
def test_a_key_in_der(tmp_path: Path, kind: str) -> None:
    key, form, encryption = DER_KEYS[kind]
    app = make_app(tmp_path / "app", {"index.html": "x", "data.bin": key.private_bytes(Encoding.DER, form, encryption)})
    assert error_of(app).startswith("data.bin: is a private key (DER), and all files here are served: move it out of")


JWK = {"kty": "OKP", "crv": "Ed25519", "x": "AA", "d": "AA"}
PEM = ED.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
PKCS12 = BestAvailableEncryption(b"x")
AGE = "AGE-SECRET-KEY-1" + "Q" * 58


PRIVATE = [
    (json.dumps(JWK), "has a private key in it (JWK)"),
    ("\ufeff " + json.dumps({"keys": [{"kty": "RSA", "n": "AA"}, JWK]}), "has a private key in it (JWK)"),
    (json.dumps({"a": [{"kty": "oct", "k": "AA"}]}), "has a private key in it (JWK)"),
    (f"# created: 2026\n{AGE}\n", "has a private key in it"),
    (b"SQLite format 3\0" + bytes(84), "is a database (SQLite)"),
    ("-- MariaDB dump 10.19\n", "is a dump of a database"),
    ("/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n", "is a dump of a database"),
    ("-- MySQL dump 10.13\n", "is a dump of a database"),
    ("--\n-- PostgreSQL database dump\n--\n", "is a dump of a database"),
    ("--\r\n-- PostgreSQL database cluster dump\r\n", "is a dump of a database"),
    (b"PGDMP\x01\x0e", "is a dump of a database"),
    (PEM.encode("utf-16"), "has a private key in it"),
    (codecs.BOM_UTF16_BE + PEM.encode("utf-16-be"), "has a private key in it"),
    ("[Interface]\nPrivateKey = " + "A" * 43 + "=\nAddress = 10.0.0.1/24\n", "has a private key in it"),
    (base64.encodebytes(ED_DER), "is a private key (DER)"),
    (serialize_key_and_certificates(b"a", RSA, None, None, NoEncryption()), "is a private key (DER)"),
    (base64.b64encode(serialize_key_and_certificates(b"a", RSA, None, None, PKCS12)), "is a private key (DER)"),
    (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x04\0", "is the memory of a program that broke down"),
    (b"\x7fELF\x01\x02\x01" + bytes(9) + b"\0\x04", "is the memory of a program that broke down"),
]


@pytest.mark.parametrize(("content", "said"), PRIVATE, ids=map(str, range(len(PRIVATE))))
def test_private_content(tmp_path: Path, content: str | bytes, said: str) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "data.txt": content})
    way_out = 'move it out of the directory, or allow it in app.toml: [files] with served = ["data.txt"]'
    assert error_of(app) == f"data.txt: {said}, and all files here are served: {way_out}"
    (app / "app.toml").write_text('[files]\nserved = ["data.txt"]\n')
    assert len(compile_application(app, tmp_path / "out").resources) == 2


PUBLIC = {
    "certificate": certificate(RSA),
    "certificate of EC": certificate(EC["p256"]),
    **{
        f"public {name}": key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        for name, key in KEYS.items()
    },
    "public pkcs1": RSA.public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1),
    "SNMP": bytes.fromhex("301e020101041070726976617465207265616c6d3132a007020101020100020100"),
    "digest": bytes.fromhex("3031300d060960864801650304020105000420") + bytes(32),
    "key and more": ED_DER + b"\n",
    "cut key": ED_DER[:-1],
    "PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "font": b"wOF2" + bytes(range(256)),
    "digits": b"0" * 300,
    "d": b'{"a": 1, "d": "x"}',
    "d beside": json.dumps({"kty": "RSA", "n": "AA", "more": {"d": "x"}}).encode(),
    "public JWK": json.dumps({"keys": [{"kty": "EC", "x": "AA", "y": "AA"}]}).encode(),
    "script": b'if (key["kty"] && key["d"]) x = {"kty": "OKP", "d": key}',
    "deep": b'{"kty":' + b"[" * 200_000,
    "of age": b"It begins with AGE-SECRET-KEY-1.",
    "of dumps": b"How to read it: -- MySQL dump\n",
    "of SQLite": b"SQLite format 3 is a file format",
    "empty": b"",
}


@pytest.mark.parametrize("kind", PUBLIC)
def test_what_is_not_private(kind: str) -> None:
    assert looks(PUBLIC[kind]) == ""


def test_no_prefix_of_a_key_is_an_exception() -> None:
    for at in range(len(ED_DER)):
        for octet in (0, 0x7F, 0x80, 0x84, 0xFF):
            looks(ED_DER[:at] + bytes([octet]) + ED_DER[at + 1 :])


def test_large_files_are_not_parsed() -> None:
    started = time.process_time()
    for start in (b"\x30\x83\xff\xff\xfb", b'{"kty": ', b"--\n" * 100, b"\n" * 600):
        assert looks(start + b"[" * (16_000_000 - len(start))) == ""
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "name",
    [
        *("server.key.bak", "server.key~", "key.pem.1", "id_rsa.old", "backup.sql.1", "prod.env.bak", "env.production"),
        *("a/private_key.der", "wp-config.php.orig", "wp-config.php", "pgpass", "_netrc", "site.netrc.save", "my.cnf"),
        *("_htpasswd", "sub/shadow", "secring.gpg", "wallet.dat", "sub/config.php", "nsskey.db", "key4.db"),
        *("Copy of id_rsa", "id_rsa (1)", "server - Copy.key.txt", "dump.sql.txt"),
        *("a.sqlite3.swp", "all.sql.1.gz", "all.sql.xz", "x.pfx.old~"),
    ],
)
def test_a_private_name(tmp_path: Path, name: str) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", name: ""})
    assert error_of(app).startswith(f"{name}: has the name of ")


def test_names_that_are_not_private(tmp_path: Path) -> None:
    names = (
        "a.html~",
        "a.js.1",
        "key.bak.html",
        "keys.pem",
        "public_key.pem",
        "a.env.js",
        "v1.2",
        "envelope.1",
        "a.gz",
    )
    assert (
        len(compile_application(make_app(tmp_path / "app", dict.fromkeys(names, "x")), tmp_path / "out").resources) == 9
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'served = ["nope.key"]',
            "2: files.served: there is no file nope.key; its directory has app.toml, index.html, s.key:",
        ),
        ('served = [\n  "s.key",\n  "S.kye",\n]', "4: files.served: there is no file S.kye: did you mean s.key?"),
        ("served = [\n'a/b.key']", "3: files.served: there is no file a/b.key; its directory has no files:"),
        ('served = ["../x"]', "2: files.served: '../x': expected a name below the application's directory"),
        ('served = ["/etc/passwd"]', "2: files.served: '/etc/passwd': expected a name below"),
        ('served = ["./s.key"]', "2: files.served: './s.key': expected a name below"),
        ('served = [""]', "2: files.served: '': expected a name below"),
        ('served = ["a"]', "2: files.served: there is no file a; its directory has"),
        ('served = [".env"]', "2: files.served: .env: files with a leading dot are not served, even if named here:"),
    ],
)
def test_a_name_in_the_list_that_allows_nothing(tmp_path: Path, text: str, told: str) -> None:
    files = {"index.html": "x", "s.key": "x", ".env": "x", "app.toml": f"[files]\n{text}\n"}
    app = make_app(tmp_path / "app", files)
    (app / "a").mkdir()
    assert error_of(app).startswith(f"app.toml:{told}")


def test_hidden_files_are_named_in_a_hint(tmp_path: Path) -> None:
    harmless = (".git/config", ".gitignore", ".DS_Store", "s/.svn/x", ".hg/x", ".a.html.swp", "._a", ".well-known/x")
    app = make_app(tmp_path / "app", dict.fromkeys(("index.html", *harmless), "x"))
    found = compile_application(app, tmp_path / "out")
    assert not found.hints
    make_app(app, dict.fromkeys((".env", "s/.htaccess", ".ssh/id_rsa"), "x"))
    found = compile_application(app, tmp_path / "out")
    told = "names with a leading dot are not served: .env, .ssh, s/.htaccess; rename what clients read"
    assert found.hints == (f"{app}: {told}",)
    assert [one.path for one in found.resources] == [".well-known/x", "index.html"]
