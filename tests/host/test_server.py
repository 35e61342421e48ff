# SPDX-License-Identifier: MIT
"""`whit run` supervises the process that serves."""

import os
import signal
import subprocess
from pathlib import Path
from types import FrameType

import pytest

from whit.machines.server import Server


class Interrupted(Exception):
    """Raised by the signal handler, as in `whit run`."""


def raises(signal_number: int, frame: FrameType | None) -> None:
    raise Interrupted


def test_a_signal_amid_poll_waits_for_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raised inside poll(), it would leave the lock of the process taken, and the end of the run would hang."""
    image = tmp_path / "image"
    image.write_text("#!/bin/sh\necho ready\nexec sleep 60\n")
    image.chmod(0o755)
    server, polled = Server(image, []), []
    poll = subprocess.Popen.poll

    def signalled(process: "subprocess.Popen[bytes]") -> int | None:
        os.kill(os.getpid(), signal.SIGTERM)
        polled.append(poll(process))
        return polled[-1]

    monkeypatch.setattr(subprocess.Popen, "poll", signalled)
    before = signal.signal(signal.SIGTERM, raises)
    try:
        with pytest.raises(Interrupted):
            server.is_alive()
    finally:
        signal.signal(signal.SIGTERM, before)
        monkeypatch.undo()
        server.end()
    assert polled == [None]
