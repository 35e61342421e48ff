# SPDX-License-Identifier: MIT
"""The same calls with WS-Security, each newly made: a UsernameToken with a digest, or signed Body and Timestamp.

ECDSA's value is r and s, as in XML Signature. gSOAP's plugin expects DER, and gets it.
"""

import base64
import hashlib
import os
import time
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from whit.paths import BUILD, ROOT
from whit_lab.experiments.services.messages import ENVELOPE, posted

DIGEST, SIGNED, RSA = "digest", "signed", "rsa"
NAME, PASSWORD = "alice", "secret"
WHAT = {
    DIGEST: "a UsernameToken with a digest",
    SIGNED: "Body and Timestamp signed by ECDSA",
    RSA: "Body and Timestamp signed by RSA",
}
SECONDS = 300  # lifetime of a Timestamp
DEVICE, PLACE = ROOT / "lab" / "device", BUILD / "lab" / "secured"
BUFFER = 8192  # bytes: room for a signed message in several segments, and for its stored parts
_MARKS = count(10_000)  # numbers in Ids: two messages of one second differ
SCALAR = 0x5EED_0123_4567_89AB_CDEF_0123_4567_89AB_CDEF_0123_4567_89AB  # of a key that protects nothing
_WSS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_WSSE, _WSU = f"{_WSS}wssecurity-secext-1.0.xsd", f"{_WSS}wssecurity-utility-1.0.xsd"
_SOAP, _DS = "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2000/09/xmldsig#"
_EXC = "http://www.w3.org/2001/10/xml-exc-c14n#"
_DIGEST_TYPE = f"{_WSS}username-token-profile-1.0#PasswordDigest"
_BASE64 = f"{_WSS}soap-message-security-1.0#Base64Binary"
_HEADER = (
    '<SOAP-ENV:Header><wsse:Security xmlns:wsse="{wsse}" SOAP-ENV:mustUnderstand="1">{inner}</wsse:Security>'
    "</SOAP-ENV:Header>"
)
_TIMESTAMP = (
    '<wsu:Timestamp{space} wsu:Id="Time{mark}"><wsu:Created>{created}</wsu:Created><wsu:Expires>{expires}</wsu:Expires>'
    "</wsu:Timestamp>"
)
_BODY = '<SOAP-ENV:Body{space} wsu:Id="Body{mark}">{call}</SOAP-ENV:Body>'
_REFERENCE = (
    '<ds:Reference URI="#{name}{mark}"><ds:Transforms><ds:Transform Algorithm="{exc}"></ds:Transform></ds:Transforms>'
    '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>'
    "<ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>"
)
_INFO = (
    '<ds:SignedInfo{space}><ds:CanonicalizationMethod Algorithm="{exc}"></ds:CanonicalizationMethod>'
    '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#{method}-sha256"></ds:SignatureMethod>{references}</ds:SignedInfo>'
)


def application(security: str) -> Path:
    """Returns a copy of lab/device whose functions require this security."""
    copy = PLACE / f"device-{security}"
    copy.mkdir(parents=True, exist_ok=True)
    for path in DEVICE.iterdir():
        word = DIGEST if security == DIGEST else SIGNED
        write(copy / path.name, path.read_text().replace('as="soap"', f'as="soap" security="{word}"'))
    proof = f'password = "file:{_password()}"' if security == DIGEST else f'certificate = "{certificate(security)}"'
    settings = (DEVICE / "app.toml").read_text().replace("buffer = 2048", f"buffer = {BUFFER}")
    write(copy / "app.toml", f"{settings}\n[keys.{NAME}]\n{proof}\n")
    return copy


def asked(security: str) -> tuple[object, ...]:
    """Returns the arguments by which gSOAP's server demands this security."""
    return (DIGEST,) if security == DIGEST else (SIGNED, certificate(security))


def certificate(security: str = SIGNED) -> Path:
    """Returns the caller's certificate as PEM. ECDSA's is kept on disk; RSA's is made once per process, with its
    key."""
    file, name = PLACE / f"alice-{security}.pem", x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    if security == RSA or not file.exists():
        key, now = _rsa_key() if security == RSA else _key(), datetime.now(UTC)
        made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=3650))
        write(file, made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM).decode())
    return file


def _password() -> Path:
    file = PLACE / "alice.password"
    write(file, PASSWORD)
    file.chmod(0o600)
    return file


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(SCALAR, ec.SECP256R1())


@cache
def _rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def write(file: Path, text: str) -> None:
    """Writes a file. An equal file keeps its time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def message(call: str, target: str, host: str, security: str, *, der: bool = False) -> bytes:
    """Returns a POST on a connection of its own. der: encoding of the signature's value."""
    parts = _digest(call) if security == DIGEST else _signed(call, security, der)
    return posted(_envelope(*parts), target, host)


def body(call: str) -> bytes:
    """Returns the signed message alone."""
    return _envelope(*_signed(call, SIGNED, False))


def _envelope(header: str, inner: str) -> bytes:
    space = f' xmlns:wsu="{_WSU}" xmlns:ds="{_DS}"'
    return ENVELOPE.format(more=space, header=_HEADER.format(wsse=_WSSE, inner=header), body=inner).encode()


def _digest(call: str) -> tuple[str, str]:
    nonce, created = os.urandom(20), _at(time.time())
    digest = hashlib.sha1(nonce + created.encode() + PASSWORD.encode()).digest()
    token = (
        f'<wsse:UsernameToken><wsse:Username>{NAME}</wsse:Username><wsse:Password Type="{_DIGEST_TYPE}">'
        f'{_text(digest)}</wsse:Password><wsse:Nonce EncodingType="{_BASE64}">{_text(nonce)}</wsse:Nonce>'
        f"<wsu:Created>{created}</wsu:Created></wsse:UsernameToken>"
    )
    return token, f"<SOAP-ENV:Body>{call}</SOAP-ENV:Body>"


def _signed(call: str, security: str, der: bool) -> tuple[str, str]:
    """Returns the signed parts. Their text is canonical, except for namespaces that are declared above."""
    now, mark = time.time(), next(_MARKS)
    times = {"mark": mark, "created": _at(now), "expires": _at(now + SECONDS)}
    wsu, soap, ds = f' xmlns:wsu="{_WSU}"', f' xmlns:SOAP-ENV="{_SOAP}"', f' xmlns:ds="{_DS}"'
    own = call.replace(">", ' xmlns:ns="urn:whit:device">', 1)
    forms = {
        "Time": _TIMESTAMP.format(space=wsu, **times),
        "Body": _BODY.format(space=soap + wsu, mark=mark, call=own),
    }
    references = "".join(
        _REFERENCE.format(name=name, mark=mark, exc=_EXC, digest=_text(hashlib.sha256(form.encode()).digest()))
        for name, form in forms.items()
    )
    what = {"exc": _EXC, "method": "rsa" if security == RSA else "ecdsa", "references": references}
    form, info = (_INFO.format(space=space, **what) for space in (ds, ""))
    value = _text(_by_rsa(form.encode()) if security == RSA else _by_ecdsa(form.encode(), der))
    signature = f"<ds:Signature>{info}<ds:SignatureValue>{value}</ds:SignatureValue></ds:Signature>"
    return _TIMESTAMP.format(space="", **times) + signature, _BODY.format(space="", mark=mark, call=call)


def _by_ecdsa(form: bytes, der: bool) -> bytes:
    value = _key().sign(form, ec.ECDSA(hashes.SHA256()))
    numbers = utils.decode_dss_signature(value)
    return value if der else b"".join(number.to_bytes(32, "big") for number in numbers)


def _by_rsa(form: bytes) -> bytes:
    return _rsa_key().sign(form, padding.PKCS1v15(), hashes.SHA256())


def _text(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def _at(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
