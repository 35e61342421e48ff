# SPDX-License-Identifier: MIT
"""Date, commit and versions of the tools of a measurement."""

import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata

from whit.paths import ROOT
from whit_lab.real import mbedtls, servers
from whit_testbed import lwip_build

PROGRAMS = {  # programs whose --version begins with their version
    "gcc": "gcc",
    "avr-gcc": "avr-gcc",
    "arm-none-eabi-gcc": "arm-none-eabi-gcc",
    "riscv64-unknown-elf-gcc": "riscv64-unknown-elf-gcc",
    "i686-linux-gnu-gcc": "i686-linux-gnu-gcc",
    "valgrind": "valgrind",
    "QEMU": "qemu-system-arm",
    "Chromium": "chromium",
}
PACKAGES = {
    "simavr": "libsimavr-dev",
    "mGBA": "libmgba-dev",
    "C library": "libc6-dev",
    "avr-libc": "avr-libc",
    "newlib": "libnewlib-arm-none-eabi",
    "OpenSSL": "libssl3",
    "MariaDB": "mariadb-server-core",
    "gSOAP": "gsoap",
    "wrk": "wrk",
}


def circumstances(*, reduced: bool) -> dict[str, str]:
    """Returns date, commit and versions. Missing programs are left out."""
    said = {
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "form": "reduced" if reduced else "full",
        "commit": _commit(),
        "Python": platform.python_version(),
        "matplotlib": metadata.version("matplotlib"),
        "kernel": platform.release().partition("-")[0],
    }
    said |= {name: version(program) for name, program in PROGRAMS.items()}
    said |= {name: _numbers(servers.version(name)) for name in servers.NAMES if not servers.why_not(name)}
    said |= {name: _package(package) for name, package in PACKAGES.items()}
    said |= {"lwIP": lwip_build.VERSION if lwip_build.SOURCES.exists() else ""}
    said |= {"Mbed TLS": mbedtls.version()}
    return {name: value for name, value in said.items() if value}


def tools(names: Sequence[str], here: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns versions of these tools, and of Python. here: all circumstances, if they are known."""
    known = circumstances(reduced=False) if here is None else here
    return {name: known.get(name, "not here") for name in ("Python", *names)}


def version(program: str) -> str:
    if shutil.which(program) is None:
        return ""
    return _numbers(_said([program, "--version"]))


def _numbers(said: str) -> str:
    """Returns the first version in the text."""
    lines = [re.findall(r"\d+\.\d[\w.+~-]*", re.sub(r"\([^)]*\)", "", line)) for line in said.splitlines()]
    return next((numbers[0] for numbers in lines if numbers), "")


def _commit() -> str:
    """Returns the measured commit, marked if there are uncommitted changes."""
    return _said(["git", "-C", str(ROOT), "describe", "--always", "--abbrev=12", "--dirty=, with changes"])


def _package(name: str) -> str:
    return _said(["dpkg-query", "--show", "--showformat=${Version}", name])


def _said(command: list[str]) -> str:
    """Returns the output, errors included; "" if the program is missing."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def seeds(settings: Mapping[str, object]) -> str:
    """Returns the seeds in an experiment's settings."""
    return ", ".join(f"{value}" for key, value in settings.items() if "seed" in key)
