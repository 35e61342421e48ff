# SPDX-License-Identifier: MIT
"""Images on machines that QEMU emulates: their flash, and a look into their memory."""

import contextlib
import fcntl
import json
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from whit.errors import WhitError
from whit.image.build import BuildResult
from whit.image.symbols import PAINT, STACK, symbols
from whit.machines.qemu_link import link, network, quoted, widen_backlog
from whit.machines.run_options import RunOptions
from whit.machines.server import Server

ERASED = b"\xff"
CORTEX_M_NOR = 2 * 0x20000  # octets: ports/cortex_m/machine.h
VIRT_NOR = 32 << 20  # of each of the two parts of QEMU's virt machine
VIRT_NOR_USED = 2 * 0x40000  # ports/riscv/machine.h
QMP_TIMEOUT_S = 5.0


class QemuServer(Server):
    """A machine that prints "ready" on its serial line. `held` are files that stay open as long as it runs."""

    def __init__(self, command: Sequence[str], options: RunOptions, result: BuildResult, held: Sequence[int]) -> None:
        for program in ("setpriv", command[0]):
            if shutil.which(program) is None:
                raise WhitError(
                    f"{program}: not found; ./whit run --target {options.target} installs it, or names the package"
                )
        self._result, self._counters = result, options.counters
        self._monitor, theirs = socket.socketpair()
        with theirs:
            self._start(
                # SIGTERM at the end of this process, whatever ends it.
                ["setpriv", "--pdeathsig", "TERM", "--", *command, *_machine_options(options, result, theirs.fileno())],
                cwd=options.data_file(result.application).parent,
                pass_fds=[theirs.fileno(), *held],
            )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._greet()
        if options.tap is None:
            widen_backlog(self.pid)

    def end(self) -> str:
        """Ends the machine; also returns its use of the stack, if wanted."""
        said = ""
        if self._counters and self.is_alive():
            with contextlib.suppress(WhitError):
                said = f"stack_bytes {painted_stack(self)}\n"
        sys.stderr.write(super().end())
        self._monitor.close()
        return said

    def memory(self, address: int, length: int) -> bytes:
        """Reads memory of the running machine."""
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "memory"
            self._execute("pmemsave", val=address, size=length, filename=str(file))
            return file.read_bytes()

    @property
    def result(self) -> BuildResult:
        return self._result

    def _streams(self) -> Sequence[IO[bytes]]:
        """Streams to pass on, with the request log on the serial line."""
        assert self._process.stdout is not None
        return [*super()._streams(), self._process.stdout]

    def _ask_to_end(self) -> None:
        with contextlib.suppress(OSError):
            self._monitor.sendall(b'{"execute": "quit"}\n')

    def _greet(self) -> None:
        self._monitor.settimeout(QMP_TIMEOUT_S)
        self._lines = self._monitor.makefile("r")
        self._lines.readline()
        self._execute("qmp_capabilities")

    def _execute(self, command: str, **arguments: object) -> None:
        """Executes a command of the QEMU Machine Protocol; ignores its events."""
        try:
            self._monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
            while line := self._lines.readline():
                answer = json.loads(line)
                if "error" in answer:
                    raise WhitError(f"qemu: {command}: {answer['error']['desc']}", 1)
                if "return" in answer:
                    return
        except OSError as error:
            raise WhitError(f"qemu: {command}: {error}", 1) from error
        raise WhitError(f"qemu: {command}: no answer", 1)


def painted_stack(server: QemuServer) -> int:
    """Returns the octets of the stack that were used since the start, measured by paint."""
    bottom, top = (symbols(server.result, *STACK)[name] for name in STACK)
    octets = server.memory(bottom, top - bottom)
    return len(octets.lstrip(bytes([PAINT])))


def start_cortex_m(options: RunOptions, result: BuildResult) -> Server:
    """The flash is a file that the image finds by its name, next to which the emulator runs."""
    command = ["qemu-system-arm", "-machine", "mps2-an385", "-kernel", str(result.image)]
    command += ["-semihosting-config", "enable=on,target=native"]
    command += ["-net", f"nic,netdev=net,macaddr={bytes(result.application.board.mac).hex(':')}"]
    with link(options, result), kept(options, result, CORTEX_M_NOR, ERASED * CORTEX_M_NOR) as held:
        return QemuServer(command, options, result, held)


def start_riscv(options: RunOptions, result: BuildResult) -> Server:
    """The first part of the machine's flash holds the image, the second one persistent memory."""
    assert result.flashable is not None
    code = result.flashable.with_suffix(".nor")
    shutil.copyfile(result.flashable, code)
    os.truncate(code, VIRT_NOR)
    command = ["qemu-system-riscv32", "-machine", "virt", "-bios", "none", "-m", "16M"]
    command += ["-drive", f"if=pflash,unit=0,format=raw,readonly=on,file={quoted(code)}"]
    command += ["-global", "virtio-mmio.force-legacy=false", "-device", "virtio-rng-device"]
    command += ["-device", f"virtio-net-device,netdev=net,mac={bytes(result.application.board.mac).hex(':')}"]
    with link(options, result), kept(options, result, VIRT_NOR, ERASED * VIRT_NOR_USED) as held:
        if held:
            command += ["-drive", f"if=pflash,unit=1,format=raw,file={quoted(kept_file(options, result).resolve())}"]
        return QemuServer(command, options, result, held)


def kept_file(options: RunOptions, result: BuildResult) -> Path:
    """Returns the file that serves as a device's persistent memory."""
    kind = "disk" if options.target == "pc" else "nor"
    return options.data_file(result.application, f"{options.target}.{kind}")


@contextlib.contextmanager
def kept(options: RunOptions, result: BuildResult, size: int, begin: bytes) -> Iterator[list[int]]:
    """Yields the server's persistent memory; creates an empty file if it is missing. Only one server may use it."""
    if result.application.limits.persistent_size == 0:
        yield []
        return
    path = kept_file(options, result)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}; name a directory that can be written with --data") from error
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WhitError(
                f"{path}: another server keeps its data there; end it, or give this one a place of its own with --data",
                1,
            ) from None
        if os.fstat(file).st_size < size:
            os.truncate(file, 0)
            os.pwrite(file, begin, 0)
            os.truncate(file, size)
        yield [file]
    finally:
        os.close(file)


def _machine_options(options: RunOptions, result: BuildResult, monitor: int) -> list[str]:
    arguments = ["-display", "none", "-nodefaults", "-no-reboot", "-serial", "stdio"]
    arguments += ["-chardev", f"socket,id=monitor,fd={monitor}", "-mon", "chardev=monitor,mode=control"]
    arguments += ["-netdev", network(options, result)]
    if options.pcap is not None:
        arguments += ["-object", f"filter-dump,id=pcap,netdev=net,file={quoted(options.pcap.resolve())}"]
    return arguments
