# SPDX-License-Identifier: MIT
"""The papers' reference servers as configurations of the model server (sim/classic.py), if no registry has them.

They send the papers' responses, and take no time of their own.
"""

from collections.abc import Callable, Sequence

from whit_testbed.classic import MINIWEB, UIP, Behaviour, Classic

UIP_HEAD = (84, 27)  # bytes of the two segments before the content (001 5.3.1; sizes by model/presets.py)
MINIWEB_HEAD = 48
MARK = "a configuration of the model server, no time of its own"


def _head(length: int, line: str, end: str = "") -> bytes:
    """Returns `length` bytes: a status line, a field that fills the head, and its end."""
    return f"{line}\r\nX: ".encode().ljust(length - 2 - len(end), b"x") + f"\r\n{end}".encode()


def uip_writes(body: bytes) -> Sequence[bytes]:
    """Returns code, type and content, each in segments of its own. The connection ends with the content."""
    first = b"HTTP/1.0 200 OK\r\nConnection: close\r\nX: ".ljust(UIP_HEAD[0] - 2, b"x") + b"\r\n"
    return first, b"Content-Type: text/html\r\n\r\n", body


def miniweb_writes(body: bytes) -> Sequence[bytes]:
    """Returns a short head and the content behind it, cut at the segments' ends."""
    return (_head(MINIWEB_HEAD, "HTTP/1.0 200 OK", "\r\n") + body,)


def uip(contents: Callable[[str], bytes], mss: int = 1460, link: str = "slip") -> Classic:
    behaviour = Behaviour(in_flight=UIP.in_flight, close=UIP.close, mss=mss)
    return Classic(lambda target: uip_writes(contents(target)), behaviour, link=link)


def miniweb(contents: Callable[[str], bytes], link: str = "slip") -> Classic:
    return Classic(lambda target: miniweb_writes(contents(target)), MINIWEB, link=link)
