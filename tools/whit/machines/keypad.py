# SPDX-License-Identifier: MIT
"""A console's keys on the terminal of `./whit run`: a typed key is held down for a moment.

Without a terminal, standard input goes to the emulator unchanged: lines such as "press A" and "release A".
"""

import atexit
import os
import select
import sys
import termios
import threading
import time
import tty

from whit.machines.server import Server

HOLD_S = 0.3
"""Seconds a key is held. A terminal does not report a release. It repeats a held key faster, except the first time."""

NAMES = {
    b"\x1b[A": "Up",
    b"\x1b[B": "Down",
    b"\x1b[C": "Right",
    b"\x1b[D": "Left",
    b"x": "A",
    b"z": "B",
    b"a": "L",
    b"s": "R",
    b"\n": "Start",
    b" ": "Select",
}
HINT = "The console's keys: arrows, x A, z B, a L, s R, Enter Start, Space Select."
LOOK_S = 0.05


def follow(server: Server) -> None:
    """Starts reading keys until the server ends; returns at once."""
    try:
        terminal = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # stdin is missing, or no file
        return
    target = _terminal if sys.stdin.isatty() else _lines
    threading.Thread(target=target, args=(server, terminal), daemon=True).start()


def names_of(typed: bytes) -> list[str]:
    """The keys that were typed; others are passed over."""
    typed = typed.replace(b"\x1bO", b"\x1b[").replace(b"\r", b"\n")
    names = []
    while typed:
        found = next((text for text in NAMES if typed.lower().startswith(text.lower())), None)
        if found:
            names.append(NAMES[found])
        typed = typed[len(found) if found else 1 :]
    return names


def _lines(server: Server, terminal: int) -> None:
    while server.has_not_ended and (said := os.read(terminal, 4096)):
        server.tell(said)


def _terminal(server: Server, terminal: int) -> None:
    if os.tcgetpgrp(terminal) != os.getpgrp():
        return  # in the background: another process uses the terminal
    before = termios.tcgetattr(terminal)
    atexit.register(termios.tcsetattr, terminal, termios.TCSADRAIN, before)  # this thread may be cut off
    tty.setcbreak(terminal)  # Ctrl-C remains a signal
    print(HINT, flush=True)
    _hold(server, terminal)


def _hold(server: Server, terminal: int) -> None:
    until: dict[str, float] = {}
    while server.has_not_ended:
        if select.select([terminal], [], [], LOOK_S)[0]:
            typed = os.read(terminal, 64)
            if not typed:
                return
            for name in names_of(typed):
                if name not in until:
                    server.tell(f"press {name}\n".encode())
                until[name] = time.monotonic() + HOLD_S
        for name in [name for name, end in until.items() if end <= time.monotonic()]:
            del until[name]
            server.tell(f"release {name}\n".encode())
