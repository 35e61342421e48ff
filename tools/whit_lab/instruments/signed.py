# SPDX-License-Identifier: MIT
"""Instructions of a signed message on a Cortex-M3: lab/signed.c on QEMU, which counts them."""

from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

from whit.compiler import automaton, compile_application
from whit.paths import BUILD, ROOT
from whit_lab.instruments.handshake import count


def instructions(message: bytes, application: Path, certificate: Path) -> int:
    """Returns instructions from the first byte to the last check, except the signature's. application: sets the
    limits."""
    place = BUILD / "lab" / "signed"
    place.mkdir(parents=True, exist_ok=True)
    compile_application(application, place / "generated")
    rows = "\n".join(automaton.build({"http://www.w3.org/XML/1998/namespace": "1"}).rows)
    (place / "uris.h").write_text(rows)
    for name, octets in (("message", message), ("point", _point(certificate))):
        (place / f"{name}.h").write_text(",".join(map(str, octets)))
    sources = (
        *(ROOT / "engine" / name for name in ("core/text.c", "http/xml.c")),
        *sorted((ROOT / "engine" / "wss").glob("*.c")),
    )
    found = count("signed", place, sources, (f"-I{place / 'generated'}",))
    return found["signed"].instructions


def _point(certificate: Path) -> bytes:
    key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    assert isinstance(key, EllipticCurvePublicKey)
    numbers = key.public_numbers()
    return numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
