# SPDX-License-Identifier: MIT
"""A client of TLS 1.3 (RFC 8446) that sends early data; Python's own cannot.

It exchanges bytes without a socket, and accepts any certificate.
"""

import hashlib
import hmac
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

ALERT, HANDSHAKE, APPLICATION, CCS = 21, 22, 23, 20
CLIENT_HELLO, SERVER_HELLO, TICKET, END_OF_EARLY_DATA, EXTENSIONS, FINISHED, KEY_UPDATE = 1, 2, 4, 5, 8, 20, 24
EARLY_DATA = 42
AES_128_GCM, CHACHA20_POLY1305 = 0x1301, 0x1303
_NOTHING = hashlib.sha256().digest()
_SECRET = bytes(range(32))


@dataclass(frozen=True)
class Ticket:
    identity: bytes
    psk: bytes
    age_add: int
    made_ms: int
    early_max: int  # bytes of early data; 0: none may be sent


def vector(size: int, *items: bytes) -> bytes:
    octets = b"".join(items)
    return len(octets).to_bytes(size, "big") + octets


def _two(number: int) -> bytes:
    return number.to_bytes(2, "big")


def expand(secret: bytes, label: str, context: bytes = b"", length: int = 32) -> bytes:
    info = length.to_bytes(2, "big") + vector(1, b"tls13 " + label.encode()) + vector(1, context)
    return hmac.digest(secret, info + b"\1", "sha256")[:length]


def _extract(salt: bytes, key: bytes) -> bytes:
    return hmac.digest(salt, key, "sha256")


def _finished(secret: bytes, digest: bytes) -> bytes:
    return hmac.digest(expand(secret, "finished"), digest, "sha256")


class Keys:
    """Keys of one direction. Records are numbered."""

    def __init__(self, secret: bytes, aes: bool) -> None:
        self.secret, self.number = secret, 0
        self._aead = AESGCM(expand(secret, "key", length=16)) if aes else ChaCha20Poly1305(expand(secret, "key"))
        self._iv = int.from_bytes(expand(secret, "iv", length=12), "big")

    def _nonce(self) -> bytes:
        self.number += 1
        return (self._iv ^ (self.number - 1)).to_bytes(12, "big")

    def seal(self, kind: int, text: bytes) -> bytes:
        header = b"\x17\3\3" + (len(text) + 17).to_bytes(2, "big")
        return header + self._aead.encrypt(self._nonce(), text + bytes((kind,)), header)

    def open(self, record: bytes) -> tuple[int, bytes]:
        text = self._aead.decrypt(self._nonce(), record[5:], record[:5]).rstrip(b"\0")
        return text[-1], text[:-1]


class Client:
    """`early` is sent with the hello if a ticket allows it. `out` is the data to send, `heard` the server's application
    data. `accepted` is true if the server accepted early data."""

    def __init__(
        self,
        now_ms: int = 0,
        ticket: Ticket | None = None,
        early: bytes = b"",
        *,
        name: str = "",
        alpn: bool = True,
        suites: tuple[int, ...] = (CHACHA20_POLY1305,),
    ) -> None:
        self.suites, self.suite = suites, suites[0]  # offered; suite of early data, then of the connection
        self.ticket, self.early, self.now_ms = ticket, early, now_ms
        self.heard = b""
        self.open = self.accepted = self.resumed = self.told_end = False
        self.alert: int | None = None
        self.updated = 0  # number of the server's key updates
        self.tickets: list[Ticket] = []
        self.answer_finished = True  # sends EndOfEarlyData and Finished by itself
        self._key = X25519PrivateKey.from_private_bytes(hashlib.sha256(_SECRET + early).digest())
        self._in, self._messages = b"", b""
        self._reads: Keys | None = None
        self._writes: Keys | None = None
        self._early_secret = _extract(bytes(32), ticket.psk if ticket else bytes(32))
        self.said = b""  # all messages so far
        hello = self._hello(name, alpn)
        self.out = b"\x16\3\1" + vector(2, hello)
        self.said = hello
        if ticket and early:
            self._writes = self._keys(self._derive(self._early_secret, "c e traffic", hello))
            self.out += b"\x14\3\3\0\1\1"
            self.write(early)

    def _keys(self, secret: bytes) -> Keys:
        return Keys(secret, self.suite == AES_128_GCM)

    @staticmethod
    def _derive(secret: bytes, label: str, said: bytes) -> bytes:
        return expand(secret, label, hashlib.sha256(said).digest())

    def _hello(self, name: str, alpn: bool) -> bytes:
        extensions = {
            43: vector(1, b"\3\4"),
            10: vector(2, b"\0\x1d"),
            13: vector(2, b"\4\3"),
            45: vector(1, b"\1"),
            51: vector(2, b"\0\x1d" + vector(2, self._key.public_key().public_bytes_raw())),
        }
        if name:
            extensions[0] = vector(2, b"\0" + vector(2, name.encode()))
        if alpn:
            extensions[16] = vector(2, vector(1, b"http/1.1"))
        if self.ticket:
            if self.early:
                extensions[EARLY_DATA] = b""
            age = (self.now_ms - self.ticket.made_ms + self.ticket.age_add) & 0xFFFFFFFF
            extensions[41] = vector(2, vector(2, self.ticket.identity) + age.to_bytes(4, "big"))
            extensions[41] += vector(2, vector(1, bytes(32)))
        told = b"".join(number.to_bytes(2, "big") + vector(2, content) for number, content in extensions.items())
        body = (
            b"\3\3"
            + bytes(32)
            + vector(1, b"s" * 32)
            + vector(2, b"".join(map(_two, self.suites)))
            + vector(1, b"\0")
            + vector(2, told)
        )
        hello = bytes((CLIENT_HELLO,)) + vector(3, body)
        if self.ticket:
            binder = expand(self._early_secret, "res binder", _NOTHING)
            hello = hello[:-32] + _finished(binder, hashlib.sha256(hello[:-35]).digest())
        return hello

    @property
    def secret(self) -> bytes:
        """The server's secret for sealing."""
        assert self._reads is not None
        return self._reads.secret

    def write(self, octets: bytes, kind: int = APPLICATION) -> None:
        """Seals bytes as one record, under the current key."""
        assert self._writes is not None
        self.out += self._writes.seal(kind, octets)

    def take(self) -> bytes:
        out, self.out = self.out, b""
        return out

    def give(self, octets: bytes) -> None:
        self._in += octets
        while len(self._in) >= 5 and len(self._in) >= (end := 5 + int.from_bytes(self._in[3:5], "big")):
            record, self._in = self._in[:end], self._in[end:]
            self._record(record)

    def _record(self, record: bytes) -> None:
        kind, text = record[0], record[5:]
        if kind == APPLICATION:
            assert self._reads is not None, "a sealed record before there are keys"
            try:
                kind, text = self._reads.open(record)
            except InvalidTag:
                raise AssertionError(f"record {self._reads.number - 1} is sealed by another key") from None
        if kind == ALERT:
            self.alert = text[1]
            self.told_end = text[1] == 0
        elif kind == APPLICATION:
            assert self._writes is not None
            self.heard += text
        elif kind == HANDSHAKE:
            self._messages += text
            while len(self._messages) >= 4 and len(self._messages) >= (
                end := 4 + int.from_bytes(self._messages[1:4], "big")
            ):
                message, self._messages = self._messages[:end], self._messages[end:]
                self._message(message)

    def _message(self, message: bytes) -> None:
        if message[0] == SERVER_HELLO:
            self._server_hello(message)
        elif message[0] == TICKET:
            self._ticket(message[4:])
        elif message[0] == FINISHED:
            self._server_finished(message)
        elif message[0] == KEY_UPDATE:
            assert self._reads is not None
            self._reads = self._keys(expand(self._reads.secret, "traffic upd"))
            self.updated += 1
        else:
            if message[0] == EXTENSIONS:
                self.accepted = EARLY_DATA.to_bytes(2, "big") + b"\0\0" in message
            self.said += message

    def _server_hello(self, message: bytes) -> None:
        self.said += message
        self.suite = int.from_bytes(message[4 + 2 + 32 + 1 + 32 :][:2], "big")
        assert self.suite in self.suites
        extensions = message[4 + 2 + 32 + 1 + 32 + 3 + 2 :]
        self.resumed = b"\0\x29\0\2\0\0" in extensions
        if self.ticket and not self.resumed:
            self._early_secret = _extract(bytes(32), bytes(32))
        place = extensions.index(b"\0\x33\0\x24\0\x1d\0\x20") + 8
        shared = self._key.exchange(X25519PublicKey.from_public_bytes(extensions[place : place + 32]))
        handshake = _extract(expand(self._early_secret, "derived", _NOTHING), shared)
        self._client = self._derive(handshake, "c hs traffic", self.said)
        self._reads = self._keys(self._derive(handshake, "s hs traffic", self.said))
        self._master = _extract(expand(handshake, "derived", _NOTHING), bytes(32))

    def _server_finished(self, message: bytes) -> None:
        assert self._reads is not None
        assert message[4:] == _finished(self._reads.secret, hashlib.sha256(self.said).digest()), "Finished is wrong"
        self.said += message
        self._reads = self._keys(self._derive(self._master, "s ap traffic", self.said))
        self._next = self._derive(self._master, "c ap traffic", self.said)
        if self.answer_finished:
            self.finish()

    def finish(self, end: bytes = bytes((END_OF_EARLY_DATA, 0, 0, 0))) -> None:
        """Sends EndOfEarlyData if it was accepted, and Finished. Then it uses the application's key."""
        if not (self.ticket and self.early):
            self.out += b"\x14\3\3\0\1\1"
        if self.accepted:
            self.write(end, HANDSHAKE)
            self.said += end
        self._writes = self._keys(self._client)
        verify = bytes((FINISHED,)) + vector(3, _finished(self._client, hashlib.sha256(self.said).digest()))
        self.write(verify, HANDSHAKE)
        self.said += verify
        self._writes = self._keys(self._next)
        self._resumption = self._derive(self._master, "res master", self.said)
        self.open = True
        for body in self._late:
            self._ticket(body)

    _late: tuple[bytes, ...] = ()  # tickets that arrived before our Finished was sent
    _resumption: bytes | None = None

    def _ticket(self, body: bytes) -> None:
        if self._resumption is None:
            self._late = (*self._late, body)
            return
        nonce_end = 9 + body[8]
        nonce, rest = body[9:nonce_end], body[nonce_end:]
        length = int.from_bytes(rest[:2], "big")
        extensions = rest[2 + length + 2 :]
        early_max = int.from_bytes(extensions[4:8], "big") if extensions[:2] == b"\0\x2a" else 0
        psk = expand(self._resumption, "resumption", nonce)
        add = int.from_bytes(body[4:8], "big")
        self.tickets.append(Ticket(rest[2 : 2 + length], psk, add, self.now_ms, early_max))

    def update(self, *, asks: bool = True) -> None:
        """Switches to the next key."""
        self.write(bytes((KEY_UPDATE, 0, 0, 1, asks)), HANDSHAKE)
        self.new_key()

    def new_key(self) -> None:
        assert self._writes is not None
        self._writes = self._keys(expand(self._writes.secret, "traffic upd"))
