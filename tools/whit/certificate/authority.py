# SPDX-License-Identifier: MIT
"""A private authority of this machine, and the certificates that it gives to devices. A browser that trusts it shows
its padlock. Who has the authority's key can pose as whatever it may certify; so it may certify private addresses and
the names of private networks only."""

import ipaddress
import os
import re
import secrets
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from whit.certificate import places
from whit.certificate.chain import Chain, read_chain
from whit.errors import WhitError

DAYS = 820  # Apple's systems take no certificate of more than 825
AUTHORITY_DAYS = 3650
NAMES = ("localhost", "127.0.0.1")
# RFC 6761, RFC 6762, RFC 8375, and usual local domains.
DOMAINS = ("localhost", "local", "home.arpa", "internal", "lan", "home", "test")
# RFC 1122, RFC 1918, RFC 3927, RFC 6598.
NETWORKS = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10")
_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"  # RFC 1123 2.1: no hyphen at either end
_EARLIER = timedelta(hours=1)  # clocks differ


@dataclass(frozen=True)
class Authority:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def authority() -> Authority:
    """Returns this machine's authority; makes one if it is missing or expires too soon."""
    with places.locked():
        return _authority()


def _authority() -> Authority:
    path, key_path = (places.THERE / name for name in (places.AUTHORITY, places.AUTHORITY_KEY))
    if path.exists() and key_path.exists():
        places.check_secret(key_path)
        try:
            certificate = x509.load_pem_x509_certificate(path.read_bytes())
            key = serialization.load_pem_private_key(key_path.read_bytes(), password=None)
        except (ValueError, TypeError):
            raise WhitError(
                f"{path}: expected the private authority; remove it and its key to make a new one"
            ) from None
        if certificate.not_valid_after_utc > datetime.now(UTC) + timedelta(days=DAYS):
            assert isinstance(key, ec.EllipticCurvePrivateKey)
            return Authority(certificate, key)
    made = _new_authority()
    places.write_secret(key_path, _pem(made.key))
    places.write(path, made.certificate.public_bytes(serialization.Encoding.PEM))
    return made


def new(certificate: Path, key_path: Path, name: str, names: Sequence[str], issuer: Authority, days: int) -> Chain:
    """Makes a certificate, for the existing key or a new one."""
    wanted = tuple(dict.fromkeys((*NAMES, *names)))
    for one in wanted:
        _check_name(one)
    if key_path.exists():
        places.check_secret(key_path)
        key = serialization.load_pem_private_key(key_path.read_bytes(), password=None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise WhitError(f"{key_path}: expected a key of P-256; remove it, and a new one is made")
    else:
        key = ec.generate_private_key(ec.SECP256R1())
        places.write_secret(key_path, _pem(key))
    made = _certificate(key, name, wanted, days, issuer)
    places.write(certificate, made.public_bytes(serialization.Encoding.PEM))
    return read_chain(certificate)


def _new_authority() -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    whose = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:40]
    name = _name(f"Whit on {whose} {secrets.token_hex(2)}")
    permitted: list[x509.GeneralName] = [x509.DNSName(one) for one in DOMAINS]
    permitted += [x509.IPAddress(ipaddress.IPv4Network(one)) for one in NETWORKS]
    certificate = (
        _builder(name, name, key.public_key(), AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def _certificate(
    key: ec.EllipticCurvePrivateKey, name: str, names: Iterable[str], days: int, issuer: Authority
) -> x509.Certificate:
    """Returns a certificate as short as browsers accept: each client receives it."""
    alternatives = x509.SubjectAlternativeName(
        [x509.IPAddress(ipaddress.IPv4Address(one)) if _is_address(one) else x509.DNSName(one) for one in names]
    )
    from_issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())
    return (
        _builder(_name(name), issuer.certificate.subject, key.public_key(), days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(alternatives, critical=False)
        .add_extension(from_issuer, critical=False)
        .sign(issuer.key, hashes.SHA256())
    )


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    begin = datetime.now(UTC).replace(microsecond=0) - _EARLIER
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(int.from_bytes(os.urandom(8), "big") >> 1 | 1)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=days))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def certifies(name: str) -> bool:
    """True if this machine's authority may certify the name."""
    if _is_address(name):
        address = ipaddress.IPv4Address(name)
        return any(address in ipaddress.IPv4Network(one) for one in NETWORKS)
    return any(name == one or name.endswith(f".{one}") for one in DOMAINS)


def _is_address(name: str) -> bool:
    try:
        ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


def _check_name(name: str) -> None:
    if not re.fullmatch(rf"{_LABEL}(\.{_LABEL})*", name) or len(name) > 253:
        raise WhitError(f"{name}: expected an IPv4 address, or a DNS name in lower case, such as lamp.lan")
    if not certifies(name):
        raise WhitError(
            f"{name}: this machine's authority certifies private addresses, and names that end in "
            f".{', .'.join(DOMAINS[1:])}; for others ask a public one, and ./whit cert import takes what it gave"
        )
