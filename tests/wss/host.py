# SPDX-License-Identifier: MIT
"""The WS-Security layer as a library, fed with a message that lxml has read, and tokens as callers make them."""

import base64
import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from tests.crypto.built import CRYPTO, had
from whit.compiler import automaton
from whit.compiler.services import soap
from whit.compiler.services.signers import montgomery
from whit.paths import BUILD, ROOT

MADE = BUILD / "tests-wss" / os.environ.get("PYTEST_XDIST_WORKER", "alone")  # no two processes write one library
SOURCES = (
    *sorted((ROOT / "engine" / "wss").glob("*.c")),
    *(ROOT / "engine" / name for name in ("core/text.c", "http/xml.c")),
    *(ROOT / "ports" / "common" / "crypto" / f"{name}.c" for name in ("sha1", "sha256", "p256", "rsa")),
    *(Path(__file__).with_name(name) for name in ("host.c", "canonical.c", "message.c")),
)
FAULTS = ("", "invalid", "unsupported", "failed", "expired", "broken", "algorithm", "check")
LIMITS = ROOT / "tests" / "compiler" / "golden" / "out"
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
PROFILE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0"
BASE64 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"
NOW = 1_800_000_000  # of the clock


BOTH = ("P256", "RSA")


@cache
def _made(kinds: tuple[str, ...]) -> Path:
    MADE.mkdir(parents=True, exist_ok=True)
    to = MADE / f"libwss-{'-'.join(kinds)}.so"
    rows = "\n".join(automaton.build(soap.words((), secured=True)).rows)
    macro = '#include "core/tables.h"\n#define OCTETS(value) (value) & 0xff, (value) >> 8\n'
    limits = f'#include "{LIMITS / "whit_limits.h"}"\n'
    for name in ("DIGEST", "CHARSETS", *kinds):
        limits += f"#undef WHIT_HAS_{name}\n#define WHIT_HAS_{name} 1\n"
    (MADE / "whit_limits.h").write_text(limits)
    (MADE / "uris.h").write_text(f"{macro}const uint8_t whit_targets[] = {{\n{rows}\n}};\n")
    from tests.wss.signing import point, rsa_key  # which needs this module

    (MADE / "point.h").write_text(", ".join(map(str, point())))
    words = [f"{word}u" for word in montgomery(rsa_key().public_key().public_numbers().n)]
    modulus = f"{{{', '.join(words[:64])}}}, {{{', '.join(words[64:128])}}}, {words[128]}"
    (MADE / "modulus.h").write_text(modulus)
    options = ["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-O1", "-g", "-shared", "-fPIC"]
    options += ["-fsanitize=undefined", "-fno-sanitize-recover=all"]
    headers = [f"-I{path}" for path in (MADE, LIMITS, ROOT / "include", ROOT / "ports" / "flat", ROOT / "engine")]
    libraries = ["-isystem", str(had("p256-m")), f"-I{CRYPTO / 'p256_m'}"]
    options += libraries
    command = ["gcc", *options, *headers, *map(str, SOURCES), "-o", str(to)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return to


class Device:
    """A copy of its own, started; `restart` keeps persistent memory. `kinds`: of callers' keys."""

    def __init__(self, unix_s: int = NOW, piece: int = 7, kinds: tuple[str, ...] = BOTH) -> None:
        self.piece = piece
        with tempfile.NamedTemporaryFile(suffix=".so") as copy:
            shutil.copyfile(_made(kinds), copy.name)
            self.code: Any = ctypes.CDLL(copy.name)
        self.set("uint32", "host_unix_s", unix_s)
        self.code.wss_init()

    def set(self, kind: str, name: str, value: int) -> None:
        getattr(ctypes, f"c_{kind}").in_dll(self.code, name).value = value

    @property
    def writes(self) -> int:
        return int(ctypes.c_uint32.in_dll(self.code, "host_write_cnt").value)

    def restart(self) -> None:
        self.code.wss_init()

    def ask(self, security: str | etree._Element) -> str:
        """Returns the fault of the message; "": none."""
        octets = security.encode() if isinstance(security, str) else etree.tostring(security)
        return FAULTS[self.code.host_token(octets, len(octets), self.piece)]


def at(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def token(
    name: str = "alice",
    password: str = "secret",
    *,
    nonce: bytes = b"0123456789abcdef",
    created: str | None = None,
    kind: str = f' Type="{PROFILE}#PasswordDigest"',
    encoding: str = f' EncodingType="{BASE64}"',
    order: str = "uPnc",
    digest: bytes | None = None,
) -> str:
    """A UsernameToken. `order`: of its elements by their first letters; P is the password."""
    created = created or at(NOW)
    digest = digest or hashlib.sha1(nonce + created.encode() + password.encode()).digest()
    parts = {
        "u": f"<wsse:Username>{name}</wsse:Username>",
        "P": f"<wsse:Password{kind}>{base64.b64encode(digest).decode()}</wsse:Password>",
        "n": f"<wsse:Nonce{encoding}>{base64.b64encode(nonce).decode()}</wsse:Nonce>",
        "c": f"<wsu:Created>{created}</wsu:Created>",
    }
    return f"<wsse:UsernameToken>{''.join(parts[letter] for letter in order)}</wsse:UsernameToken>"


def timestamp(created: float = NOW, expires: float = NOW + 60) -> str:
    inner = f"<wsu:Created>{at(created)}</wsu:Created><wsu:Expires>{at(expires)}</wsu:Expires>"
    return f"<wsu:Timestamp>{inner}</wsu:Timestamp>"


def security(*parts: str) -> str:
    return f'<wsse:Security xmlns:wsse="{WSSE}" xmlns:wsu="{WSU}">{"".join(parts)}</wsse:Security>'
