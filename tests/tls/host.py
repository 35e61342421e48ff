# SPDX-License-Identifier: MIT
"""The TLS layer of the engine as a library, and a server of it that is driven octet by octet."""

import ctypes
import hashlib
import re
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from tests.crypto.built import KINDS, compile_with
from tests.support import write_whole
from whit.paths import BUILD, ROOT

MADE = BUILD / "tls"
KEY, CERTIFICATE = (MADE / "identity" / name for name in ("key.pem", "certificate.pem"))
OTHERS = (ROOT / "ports" / "common" / "nonces.c", Path(__file__).with_name("host.c"))
NAME = "whit.test"
_BUILT_AS = {"small": (), "wide": ("-DWHIT_TLS_KEYS=4",)}
"""By the kind of cryptography: as devices have it, and as hosts."""
_kind = "small"
PHASES = ("hello", "heard", "awaiting", "open", "closed")
NOTHING, RETRY, FLIGHT, UPDATE, ALERT = range(5)
_, TEXT, RECORD, FORGET = range(4)
AROUND = 22


class Got(ctypes.Structure):
    _fields_ = (
        ("event", ctypes.c_int),
        ("len", ctypes.c_uint8),
        ("zeros_at", ctypes.c_uint8),
        ("zeros", ctypes.c_uint16),
        ("text", ctypes.c_uint8 * 65),
    )

    def octets(self) -> bytes:
        text = bytes(self.text[: self.len])
        return text[: self.zeros_at] + bytes(self.zeros) + text[self.zeros_at :]


@dataclass(frozen=True)
class Identity:
    certificate: Path  # PEM, self-signed
    message: bytes
    key: bytes


def openssl(*words: str | Path) -> bytes:
    try:
        return subprocess.run(["openssl", *words], check=True, capture_output=True).stdout
    except FileNotFoundError:
        pytest.skip("openssl is not installed")


@cache
def identity() -> Identity:
    """A certificate and its key, made once for all processes that test."""
    if not KEY.exists():
        MADE.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=MADE))
        openssl("ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", made / KEY.name)
        names = ("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},DNS:localhost,IP:127.0.0.1")
        request = ("req", "-x509", "-new", "-key", made / KEY.name, "-days", "3650")
        openssl(*request, *names, "-out", made / CERTIFICATE.name)
        with suppress(OSError):  # another process was first
            made.rename(KEY.parent)
    shown = openssl("ec", "-in", KEY, "-text", "-noout").decode()
    private = re.sub(r"[^0-9a-f]", "", re.search(r"priv:([0-9a-f:\s]+)", shown)[1])[-64:].zfill(64)
    der = openssl("x509", "-in", CERTIFICATE, "-outform", "DER")
    entry = len(der).to_bytes(3, "big") + der + bytes(2)
    body = bytes(1) + len(entry).to_bytes(3, "big") + entry
    return Identity(CERTIFICATE, b"\x0b" + len(body).to_bytes(3, "big") + body, bytes.fromhex(private))


def floor(name: str, *words: str | Path, kind: str = "small") -> Path:
    """Compiles the TLS layer, metered, with the identity and these options."""
    mine = identity()
    place = MADE / hashlib.sha256(mine.message).hexdigest()[:8]
    place.mkdir(exist_ok=True)
    for header, octets in (("certificate", mine.message), ("key", mine.key)):
        write_whole(place / f"{header}.h", ",".join(map(str, octets)).encode())
    sources = (*KINDS[kind], *sorted((ROOT / "engine" / "tls").glob("*.c")), *OTHERS)
    compiler = ("gcc", "-O2", "-g", *map(str, words), "-DWHIT_METER=1", f"-I{place}", "-iquote", str(ROOT / "engine"))
    return compile_with(compiler, "flat", sources, place / name)


def code() -> ctypes.CDLL:
    return _loaded(_kind)


@cache
def _loaded(kind: str) -> ctypes.CDLL:
    words = ("-DWHIT_TLS_ALONE=1", "-shared", "-fPIC", *_BUILT_AS[kind])
    made = ctypes.CDLL(str(floor(f"libtls-{kind}.so", *words, kind=kind)))
    made.tls_in.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint16, ctypes.POINTER(Got))
    made.tls_in.restype = made.tls_out_len.restype = made.tls_out_record.restype = ctypes.c_uint16
    made.tls_seal.restype = made.host_record_len.restype = ctypes.c_uint16
    made.tls_wire_len.restype = ctypes.c_uint32
    made.host_resumed.restype = made.host_leaves.restype = ctypes.c_bool
    made.host_client_secret.restype = made.host_client_finished.restype = ctypes.c_void_p
    for name in ("phase", "out", "alert"):
        getattr(made, f"host_{name}").restype = ctypes.c_uint8
    return made


def start(seed: int = 1, kind: str = "small") -> ctypes.CDLL:
    """A device is switched on."""
    global _kind
    _kind = kind
    ctypes.c_uint32.in_dll(code(), "host_seed").value = seed
    code().tls_start()
    code().whit_nonces_reset()
    return code()


def counted(name: str) -> int:
    """Returns a count of the meter: sealed, repeated or broken."""
    counts = (ctypes.c_uint32 * 3).in_dll(code(), "whit_nonces")
    return counts[("sealed", "repeated", "broken").index(name)]


@dataclass
class Server:
    """One connection. `text` is verified content; `unverified`, the plain text of the half-received record."""

    record_len: int = 1438
    now_s: int = 1000
    text: bytes = b""
    unverified: bytes = b""
    told: bytes = b""  # all content, verified or not
    sent: list[tuple[int, bytes]] = field(default_factory=list)  # what was out, and its octets

    def __post_init__(self) -> None:
        self.code = code()
        self.tls = ctypes.create_string_buffer(self.code.host_size())  # and behind it what is kept of half a record
        self.code.tls_open(self.tls, self.record_len)

    @property
    def phase(self) -> str:
        return PHASES[self.code.host_phase(self.tls)]

    @property
    def out(self) -> int:
        return self.code.host_out(self.tls)

    @property
    def alert(self) -> int:
        return self.code.host_alert(self.tls)

    @property
    def resumed(self) -> bool:
        return self.code.host_resumed(self.tls)

    def give(self, octets: bytes, *, to_record: bool = False) -> bytes:
        """Passes octets from the network, all or up to the end of a record with content. Returns the octets not
        taken."""
        got = Got()
        while octets:
            half = ctypes.byref(self.tls, self.code.host_place())
            taken = self.code.tls_in(self.tls, half, octets[:65535], min(len(octets), 65535), got)
            octets = octets[taken:]
            self._heard(got)
            if taken == 0 or self.phase == "heard" or (to_record and got.event == RECORD):
                break
        return octets

    def _heard(self, got: Got) -> None:
        if got.event == TEXT:
            self.unverified += got.octets()
            self.told += got.octets()
        elif got.event == RECORD:
            self.text += self.unverified
        if got.event in (RECORD, FORGET):
            self.unverified = b""

    def take(self) -> bytes:
        """Returns the server's octets; the client acknowledges them at once."""
        if self.phase == "heard":
            self.code.tls_answer(self.tls, self.now_s)
        octets = self.outgoing()
        if octets:
            self.sent.append((self.out, octets))
            self.code.tls_out_end(self.tls)
        return octets

    def outgoing(self) -> bytes:
        return self.slice_of_out(0, self.code.tls_out_len(self.tls))

    def slice_of_out(self, begin: int, end: int) -> bytes:
        octets = b""
        while begin < end:
            place = ctypes.c_uint16(begin)
            record = ctypes.create_string_buffer(max(self.record_len + AROUND, 140))
            length = self.code.tls_out_record(self.tls, ctypes.byref(place), record)
            part = record.raw[place.value : length][: end - begin]
            assert part
            octets += part
            begin += len(part)
        return octets

    def response(self, octets: bytes, begin: int = 0, end: int | None = None) -> bytes:
        """Octets [begin, end) on the wire of a response."""
        length = self.code.host_record_len(self.tls)
        end = self.code.tls_wire_len(self.tls, len(octets)) if end is None else end
        wire = b""
        while begin < end:
            index, place = divmod(begin, length + AROUND)
            text = octets[index * length : (index + 1) * length]
            record = ctypes.create_string_buffer(bytes(5) + text, length + AROUND)
            made = self.code.tls_seal(self.tls, index, record, len(text))
            part = record.raw[place:made][: end - begin]
            wire += part
            begin += len(part)
        return wire

    def respond(self, octets: bytes) -> bytes:
        wire = self.response(octets)
        self.code.tls_response_end(self.tls, len(octets), 0)
        return wire

    def secret(self, which: str = "secret") -> bytes:
        """Returns the client's secret of the phase; which="finished": the content of its Finished."""
        return ctypes.string_at(getattr(self.code, f"host_client_{which}")(self.tls), 32)

    def kept(self) -> bytes:
        return self.tls.raw

    def restore(self, kept: bytes) -> None:
        """Restores the kept state."""
        ctypes.memmove(self.tls, kept, len(kept))
        self.text = self.unverified = self.told = b""

    def close(self, alert: int = 0) -> bytes:
        self.code.tls_close(self.tls, alert)
        return self.take()
