# SPDX-License-Identifier: MIT
"""A certificate and its key are read, or refused with the reason for which a client would refuse them."""

import re
import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import ExtendedKeyUsageOID

from tests.certificate.made import PEM, make, write
from whit.certificate import chain, places
from whit.errors import WhitError

DER = serialization.Encoding.DER


def test_the_message(tmp_path):
    """RFC 8446, section 4.4.2: the device's first, then each issuer's; a root is not sent."""
    root = make("root")
    between = make("between", issuer=root)
    device = make(issuer=between)
    read = chain.read_chain(write(tmp_path, device, between, root))
    left = read.message
    assert left[0] == 11 and int.from_bytes(left[1:4], "big") == len(left) - 4
    assert left[4] == 0 and int.from_bytes(left[5:8], "big") == len(left) - 8
    left, found = left[8:], []
    while left:
        end = 3 + int.from_bytes(left[:3], "big")
        found.append(left[3:end])
        assert left[end : end + 2] == b"\0\0"
        left = left[end + 2 :]
    assert found == [one.certificate.public_bytes(DER) for one in (device, between)]


def test_one_of_its_own_is_sent(tmp_path):
    device = make()
    read = chain.read_chain(write(tmp_path, device))
    assert read.message.endswith(device.certificate.public_bytes(DER) + b"\0\0")
    assert read.names == ("localhost",) and not read.ends_soon()
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", read.fingerprint)


def refused(tmp_path, *made):
    with pytest.raises(WhitError) as error:
        chain.read_chain(write(tmp_path, *made))
    return str(error.value)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"kind": "rsa"}, "its key is of RSA: expected a key of P-256"),
        ({"kind": "ed25519"}, "its key is of Ed25519: expected a key of P-256"),
        ({"kind": "p384"}, "its key is of secp384r1: expected a key of P-256"),
        ({"begin": -9, "end": -2}, r"device was valid until \d{4}-\d\d-\d\d: expected one that is valid now"),
        ({"begin": 5}, r"device is valid from \d{4}-\d\d-\d\d on: expected one that is valid now"),
        ({"alternatives": ()}, "it has no subjectAltName, without which browsers take no certificate"),
        ({"use": ExtendedKeyUsageOID.CLIENT_AUTH}, "not for a server: expected the extended key usage serverAuth"),
        ({"alternatives": tuple(f"{'a' * 60}{i}.local" for i in range(120))}, "expected at most 8192"),
    ],
)
def test_what_clients_would_refuse(tmp_path, what, said):
    assert re.search(said, refused(tmp_path, make(**what)))


def test_the_order(tmp_path):
    root = make("root")
    between = make("between", issuer=root)
    device = make(issuer=between)
    assert "certificate 2, root, is not the issuer of device" in refused(tmp_path, device, root, between)
    assert "certificate 2, device, is not the issuer of between" in refused(tmp_path, between, device)
    posing = make("between")  # the name, without the key
    assert "certificate 2, between, is not the issuer of device" in refused(tmp_path, device, posing)
    ended = make("between", issuer=root, begin=-9, end=-1)
    assert "between was valid until" in refused(tmp_path, make(issuer=ended), ended)


def test_no_certificate(tmp_path):
    made = write(tmp_path, make())
    made.write_bytes((tmp_path / "key.pem").read_bytes())
    with pytest.raises(WhitError, match="this is a key: expected a certificate, PEM"):
        chain.read_chain(made)
    with pytest.raises(WhitError, match="No such file or directory: expected a certificate"):
        chain.read_chain(tmp_path / "nowhere.pem")


def test_the_key(tmp_path):
    device = make()
    read = chain.read_chain(write(tmp_path, device))
    key = chain.read_key(tmp_path / "key.pem")
    assert int.from_bytes(key, "big") == device.key.private_numbers().private_value and len(key) == 32
    chain.check_match(read, tmp_path / "key.pem", key)
    with pytest.raises(WhitError, match=r"key\.pem: not the key of "):
        chain.check_match(chain.read_chain(write(tmp_path / "other", make())), tmp_path / "key.pem", key)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_may_read(tmp_path, mode):
    write(tmp_path, make(), mode=mode)
    with pytest.raises(WhitError, match="others may read it, and so have the key: expected mode 0600"):
        chain.read_key(tmp_path / "key.pem")


def test_a_key_that_git_tracks(tmp_path):
    write(tmp_path, make())
    for words in (["init", "-q"], ["add", "key.pem"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    with pytest.raises(WhitError, match="git tracks it"):
        chain.read_key(tmp_path / "key.pem")


def test_keys_of_other_kinds(tmp_path):
    device = make()
    path = tmp_path / "key.pem"
    locked = device.key.private_bytes(
        PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")
    )
    for pem, said in (
        (make(kind="rsa").key_pem, "its key is of RSA: expected a key of P-256"),
        (make(kind="p384").key_pem, "its key is of secp384r1"),
        (locked, "it is encrypted, and a device knows no password"),
        (device.pem, "expected a private key, PEM"),
    ):
        with pytest.raises(WhitError, match=said):
            chain.scalar_of(path, pem)
    old = device.key.private_bytes(PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    assert chain.scalar_of(path, old) == chain.scalar_of(path, device.key_pem)


def test_names_in_letters_of_all_languages_keep_apart():
    """The key of one application is not another's."""
    assert len({places.directory_of(name) for name in ("größe", "grüße", "gr-e")}) == 3
    assert places.directory_of("a/../b").parent == places.THERE
