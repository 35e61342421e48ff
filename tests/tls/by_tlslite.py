# SPDX-License-Identifier: MIT
"""tlslite-ng as a client, a program of its own: port, limit of a record (0: none). Prints the results of two
connections; the second one resumes."""

import socket
import sys

from tlslite.api import HandshakeSettings, TLSConnection

ASK = b"GET / HTTP/1.1\r\nHost: thing\r\nConnection: close\r\n\r\n"


def main(port: int, limit: int) -> None:
    settings = HandshakeSettings()
    settings.minVersion = settings.maxVersion = (3, 4)
    settings.cipherNames = ["chacha20-poly1305"]
    settings.keyShares = ["x25519"]
    settings.record_size_limit = limit or None
    session = None
    for _ in range(2):
        connection = TLSConnection(socket.create_connection(("127.0.0.1", port), timeout=20))
        connection.closeSocket = True
        connection.handshakeClientCert(settings=settings, session=session, alpn=[b"http/1.1"], serverName="whit.test")
        connection.sendall(ASK)
        heard = b""
        while part := connection.read(max=4096, min=1):
            heard += part
        connection.close()
        session = connection.session
        print(connection.resumed, connection.session.appProto.decode(), heard.partition(b"\r\n\r\n")[2].decode())


main(*map(int, sys.argv[1:]))
