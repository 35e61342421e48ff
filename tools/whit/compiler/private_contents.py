# SPDX-License-Identifier: MIT
"""Recognises private contents regardless of a file's name: keys (PEM, DER, PKCS #12, JWK, age, WireGuard), databases
and their dumps, and core dumps and logs of a crashed program."""

import base64
import codecs
import json
import re
from collections.abc import Iterator

_KEY = re.compile(rb"-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY( BLOCK)?-----|PuTTY-User-Key-File-")
_AGE = b"AGE-SECRET-KEY-"
_AGE_KEY = re.compile(_AGE + rb"(PQ-)?1[0-9A-Z]{50}")
_WIREGUARD_KEY = re.compile(
    rb"^[ \t]*(PrivateKey|PresharedKey)[ \t]*=[ \t]*[A-Za-z0-9+/]{43}=", re.MULTILINE | re.IGNORECASE
)
_BASE64 = re.compile(rb"[A-Za-z0-9+/\s]+={0,2}\s*")
_SQLITE = b"SQLite format 3\0"
_CORE = re.compile(
    rb"\x7fELF.(?:\x01.{10}\x04\x00|\x02.{10}\x00\x04)", re.DOTALL
)  # e_type ET_CORE, in either order of octets
# Comments without text, and MariaDB's comments for its own client, may precede the title.
_DUMP = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:--[ \t]*\r?\n|/\*M?![^\n]*\n|[ \t]*\r?\n)*"
    rb"-- (?:(?:MariaDB|MySQL) dump|PostgreSQL database (?:cluster )?dump|phpMyAdmin SQL Dump)\b|PGDMP"
)
_START = 512  # bytes that may precede the title of a dump
_JWK_MAX = 1 << 20  # bytes of JSON that are parsed
_DER_MAX = 1 << 16  # bytes of a key
_OF_EC = {(0xA0, 0x06), (0xA0, 0x30), (0xA1, 0x03)}  # parameters and public key: tags, outer and inner
_SEQUENCE, _INTEGER, _OCTETS, _OID = 0x30, 0x02, 0x04, 0x06
# 1.2.840.113549.1.5 (PKCS #5) and 1.2.840.113549.1.12.1 (PKCS #12): encryption by a password
_PASSWORD_BASED = (bytes.fromhex("2a864886f70d0105"), bytes.fromhex("2a864886f70d010c01"))
_PKCS7 = bytes.fromhex("2a864886f70d0107")


def looks(content: bytes) -> str:
    """Returns the kind of private content; empty: not private."""
    text = _utf_8(content)
    if _KEY.search(text) or (_AGE in text and _AGE_KEY.search(text)) or _WIREGUARD_KEY.search(text):
        return "has a private key in it"
    if _is_der_key(content) or _is_der_key(_of_base64(text)):
        return "is a private key (DER)"
    if _CORE.match(content):
        return "is the memory of a program that broke down"
    if _has_jwk(content):
        return "has a private key in it (JWK)"
    if content.startswith(_SQLITE):
        return "is a database (SQLite)"
    return "is a dump of a database" if _DUMP.match(content[:_START]) else ""


def _utf_8(content: bytes) -> bytes:
    """Returns text with a byte order mark of UTF-16 as UTF-8, other content unchanged."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace").encode("utf-8", "replace")
    return content


def _of_base64(text: bytes) -> bytes:
    """Returns the decoded content of a file that is base64 (RFC 4648) alone; empty: it is not."""
    if not 16 <= len(text) <= 2 * _DER_MAX or not _BASE64.fullmatch(text):
        return b""
    try:
        return base64.b64decode(b"".join(text.split()), validate=True)
    except ValueError:
        return b""


def _is_der_key(content: bytes) -> bool:
    """True for PKCS #8 (RFC 5958), encrypted or not; PKCS #12 (RFC 7292), RSAPrivateKey (RFC 8017), ECPrivateKey
    (RFC 5915), and DSA as OpenSSL writes it."""
    if not 16 <= len(content) <= _DER_MAX or content[0] != _SEQUENCE:
        return False
    try:
        ((_, body),) = _elements(content)
        parts = list(_elements(body))
        tags = [tag for tag, _ in parts]
        firsts = [(tag, *value[:1]) for tag, value in parts]
        if tags == [_SEQUENCE, _OCTETS]:
            return _algorithm(parts[0][1]).startswith(_PASSWORD_BASED)
        if tags[:2] == [_INTEGER, _SEQUENCE] and parts[0][1] == b"\3":
            return _algorithm(parts[1][1]).startswith(_PKCS7)
        if tags[:1] != [_INTEGER] or parts[0][1] not in (b"\0", b"\1"):
            return False
        if tags[1:3] == [_SEQUENCE, _OCTETS]:
            return bool(_algorithm(parts[1][1])) and set(tags[3:]) <= {0xA0, 0x81, 0xA1}
        if tags[1:2] == [_OCTETS]:
            return parts[0][1] == b"\1" and 16 <= len(parts[1][1]) <= 72 and {*firsts[2:]} <= _OF_EC
        return tags in ([_INTEGER] * 6, [_INTEGER] * 9) or tags == [*[_INTEGER] * 9, _SEQUENCE]
    except ValueError:
        return False


def _algorithm(identifier: bytes) -> bytes:
    """Returns the OID of an AlgorithmIdentifier; empty: it does not begin with one."""
    tag, value = next(_elements(identifier), (0, b""))
    return value if tag == _OID else b""


def _elements(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields tags and values. ValueError if the content is not DER."""
    at = 0
    while at < len(content):
        head = content[at : at + 2]
        if len(head) < 2:
            raise ValueError
        tag, length = head
        at += 2
        if length & 0x80:
            count = length & 0x7F
            length = int.from_bytes(content[at : at + count])
            at += count
            if not 1 <= count <= 3 or length < 0x80:
                raise ValueError
        if at + length > len(content):
            raise ValueError
        yield tag, content[at : at + length]
        at += length


def _has_jwk(content: bytes) -> bool:
    """True if a JSON Web Key (RFC 7517) anywhere in the JSON has its private member: d, or k of a symmetric key."""
    if len(content) > _JWK_MAX or b'"kty"' not in content:
        return False
    try:
        waiting = [json.loads(content.decode("utf-8-sig"))]
    except (ValueError, RecursionError):
        return False
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            secret = value.get("k" if value.get("kty") == "oct" else "d")
            if isinstance(value.get("kty"), str) and isinstance(secret, str):
                return True
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return False
