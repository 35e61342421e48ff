# SPDX-License-Identifier: MIT
"""`whit cert`: this machine's authority, its certificates, and imported certificates."""

import io
import shutil
import subprocess
import threading
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from rich.console import Console

from tests.certificate.made import make, write
from tests.compiler.support import make_app
from whit.certificate import authority, chain, places
from whit.commands import cert
from whit.errors import WhitError
from whit.paths import ROOT


@pytest.fixture
def app(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "THERE", tmp_path / "https")
    return make_app(tmp_path / "lamp", {"index.html": "x"})


def said(do, *arguments):
    console = Console(file=io.StringIO(), width=200)
    do(*arguments, {}, console)
    return console.file.getvalue()


def verified(certificate, *names):
    """Verifies by OpenSSL, which obeys the constraints of the authority."""
    for name in names:
        kind = "-verify_ip" if name[0].isdigit() else "-verify_hostname"
        command = [
            "openssl",
            "verify",
            "-CAfile",
            places.THERE / "ca.pem",
            "-purpose",
            "sslserver",
            kind,
            name,
            certificate,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_new(app):
    text = said(cert.new, str(app), ["lamp.local"], 100)
    there = places.THERE / "lamp"
    assert "lamp: valid for localhost, lamp.local, 127.0.0.1, 10.7.0.2 until " in text
    assert chain.read_chain(there / "certificate.pem").fingerprint in text
    assert said(cert.show, str(app)) == text
    assert {(there / "key.pem").stat().st_mode & 0o777, (places.THERE / "ca-key.pem").stat().st_mode & 0o777} == {0o600}
    assert there.stat().st_mode & 0o777 == 0o700
    chain.check_match(chain.read_chain(there / "certificate.pem"), there, chain.read_key(there / "key.pem"))
    verified(there / "certificate.pem", "localhost", "lamp.local", "127.0.0.1", "10.7.0.2")
    assert len(chain.read_chain(there / "certificate.pem").message) < 480


def test_again(app):
    """A certificate that ends is renewed with the key that devices have, by the authority that browsers trust."""
    said(cert.new, str(app), [], 100)
    key, ca = (places.THERE / "lamp" / "key.pem").read_bytes(), (places.THERE / "ca.pem").read_bytes()
    said(cert.new, str(app), ["lamp.lan"], 200)
    assert (places.THERE / "lamp" / "key.pem").read_bytes() == key and (places.THERE / "ca.pem").read_bytes() == ca
    read = chain.read_chain(places.THERE / "lamp" / "certificate.pem")
    assert "lamp.lan" in read.names
    assert read.own.not_valid_after_utc > datetime.now(UTC) + timedelta(days=198)


def test_what_the_authority_may_do(app):
    """The authority's key cannot sign for a site of the Internet, even if stolen."""
    own = authority.authority()
    constraints = own.certificate.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    for name in ("example.com", "8.8.8.8", "locals", "notlocal.com"):
        with pytest.raises(WhitError, match="certifies private addresses"):
            said(cert.new, str(app), [name], 100)
    with pytest.raises(WhitError, match="expected an IPv4 address, or a DNS name in lower case"):
        said(cert.new, str(app), ["Lamp.local"], 100)
    for name in ("-x.lan", "x-.lan", "a.-.lan"):
        with pytest.raises(WhitError, match="or a DNS name in lower case"):
            said(cert.new, str(app), [name], 100)
    forged = authority._certificate(authority.ec.generate_private_key(authority.ec.SECP256R1()), "x", ["a.com"], 9, own)
    path = places.THERE / "forged.pem"
    path.write_bytes(forged.public_bytes(authority.serialization.Encoding.PEM))
    with pytest.raises(AssertionError, match="permitted subtree violation"):
        verified(path, "a.com")


def test_import(app, tmp_path):
    root = make("root")
    given = make(issuer=root)
    path = write(tmp_path / "given", given, root)
    text = said(cert.import_, str(app), path, tmp_path / "given" / "key.pem")
    assert "given by root" in text and "padlock" not in text
    there = places.THERE / "lamp"
    assert (there / "certificate.pem").read_bytes() == path.read_bytes()
    assert chain.read_key(there / "key.pem") == chain.read_key(tmp_path / "given" / "key.pem")
    with pytest.raises(WhitError, match="another authority gave it"):
        said(cert.new, str(app), [], 100)
    write(tmp_path / "other", make())
    with pytest.raises(WhitError, match="not the key of "):
        said(cert.import_, str(app), path, tmp_path / "other" / "key.pem")
    assert chain.read_key(there / "key.pem") == chain.read_key(tmp_path / "given" / "key.pem")


def test_import_over_another_key(app, tmp_path):
    """An import keeps the previous key under another name, and so does a second import."""
    said(cert.new, str(app), [], 100)
    there = places.THERE / "lamp"
    before = {name: (there / name).read_bytes() for name in ("key.pem", "certificate.pem")}
    for name in ("first", "second"):
        root = make("root")
        path = write(tmp_path / name, make(issuer=root), root)
        text = said(cert.import_, str(app), path, path.with_name("key.pem"))
        assert f"the key that was there is kept: {there}/key.pem." in text
    assert {name: (there / f"{name}.1").read_bytes() for name in before} == before
    assert (there / "key.pem.1").stat().st_mode & 0o777 == 0o600
    assert chain.read_key(there / "key.pem.2") == chain.read_key(tmp_path / "first" / "key.pem")
    again = said(cert.import_, str(app), path, path.with_name("key.pem"))
    assert "kept" not in again and not (there / "key.pem.3").exists()


def test_two_at_once(app, tmp_path):
    """The key belongs to the certificate, whichever command ends last."""
    root = make("root")
    paths = [write(tmp_path / name, make(issuer=root), root) for name in ("a", "b")]
    there = places.THERE / "lamp"
    for _ in range(20):
        threads = [
            threading.Thread(target=said, args=(cert.import_, str(app), path, path.with_name("key.pem")))
            for path in paths
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        key = there / "key.pem"
        chain.check_match(chain.read_chain(there / "certificate.pem"), key, chain.read_key(key))


def test_paths_can_be_pasted_from_anywhere(app, tmp_path, monkeypatch):
    monkeypatch.setattr(places, "THERE", ROOT / "build" / "test-https")
    monkeypatch.chdir(tmp_path)
    try:
        assert f"certificate {ROOT}/build/test-https/lamp/certificate.pem" in said(cert.new, str(app), [], 100)
    finally:
        shutil.rmtree(ROOT / "build" / "test-https", ignore_errors=True)


def test_put_where_nothing_can_be_written(app):
    said(cert.new, str(app), [], 100)
    with pytest.raises(WhitError, match="expected a file in a directory that is there and can be written"):
        cert.put(str(app), places.Path("/nowhere/lamp.bin"), "cortex-m", {"https.port": 443}, Console())


def test_show_without_one(app):
    with pytest.raises(WhitError, match=r"certificate.pem: no such file; ./whit cert new .*lamp makes a certificate"):
        said(cert.show, str(app))


@pytest.mark.parametrize(
    "name", ["lamp/l.bin", "lamp/.l.bin", "other/../lamp/new/l.bin", "lamp/link.bin", "also/l.bin"]
)
def test_an_image_with_the_key_is_not_served(app, tmp_path, name):
    """An image inside the application is refused, as it would be served, key and all. Nothing is written or built."""
    said(cert.new, str(app), [], 100)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "l.bin").touch()
    (tmp_path / "also").symlink_to(app)
    (app / "link.bin").symlink_to(tmp_path / "other" / "l.bin")  # which is replaced, not followed
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(WhitError, match=r"would be served with the application, key and all; give a file outside it"):
        cert.put(str(app), tmp_path / name, "riscv", {"https.port": 443}, None)
    assert sorted(tmp_path.rglob("*")) == before
