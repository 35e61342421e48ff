# SPDX-License-Identifier: MIT
"""Instructions of a request and of a handshake on x86-64, beside Mbed TLS: the same client, suite and curves.

Whit's include TCP and IP, those of Mbed TLS do not.
"""

import os
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from whit.errors import WhitError
from whit.wire.http import parse_response, request
from whit_lab.experiment import Beside, Figure, Found, Row, Stacks
from whit_lab.instruments import piped, secured
from whit_lab.instruments.instructions import Cost, read_costs, valgrind_version
from whit_lab.instruments.secured import Secured
from whit_lab.instruments.served import files_application
from whit_lab.real import mbedtls
from whit_testbed.net import Net

SIZE, MEASURED = 600, 2  # bytes of the file; index of the measured request of the connection
TARGET = f"/{SIZE}.bin"
GET, HANDSHAKE = "a kept-alive GET of 600 octets by HTTPS", "a full handshake"
SEED = 1
T = TypeVar("T")


def compare(*, reduced: bool = False) -> Iterator[Found]:
    """Compares both. reduced: with a quick build of Mbed TLS."""
    if shutil.which("valgrind") is None:
        yield "No instructions on x86-64: valgrind is not installed."
        return
    application = files_application((SIZE,))
    program, compiler = piped.made(application, secured.settings())
    ours, plain, handshake = (_ours(program, which) for which in (_get, _get_plain, _handshake))
    yield {"compiler": compiler, "valgrind": valgrind_version()}
    what = f"{GET}: instructions, TCP and IP included"
    yield Beside("https_get_instructions", what, ours.total, "instructions")
    yield Beside("https_get_plain_instructions", "the same by plain HTTP", plain.total, "instructions")
    what = f"{HANDSHAKE}, and what it prepares"
    yield Beside("https_handshake_minstructions", what, _millions(handshake), "M")
    parts = {"Whit, plain HTTP": plain.groups, "Whit": ours.groups}
    try:
        server = mbedtls.server(quickly=reduced)
    except WhitError as reason:
        yield f"Nothing of Mbed TLS: {reason}."
    else:
        name = f"Mbed TLS {mbedtls.version()}"
        yield {"mbedtls": mbedtls.version()}
        theirs, their_handshake = (
            _theirs(server, application, f"measured_{what}") for what in ("request", "handshake")
        )
        over = round(theirs.total / ours.total, 2)
        what = f"instructions of {GET} by Mbed TLS, without TCP and IP, over ours with them"
        yield Figure("https_mbedtls_over_ours", what, over, "times", least=1.5)
        source = f"{name}, same client and suite"
        yield Row(f"instructions of {GET}", ours.total, theirs.total, "", source)
        ours_m, theirs_m = (round(_millions(cost), 1) for cost in (handshake, their_handshake))
        yield Row(f"million instructions of {HANDSHAKE}", ours_m, theirs_m, "", source)
        parts[name] = {"Mbed TLS": theirs.total}
        if over < 1.5:
            yield _why(ours)
    yield Stacks("Instructions of a kept-alive GET of 600 octets by HTTPS", "instructions, x86-64 -O2", parts)


def _why(ours: Cost) -> str:
    share = round(100 * ours.groups["cryptography"] / ours.total)
    return (
        f"{share} % of our GET by HTTPS is cryptography. A connection keeps two secrets and two numbers, and the key "
        "of a record is derived from them, by HKDF, when the record is opened or sealed; only the last key is at hand. "
        "Mbed TLS keeps the keys of both directions, and two buffers of 16 kB for a connection."
    )


def _millions(cost: Cost) -> float:
    return round(cost.total / 1e6, 2)


# ---------------------------------------------------------------- ours


def _ours(program: Path, measure: Callable[[piped.Piped, Net], None]) -> Cost:
    with piped.piped(program, secured.device_key()) as engine:
        net = Net(engine, seed=SEED)
        net.get(net.host().client(), TARGET)  # resolves addresses before the measurement
        net.idle(2)
        measure(engine, net)
        return engine.ended()


def _get(engine: piped.Piped, net: Net) -> None:
    client = Secured(net)
    for _ in range(MEASURED):
        client.get(TARGET)
    net.idle(2)
    with engine.counting():
        client.get(TARGET)
        net.idle(2)


def _get_plain(engine: piped.Piped, net: Net) -> None:
    client = net.host().client()
    for _ in range(MEASURED):
        net.get(client, TARGET)
    net.idle(2)
    with engine.counting():
        net.get(client, TARGET)
        net.idle(2)


def _handshake(engine: piped.Piped, net: Net) -> None:
    """Runs a handshake from the SYN on, and the idle time that prepares the next one."""
    with engine.counting():
        client = Secured(net)
        net.idle(2)
    if client.get(TARGET).status != 200:
        raise WhitError(f"lab: {TARGET}: expected 200 behind the handshake", 1)


# ---------------------------------------------------------------- Mbed TLS


def _theirs(server: Path, application: Path, function: str) -> Cost:
    settings = secured.settings()
    with TemporaryDirectory(dir=mbedtls.THERE) as own:
        profile = Path(own, "callgrind")
        words = [*piped.CALLGRIND, f"--callgrind-out-file={profile}", f"--toggle-collect={function}", str(server)]
        words += [str(settings["https.certificate"]), str(settings["https.key"])]
        words += [str(application / TARGET.lstrip("/")), str(MEASURED)]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            _ask(_Peer(process))
            process.communicate(timeout=piped.END_S)
        finally:
            process.kill()
            process.communicate()
        return read_costs(profile)


class _Peer:
    """OpenSSL at the other end of a program's pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin and process.stdout
        self._to, self._from = process.stdin, process.stdout
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = secured.context().wrap_bio(self._incoming, self._outgoing, server_hostname=secured.NAME)

    def do(self, what: Callable[[], T]) -> T:
        """Repeats the call until it needs no more bytes."""
        while True:
            try:
                return what()
            except ssl.SSLWantReadError:
                self.flush()
                octets = os.read(self._from.fileno(), 65536)
                if not octets:
                    raise WhitError("lab: lab/mbedtls ended", 1) from None
                self._incoming.write(octets)

    def flush(self) -> None:
        self._to.write(self._outgoing.read())
        self._to.flush()


def _ask(peer: _Peer) -> None:
    peer.do(peer.tls.do_handshake)
    for _ in range(MEASURED + 1):
        peer.tls.write(request(TARGET))
        said = b""
        while (response := parse_response(said) if said else None) is None:
            said += peer.do(lambda: peer.tls.read(65536))
        if (response.status, len(response.body)) != (200, SIZE):
            raise WhitError(f"lab: lab/mbedtls said {said[:80]!r}", 1)
