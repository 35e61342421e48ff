# SPDX-License-Identifier: MIT
"""Certificates for tests, good ones and bad ones."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PEM = serialization.Encoding.PEM


@dataclass(frozen=True)
class Made:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(PEM)

    @property
    def key_pem(self) -> bytes:
        return self.key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def key_of(kind: str):
    if kind == "rsa":
        return rsa.generate_private_key(65537, 2048)
    if kind == "ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    return ec.generate_private_key({"p256": ec.SECP256R1, "p384": ec.SECP384R1}[kind]())


def make(
    name: str = "device",
    *,
    kind: str = "p256",
    issuer: Made | None = None,
    begin: int = -1,
    end: int = 100,
    alternatives: tuple[str, ...] = ("localhost",),
    use: x509.ObjectIdentifier = ExtendedKeyUsageOID.SERVER_AUTH,
) -> Made:
    """Makes a certificate, self-signed without an issuer. `begin` and `end` are days from now."""
    key = key_of(kind)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + timedelta(days=begin))
        .not_valid_after(now + timedelta(days=end))
        .add_extension(x509.ExtendedKeyUsage([use]), critical=False)
    )
    if alternatives:
        names = x509.SubjectAlternativeName([x509.DNSName(one) for one in alternatives])
        builder = builder.add_extension(names, critical=False)
    signer = issuer.key if issuer else key
    made = builder.sign(signer, None if isinstance(signer, ed25519.Ed25519PrivateKey) else hashes.SHA256())
    return Made(made, key)


def write(directory: Path, made: Made, *issuers: Made, mode: int = 0o600) -> Path:
    """certificate.pem with the chain, and key.pem."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "key.pem").write_bytes(made.key_pem)
    (directory / "key.pem").chmod(mode)
    path = directory / "certificate.pem"
    path.write_bytes(b"".join(one.pem for one in (made, *issuers)))
    return path
