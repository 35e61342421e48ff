# SPDX-License-Identifier: MIT
"""ports/common/crypto as a library of this machine, and as programs of others."""

import ctypes
import json
import os
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit.setup.libraries import library

CRYPTO = ROOT / "ports" / "common" / "crypto"
SOURCES = tuple(CRYPTO / name for name in ("sha1.c", "sha256.c", "x25519_chacha.c", "p256.c", "rsa.c"))
_WIDE_PARTS = ("sha256", "x25519", "aead", "p256", "rsa")
WIDE = (CRYPTO / "sha1.c", *(CRYPTO / "wide" / f"{name}_wide.c" for name in _WIDE_PARTS))
KINDS = {"small": SOURCES, "wide": WIDE, "without-avx2": WIDE}
"""Of cmake/application.cmake. The last is that of a processor without AVX2 and AES, and without code for x86-64."""
GCM = {
    "small": CRYPTO / "gcm.c",
    "wide": CRYPTO / "wide" / "gcm_wide.c",
    "without-avx2": CRYPTO / "wide" / "gcm_wide.c",
}
"""Of images with https.aes."""
MADE = BUILD / "crypto"


class Sha256(ctypes.Structure):
    _fields_ = (("hash", ctypes.c_uint32 * 8), ("len", ctypes.c_uint32), ("block", ctypes.c_uint8 * 64))


class Sha1(ctypes.Structure):
    _fields_ = (("hash", ctypes.c_uint32 * 5), ("len", ctypes.c_uint32), ("block", ctypes.c_uint8 * 64))


class AeadKey(ctypes.Structure):
    _fields_ = (("key", ctypes.c_uint8 * 32), ("nonce", ctypes.c_uint8 * 12))


class Aead(ctypes.Structure):
    _fields_ = (
        ("sum", ctypes.c_uint32 * 5),
        ("block", ctypes.c_uint8 * 16),
        ("len", ctypes.c_uint16),
        ("data_len", ctypes.c_uint16),
    )


SHA1 = ctypes.POINTER(Sha1)
OCTETS, SHA, AEAD, KEY = ctypes.c_char_p, ctypes.POINTER(Sha256), ctypes.POINTER(Aead), ctypes.POINTER(AeadKey)
SHORT, LONG = ctypes.c_uint8, ctypes.c_uint16
ARGUMENTS = {
    "sha256_begin": (SHA,),
    "sha256_add": (SHA, OCTETS, LONG),
    "sha256_end": (SHA, OCTETS),
    "sha1_begin": (SHA1,),
    "sha1_add": (SHA1, OCTETS, LONG),
    "sha1_end": (SHA1, OCTETS),
    "hmac_begin": (SHA, OCTETS, SHORT),
    "hmac_end": (SHA, OCTETS, SHORT, OCTETS),
    "aead_begin": (AEAD, KEY, OCTETS, LONG),
    "aead_seal": (AEAD, KEY, OCTETS, OCTETS, LONG),
    "aead_open": (AEAD, KEY, OCTETS, OCTETS, LONG),
    "aead_end": (AEAD, KEY, OCTETS),
    "gcm_begin": (AEAD, KEY, OCTETS, LONG),
    "gcm_seal": (AEAD, KEY, OCTETS, OCTETS, LONG),
    "gcm_open": (AEAD, KEY, OCTETS, OCTETS, LONG),
    "gcm_end": (AEAD, KEY, OCTETS),
}
"""Of functions with a structure. ctypes passes one by its address where it knows that."""


def had(name: str) -> Path:
    """The library of that name; the test is skipped where there is no network to fetch it from."""
    try:
        return library(name)
    except WhitError as error:
        if "cannot be fetched" not in str(error):
            raise
        pytest.skip(str(error))


def compile_with(compiler: Sequence[str], flash: str, sources: Sequence[Path], to: Path) -> Path:
    """`compiler`: the compiler and options of a machine whose constants are read as in ports/`flash`."""
    to.parent.mkdir(parents=True, exist_ok=True)
    libraries = [word for name in ("monocypher", "p256-m", "bearssl-aes") for word in ("-isystem", str(had(name)))]
    headers = [f"-I{path}" for path in (CRYPTO / "p256_m", ROOT / "include", ROOT / "ports" / flash)]
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-ffunction-sections", "-fdata-sections"]
    made = to.with_suffix(f".{os.getpid()}")
    command = [*compiler, *warnings, *libraries, *headers, *map(str, sources), "-Wl,--gc-sections", "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made.replace(to)
    return to


@cache
def has_aes() -> bool:
    """True if Linux lists the processor's instructions that gcm_wide.c uses."""
    found = re.search(r"^flags\s*:(.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found is not None and {"aes", "pclmulqdq", "sse4_1"} <= set(found[1].split())


@cache
def on_this_machine(kind: str = "small") -> ctypes.CDLL:
    words = ("gcc", "-O2", "-shared", "-fPIC", *(["-DAEAD_PLAIN", "-DLIMBS_IN_C"] if kind == "without-avx2" else []))
    made = ctypes.CDLL(str(compile_with(words, "flat", (*KINDS[kind], GCM[kind]), MADE / f"libcrypto-{kind}.so")))
    for name, arguments in ARGUMENTS.items():
        getattr(made, f"whit_{name}").argtypes = arguments
    for name in ("x25519", "p256_sign", "p256_verify", "rsa_verify", "rsa_check_begin", "rsa_check_step", "equal"):
        getattr(made, f"whit_{name}").restype = ctypes.c_bool
    made.whit_gcm_is_fast.restype = ctypes.c_bool
    return made


def vectors(name: str) -> list[tuple[dict, dict]]:
    """Wycheproof's: each with its group."""
    groups = json.loads((had("wycheproof") / f"{name}_test.json").read_text())["testGroups"]
    return [(group, test) for group in groups for test in group["tests"]]


def room(length: int) -> ctypes.Array:
    return ctypes.create_string_buffer(length)
