# SPDX-License-Identifier: MIT
"""OpenSSL as a client of HTTPS in virtual time, and a constant certificate."""

import hashlib
import ssl
from datetime import datetime
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from whit.certificate.chain import KEY_LEN, read_key
from whit.certificate.places import write_secret
from whit.errors import WhitError
from whit.model.policy import Options
from whit.paths import BUILD
from whit.wire.http import Response, parse_response, request
from whit.wire.units import SECOND
from whit_testbed.client import Connection
from whit_testbed.net import Net

NAME = "device.test"
PORT = 443
THERE = BUILD / "lab" / "https"
_BEGIN, _END = datetime(2026, 1, 1), datetime(2049, 12, 31)


@cache
def settings() -> dict[str, object]:
    """Settings for app.toml: HTTPS with a test certificate. Its key is derived from a constant and must not be
    trusted."""
    certificate, key_path = THERE / "certificate.pem", THERE / "key.pem"
    key = ec.derive_private_key(int.from_bytes(hashlib.sha256(b"lab").digest(), "big"), ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(_BEGIN)
        .not_valid_after(_END)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256(), ecdsa_deterministic=True)
    )
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write_secret(key_path, pem)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return {"https.certificate": str(certificate), "https.key": str(key_path)}


def device_key() -> bytes:
    key = read_key(Path(str(settings()["https.key"])))
    assert len(key) == KEY_LEN
    return key


@cache
def context() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(settings()["https.certificate"]))


class Secured:
    """A client on a connection of its own."""

    def __init__(
        self, net: Net, options: Options | None = None, session: ssl.SSLSession | None = None, address: str = "10.0.0.2"
    ) -> None:
        self.net = net
        self.begun_us = net.loop.now_us
        self.first_us = 0  # arrival of the last response's first byte
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context().wrap_bio(self._incoming, self._outgoing, server_hostname=NAME, session=session)
        self._open = False
        self.responses: list[Response] = []
        self._heard, self._wanted, self._read = b"", b"", 0
        self._error: ssl.SSLError | None = None
        self.connection: Connection = net.host(address).connect(options, remote_port=PORT)
        self.connection.on_data = self._turn
        self._turn()

    @property
    def session(self) -> ssl.SSLSession | None:
        return self._tls.session

    @property
    def resumed(self) -> bool:
        return bool(self._tls.session_reused)

    def ask(self, target: str) -> None:
        self.send(request(target))

    def send(self, octets: bytes) -> None:
        """Sends a request as soon as the handshake allows it."""
        self._wanted, self._heard, self.first_us = octets, b"", 0
        self._turn()

    def get(self, target: str, for_s: float = 300) -> Response:
        """Sends a request and waits for the whole response."""
        before = len(self.responses)
        self.ask(target)
        self.net.loop.run(lambda: self.has_ended or len(self.responses) > before, for_us=int(for_s * SECOND))
        if len(self.responses) == before:
            raise WhitError(f"lab: no response to GET {target} by HTTPS: {self._error or 'the connection ended'}", 1)
        return self.responses[-1]

    @property
    def has_ended(self) -> bool:
        return self.connection.reset or self.connection.peer_closed or self._error is not None

    def _turn(self) -> None:
        received = self.connection.received
        self._incoming.write(received[self._read :])
        self._read = len(received)
        try:
            if not self._open:
                self._tls.do_handshake()
                self._open = True
            if self._wanted:
                self._tls.write(self._wanted)
                self._wanted = b""
            while part := self._tls.read(65536):
                self.first_us = self.first_us or self.net.loop.now_us
                self._heard += part
                self._answered()
        except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            pass
        except ssl.SSLError as error:
            self._error = error
        if out := self._outgoing.read():
            self.connection.send(out)

    def _answered(self) -> None:
        if (response := parse_response(self._heard, "GET")) is not None:
            self.responses.append(response)
            self._heard = b""
