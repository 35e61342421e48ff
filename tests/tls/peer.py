# SPDX-License-Identifier: MIT
"""A client that also breaks the protocol on request: hellos by their parts, and records by the server's own secrets."""

import ctypes
import hmac
from dataclasses import dataclass, replace

from tests.crypto.built import ARGUMENTS, Aead, AeadKey
from tests.tls.host import Server, code

VERSIONS, GROUPS, SIGNATURES, SHARES, MODES, PSK, EARLY, ALPN, LIMIT = 43, 10, 13, 51, 45, 41, 42, 16, 28
ALERT_TYPE, HANDSHAKE, APPLICATION, CCS = 21, 22, 23, 20
BASE_POINT = bytes([9]) + bytes(31)


def vector(size: int, *items: bytes) -> bytes:
    octets = b"".join(items)
    return len(octets).to_bytes(size, "big") + octets


def extension(number: int, content: bytes) -> bytes:
    return number.to_bytes(2, "big") + vector(2, content)


def share(group: int = 0x1D, octets: bytes = BASE_POINT) -> bytes:
    return group.to_bytes(2, "big") + vector(2, octets)


USUAL = {
    VERSIONS: vector(1, b"\x03\x04"),
    GROUPS: vector(2, b"\x00\x1d"),
    SIGNATURES: vector(2, b"\x04\x03"),
    SHARES: vector(2, share()),
}


@dataclass(frozen=True)
class Hello:
    """`extensions` are those of USUAL, and others, in order. None leaves one out."""

    session_id: bytes = b"s" * 32
    ciphers: bytes = b"\x13\x01\x13\x03"
    compressions: bytes = b"\0"
    more: tuple[tuple[int, bytes], ...] = ()
    less: tuple[int, ...] = ()
    trailing: bytes = b""

    def with_(self, number: int, content: bytes) -> "Hello":
        """Returns a hello with this extension, added or in place of the usual one."""
        return replace(self, less=(*self.less, number), more=(*self.more, (number, content)))

    def message(self) -> bytes:
        usual = [(number, content) for number, content in USUAL.items() if number not in self.less]
        extensions = vector(2, *(extension(*one) for one in (*usual, *self.more)))
        body = b"\x03\x03" + b"r" * 32 + vector(1, self.session_id) + vector(2, self.ciphers)
        return b"\x01" + vector(3, body + vector(1, self.compressions) + extensions + self.trailing)


def plain(octets: bytes, kind: int = HANDSHAKE) -> bytes:
    return bytes((kind, 3, 1)) + vector(2, octets)


def expand(secret: bytes, label: str, length: int) -> bytes:
    info = length.to_bytes(2, "big") + vector(1, b"tls13 " + label.encode()) + vector(1)
    return hmac.digest(secret, info + b"\1", "sha256")[:length]


def sealed(secret: bytes, number: int, inner: bytes, header: bytes | None = None) -> bytes:
    """A record; `inner` ends with its type and padding."""
    nonce = int.from_bytes(expand(secret, "iv", 12), "big") ^ number
    key = AeadKey(tuple(expand(secret, "key", 32)), tuple(nonce.to_bytes(12, "big")))
    aead, text, tag = Aead(), ctypes.create_string_buffer(len(inner)), ctypes.create_string_buffer(16)
    header = header or b"\x17\x03\x03" + (len(inner) + 16).to_bytes(2, "big")
    made = code()
    for name in ("aead_begin", "aead_seal", "aead_end"):
        getattr(made, f"whit_{name}").argtypes = ARGUMENTS[name]
    made.whit_aead_begin(aead, key, header, 5)
    made.whit_aead_seal(aead, key, text, inner, len(inner))
    made.whit_aead_end(aead, key, tag)
    return header + text.raw + tag.raw


def greeted(hello: Hello | None = None, server: Server | None = None) -> Server:
    """A server that has answered a hello."""
    server = server or Server()
    server.give(plain((hello or Hello()).message()))
    server.take()
    return server


def finished(server: Server) -> bytes:
    return b"\x14\0\0\x20" + server.secret("finished")


def opened(hello: Hello | None = None, server: Server | None = None) -> Server:
    server = greeted(hello, server)
    server.give(sealed(server.secret(), 0, finished(server) + bytes([HANDSHAKE])))
    assert server.phase == "open"
    return server
