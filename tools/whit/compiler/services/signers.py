# SPDX-License-Identifier: MIT
"""Public keys of callers who sign, as an image holds them: a point of P-256, or a modulus of RSA-2048 with the
constants of Montgomery's multiplication."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whit.certificate import chain
from whit.errors import WhitError
from whit.plain_files import SECRETS_MAX, octets_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes

RSA_EXPONENT = 65537
RSA_BITS = 2048
_WORD = 1 << 32
_EXPECTED = "a key of P-256, or of RSA with 2048 bits and the exponent 65537"


@dataclass(frozen=True)
class Signer:
    """A key of either kind."""

    point: bytes | None = None  # of P-256, both coordinates
    modulus: int = 0  # of RSA


def read(path: Path) -> Signer:
    """Returns the signer of a certificate or of a public key. WhitError: it is of another kind."""
    from cryptography.hazmat.primitives.asymmetric import ec, rsa  # takes long to load

    key = _public(path)
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        point = key.public_numbers()
        return Signer(point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big"))
    if isinstance(key, rsa.RSAPublicKey):
        numbers = key.public_numbers()
        if (key.key_size, numbers.e) == (RSA_BITS, RSA_EXPONENT) and numbers.n % 2:
            return Signer(modulus=numbers.n)
        raise WhitError(f"{path}: RSA of {key.key_size} bits with the exponent {numbers.e}: expected {_EXPECTED}")
    raise WhitError(f"{path}: expected {_EXPECTED}, whose signatures are verified; others are not")


def _public(path: Path) -> PublicKeyTypes:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        octets = octets_of(path, SECRETS_MAX) if path.exists() else b""
        if b"PUBLIC KEY-----" in octets:
            return load_pem_public_key(octets)
        return chain.load(path)[0].public_key()
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}: expected a certificate or a public key, PEM") from None
    except (ValueError, UnsupportedAlgorithm):
        raise WhitError(f"{path}: it cannot be read: expected the public key, PEM, of {_EXPECTED}") from None


def montgomery(modulus: int) -> list[int]:
    """struct whit_rsa_key of include/whit/crypto.h: words, the lowest first."""
    square = (1 << 2 * RSA_BITS) % modulus
    return [*_words(modulus), *_words(square), -pow(modulus, -1, _WORD) % _WORD]


def _words(number: int) -> list[int]:
    return [number >> at & _WORD - 1 for at in range(0, RSA_BITS, 32)]
