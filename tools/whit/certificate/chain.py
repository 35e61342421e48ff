# SPDX-License-Identifier: MIT
"""A certificate with those of its issuers, as a server sends it, and its key. What a client would refuse is refused
here, with the reason."""

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from whit.certificate.places import check_secret
from whit.errors import WhitError
from whit.plain_files import SECRETS_MAX, octets_of

MESSAGE_MAX = 8192  # octets of a Certificate message: more would be kilobytes for each client
CERTIFICATE_MESSAGE = 11  # RFC 8446, section 4.4.2
KEY_LEN = 32
SOON = timedelta(days=30)


@dataclass(frozen=True)
class Chain:
    """The device's own first, then each one's issuer."""

    path: Path
    certificates: tuple[x509.Certificate, ...]

    @property
    def own(self) -> x509.Certificate:
        return self.certificates[0]

    @property
    def message(self) -> bytes:
        """The Certificate message, with its header. A root is known to who trusts it, and not sent."""
        sent = [one for one in self.certificates if one is self.own or not _is_root(one)]
        entries = b"".join(_vector(3, one.public_bytes(serialization.Encoding.DER)) + _vector(2, b"") for one in sent)
        return bytes([CERTIFICATE_MESSAGE]) + _vector(3, _vector(1, b"") + _vector(3, entries))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, as browsers show it."""
        digest = hashlib.sha256(self.own.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))

    @property
    def thumbprint(self) -> str:
        """SHA-1 of the certificate in base64, as WS-Security names it."""
        return b64encode(hashlib.sha1(self.own.public_bytes(serialization.Encoding.DER)).digest()).decode()

    @property
    def names(self) -> tuple[str, ...]:
        """DNS names and addresses that it is valid for."""
        names = self.own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        addresses = names.get_values_for_type(x509.IPAddress)
        return (*names.get_values_for_type(x509.DNSName), *map(str, addresses))

    @property
    def public_point(self) -> bytes:
        key = self.own.public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def ends_soon(self) -> bool:
        return self.own.not_valid_after_utc - datetime.now(UTC) < SOON


def read_chain(path: Path) -> Chain:
    """Reads a chain of certificates. WhitError: it cannot be read, or clients would refuse it."""
    chain = Chain(path, load(path))
    _check_order(chain)
    _check_own(chain)
    for one in chain.certificates:
        _check_dates(path, one)
    if len(chain.message) > MESSAGE_MAX:
        raise WhitError(
            f"{path}: the chain has {len(chain.message)} bytes, which each client gets: expected at most {MESSAGE_MAX}"
        )
    return chain


def load(path: Path) -> tuple[x509.Certificate, ...]:
    """Returns the certificates of the file, at least one. WhitError: the file has no certificate."""
    try:
        octets = octets_of(path, SECRETS_MAX)
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}: expected a certificate, PEM") from None
    try:
        return tuple(x509.load_pem_x509_certificates(octets))
    except ValueError as error:
        what = "this is a key" if b"PRIVATE KEY-----" in octets else str(error).partition(". See")[0]
        raise WhitError(f"{path}: {what}: expected a certificate, PEM (-----BEGIN CERTIFICATE-----)") from None


def read_key(path: Path) -> bytes:
    """The scalar, 32 octets. WhitError: others may read it, or it is of another kind."""
    check_secret(path)
    try:
        pem = octets_of(path, SECRETS_MAX)
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}: expected a private key, PEM") from None
    return scalar_of(path, pem)


def scalar_of(path: Path, pem: bytes) -> bytes:
    """Returns the scalar of the private key in `pem`. `path` is for messages."""
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except TypeError:
        way_out = f"openssl pkey -in {path} -out key.pem takes the password off"
        raise WhitError(f"{path}: it is encrypted, and a device knows no password; {way_out}") from None
    except ValueError:
        raise WhitError(f"{path}: expected a private key, PEM (-----BEGIN PRIVATE KEY-----)") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise WhitError(f"{path}: {_kind(key)}: {_EXPECTED}")
    return key.private_numbers().private_value.to_bytes(KEY_LEN, "big")


def check_match(chain: Chain, key_path: Path, key: bytes) -> None:
    """The key is the certificate's."""
    public = ec.derive_private_key(int.from_bytes(key, "big"), ec.SECP256R1()).public_key()
    if public.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint) != (
        chain.public_point
    ):
        raise WhitError(f"{key_path}: not the key of {chain.path}: expected the one that it was made with")


_EXPECTED = "expected a key of P-256, which openssl ecparam -genkey -name prime256v1 makes"


def _check_own(chain: Chain) -> None:
    key = chain.own.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
        raise WhitError(f"{chain.path}: {_kind(key)}: {_EXPECTED}")
    extensions = chain.own.extensions
    try:
        extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        message = "it has no subjectAltName, without which browsers take no certificate"
        raise WhitError(f"{chain.path}: {message}: expected the device's names and addresses there") from None
    try:
        uses = extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        uses = None
    if uses is not None and ExtendedKeyUsageOID.SERVER_AUTH not in uses:
        raise WhitError(f"{chain.path}: not for a server: expected the extended key usage serverAuth")
    try:
        usage = extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        usage = None
    if usage is not None and not usage.digital_signature:
        raise WhitError(f"{chain.path}: its key may not sign: expected the key usage digitalSignature")


def _check_dates(path: Path, one: x509.Certificate) -> None:
    now = datetime.now(UTC)
    if one.not_valid_after_utc < now:
        end = f"{one.not_valid_after_utc:%Y-%m-%d}"
        raise WhitError(f"{path}: {named(one.subject)} was valid until {end}: expected one that is valid now")
    if one.not_valid_before_utc > now + timedelta(days=1):  # clocks differ
        begin = f"{one.not_valid_before_utc:%Y-%m-%d}"
        raise WhitError(f"{path}: {named(one.subject)} is valid from {begin} on: expected one that is valid now")


def _check_order(chain: Chain) -> None:
    for number, (one, issuer) in enumerate(zip(chain.certificates, chain.certificates[1:], strict=False), 2):
        try:
            one.verify_directly_issued_by(issuer)
        except (ValueError, TypeError, InvalidSignature):
            raise WhitError(
                f"{chain.path}: certificate {number}, {named(issuer.subject)}, is not the issuer of "
                f"{named(one.subject)}: expected the device's own first, then each one's issuer"
            ) from None


def named(name: x509.Name) -> str:
    """Returns the name in readable form."""
    names = name.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(names[0].value) if names else name.rfc4514_string() or "a certificate without a name"


def _is_root(one: x509.Certificate) -> bool:
    return one.subject == one.issuer


def _kind(key: object) -> str:
    if isinstance(key, ec.EllipticCurvePublicKey | ec.EllipticCurvePrivateKey):
        return f"its key is of {key.curve.name}"
    name = type(key).__name__.lower()
    for kind in ("rsa", "ed25519", "ed448", "dsa"):
        if kind in name:
            return f"its key is of {kind.upper() if kind in ('rsa', 'dsa') else kind.capitalize()}"
    return "its key is of another kind"


def _vector(size: int, octets: bytes) -> bytes:
    return len(octets).to_bytes(size, "big") + octets
