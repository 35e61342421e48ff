# SPDX-License-Identifier: MIT
"""A running image: a process that serves an application."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from whit.errors import WhitError

READY_TIMEOUT_S = 30.0
END_TIMEOUT_S = 5.0
POLL_S = 0.2
ENDING = (signal.SIGINT, signal.SIGTERM)


class Server:
    """A running server. The constructor returns when it serves, or raises WhitError with its message.

    It has its own process group: a Ctrl-C in the terminal reaches only the command line, which ends the server.
    """

    def __init__(self, image: Path, arguments: Sequence[str], *, listens: bool = False, key: bytes = b"") -> None:
        """listens: it reads tell() from its standard input. key: of HTTPS, passed by a pipe that --key names."""
        self.image = image
        command = [str(image), *arguments, "--end-with-parent"]
        if not key:
            self._start(command, listens=listens)
            return
        ours, theirs = os.pipe()
        os.write(theirs, key)
        os.close(theirs)
        try:
            self._start([*command, "--key", f"/dev/fd/{ours}"], pass_fds=[ours], listens=listens)
        finally:
            os.close(ours)

    def _start(
        self, command: Sequence[str], *, cwd: Path | None = None, pass_fds: Sequence[int] = (), listens: bool = False
    ) -> None:
        """Starts the command. It must end with this process, and print "ready" on a line when it serves."""
        self._said = ""
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            pass_fds=pass_fds,
            stdin=subprocess.PIPE if listens else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        if not self._wait_until_ready():
            complaint = self._complaint()
            raise WhitError(complaint, self._process.returncode or 1)

    def keeps(self, thing: object) -> None:
        """Something that must last as long as this."""
        self._kept = thing

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_not_ended(self) -> bool:
        with _signals_wait():
            return self._process.poll() is None

    def tell(self, octets: bytes) -> None:
        """Writes to the server's standard input; ignored if the server has ended."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ValueError):
            self._process.stdin.write(octets)
            self._process.stdin.flush()

    def is_alive(self) -> bool:
        """True if the process runs. Also passes on the server's stderr."""
        self._pass_on()
        return self.has_not_ended

    def wait(self) -> None:
        """Waits until the server ends by itself, which is an error."""
        with selectors.DefaultSelector() as selector:
            for stream in self._streams():
                selector.register(stream, selectors.EVENT_READ)
            while self.is_alive():
                selector.select(POLL_S)

    def end(self) -> str:
        """Ends the server; returns its last output."""
        self._ask_to_end()
        try:
            output, errors = self._process.communicate(timeout=END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            output, errors = self._process.communicate()
        sys.stderr.write(errors.decode(errors="replace"))
        return output.decode(errors="replace")

    def _ask_to_end(self) -> None:
        self._process.terminate()

    def why_ended(self) -> str:
        code = self._process.returncode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return f"the server ended by itself ({how})"

    def last_words(self) -> str:
        """Returns the last output of a server that ended by itself."""
        assert self._process.stdout is not None
        return "" if self._process.stdout.closed else self._process.stdout.read().decode(errors="replace")

    def _wait_until_ready(self) -> bool:
        """True if the server prints that it is ready. Any other line becomes the complaint."""
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            deadline = time.monotonic() + READY_TIMEOUT_S
            while True:
                line = b""
                while not line.endswith(b"\n"):
                    if not selector.select(max(0.0, deadline - time.monotonic())):
                        return False
                    octet = os.read(self._process.stdout.fileno(), 1)
                    if not octet:
                        return False
                    line += octet
                self._said = line.decode(errors="replace").strip()
                if not self._goes_on(self._said):
                    break
        assert self._process.stderr is not None
        os.set_blocking(self._process.stderr.fileno(), False)
        return self._said == "ready"

    def _goes_on(self, said: str) -> bool:
        """True if other lines may come before "ready"."""
        return False

    def _complaint(self) -> str:
        """Returns the last line of a server that did not start."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        late = self._process.poll() is None
        if late:
            self._process.kill()
        errors = self._process.communicate()[1].decode(errors="replace").strip()
        why = f"the server printed nothing for {READY_TIMEOUT_S:g} s; is the machine busy? Try again" if late else ""
        return errors or self._said or why or self.why_ended()

    def _streams(self) -> Sequence[IO[bytes]]:
        """Streams that are passed on to our stderr as data arrive; none of them blocks."""
        assert self._process.stderr is not None
        return [self._process.stderr]

    def _pass_on(self) -> None:
        for stream in self._streams():
            with contextlib.suppress(BlockingIOError, ValueError):
                while said := os.read(stream.fileno(), 4096):
                    sys.stderr.write(said.decode(errors="replace"))
                    sys.stderr.flush()


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """A handler that raises inside Popen.poll() leaves its lock taken, and communicate() then waits for ever.

    Blocking them would not do: another thread takes the signal, and the main thread runs its handler all the same.
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread only
        yield
        return
    came: list[int] = []
    before = {}
    try:
        for number in ENDING:
            before[number] = signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)
