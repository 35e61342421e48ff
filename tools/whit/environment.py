# SPDX-License-Identifier: MIT
"""What the tools need from the machine: system packages and a private Python environment. Standard library only.

A package is recognised by what it brings, not by the package manager's word: a compiler from elsewhere is as good.
"""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import NoReturn

from whit.errors import WhitError
from whit.lab.instruments import lwip_build
from whit.real import unpacked

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "whit-requirements"


@dataclass(frozen=True)
class Package:
    """A package of Debian and the test that tells whether what it brings is here."""

    name: str
    here: Callable[[], bool]


def _program(package: str, program: str | None = None) -> Package:
    return Package(package, lambda: shutil.which(program or package) is not None)


def _file(package: str, *patterns: str) -> Package:
    return Package(package, lambda: any(glob(pattern) for pattern in patterns))


BUILD = (
    _program("gcc"),
    _file("libc6-dev", "/usr/include/stdio.h"),
    _program("cmake"),
    _program("ninja-build", "ninja"),
    _program("pkg-config"),
    _file("libslirp-dev", "/usr/include/slirp/libslirp.h", "/usr/local/include/slirp/libslirp.h"),
    _file("libglib2.0-dev", "/usr/include/glib-2.0/glib.h", "/usr/local/include/glib-2.0/glib.h"),
)
VENV_MODULE = Package("python3-venv", lambda: importlib.util.find_spec("ensurepip") is not None)
ARM = (
    _program("gcc-arm-none-eabi", "arm-none-eabi-gcc"),
    _file("libnewlib-arm-none-eabi", "/usr/lib/arm-none-eabi/newlib", "/usr/arm-none-eabi/lib"),
)
# By the word of --target.
TOOLCHAINS: dict[str, tuple[Package, ...]] = {
    "avr": (
        _program("gcc-avr", "avr-gcc"),
        _program("binutils-avr", "avr-objcopy"),
        _file("avr-libc", "/usr/lib/avr/include/avr/io.h", "/usr/avr/include/avr/io.h"),
    ),
    "cortex-m": ARM,
    "riscv": (
        _program("gcc-riscv64-unknown-elf", "riscv64-unknown-elf-gcc"),
        _file("picolibc-riscv64-unknown-elf", "/usr/lib/picolibc/riscv64-unknown-elf"),
    ),
    "gba": ARM,
}
EMULATORS: dict[str, tuple[Package, ...]] = {
    "avr": (
        _file("libsimavr-dev", "/usr/include/simavr/sim_avr.h", "/usr/local/include/simavr/sim_avr.h"),
        _file("libelf-dev", "/usr/include/libelf.h"),
    ),
    "cortex-m": (_program("qemu-system-arm"),),
    "riscv": (_program("qemu-system-misc", "qemu-system-riscv32"),),
    "gba": (_file("libmgba-dev", "/usr/include/mgba/core/core.h", "/usr/local/include/mgba/core/core.h"),),
}
TARGETS = tuple(dict.fromkeys(package for name in TOOLCHAINS for package in TOOLCHAINS[name] + EMULATORS[name]))
MEASURE = (_program("valgrind"),)
REAL = (_program("apache2-bin", "apache2"), _program("chromium"), _program("curl"), _program("iproute2", "ip"))
TEST = (
    *REAL,
    _program("clang"),
    _file("libclang-rt-dev", "/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a"),
    _program("nftables", "nft"),
    _program("wget"),
    _program("wrk"),
    _file("netbase", "/etc/services"),
    _program("make"),
    _program("arduino-builder"),
    _file("arduino-core-avr", "/usr/share/arduino/hardware/arduino/avr/platform.txt"),
)


def _packages(arguments: Sequence[str]) -> tuple[tuple[Package, ...], tuple[Package, ...]]:
    """What a command cannot do without, and what it does more with."""
    command = arguments[0] if arguments else ""
    if command in ("run", "build", "report"):
        target = _target(arguments)
        runs = command == "run" or "--measure" in arguments
        return BUILD + TOOLCHAINS.get(target, ()) + (EMULATORS.get(target, ()) if runs else ()), ()
    if command == "lab":
        return BUILD, TARGETS + MEASURE + REAL
    if command == "test":
        return BUILD, TARGETS + MEASURE + TEST
    return (), ()


def _fetch_peers(arguments: Sequence[str]) -> None:
    """What the laboratory compares with and no package installs. It says what it leaves out for want of them."""
    if list(arguments[:1]) not in (["lab"], ["test"]) or list(arguments) == ["lab"]:
        return
    for fetch in (lwip_build.sources, lambda: unpacked.unpack("nginx")):
        try:
            fetch()
        except WhitError as error:
            _say(str(error))


def _target(arguments: Sequence[str]) -> str:
    """The word behind --target, "" when there is none."""
    for index, argument in enumerate(arguments):
        if argument.startswith("--target="):
            return argument.partition("=")[2]
        if argument == "--target" and index + 1 < len(arguments):
            return arguments[index + 1]
    return ""


def _fail(text: str) -> NoReturn:
    print(f"whit: {text}", file=sys.stderr)
    sys.exit(2)


def _say(text: str) -> None:
    print(f"whit: {text}", file=sys.stderr, flush=True)


def _apt_install(names: list[str]) -> bool:
    """Installs as root. The log is shown only when it fails."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *names]
    _say(f"installing {' '.join(names)}")
    if subprocess.run(install, env=environment, capture_output=True).returncode == 0:
        return True
    subprocess.run(["apt-get", "update", "-qq"], env=environment, capture_output=True)
    done = subprocess.run(install, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
    return done.returncode == 0


def _install_packages(needed: tuple[Package, ...], useful: tuple[Package, ...]) -> None:
    missing = [package.name for package in needed + useful if not package.here()]
    if not missing:
        return
    can_install = os.geteuid() == 0 and shutil.which("apt-get") is not None
    if can_install and _apt_install(missing):
        return
    command = f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install -y --no-install-recommends {' '.join(missing)}"
    if any(not package.here() for package in needed):
        _fail(f"system packages are missing; install them with: {command}")
    _say(f"some of it will be skipped, as system packages are missing; install them with: {command}")


@contextmanager
def _alone() -> Iterator[None]:
    """Keeps a second process from setting the same environment up meanwhile."""
    (ROOT / ".whit").mkdir(exist_ok=True)
    with open(ROOT / ".whit" / "setup.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest() -> str:
    return hashlib.sha256(LOCK.read_bytes() + str(VENV).encode()).hexdigest()


def _is_current() -> bool:
    return PYTHON.exists() and STAMP.exists() and STAMP.read_text() == _digest()


def _has_pip() -> bool:
    """False also for an environment that was left half made, or moved."""
    return PYTHON.exists() and subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0


def _run_or_fail(command: list[str], what: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        _fail(f"{what} failed; what it said stands above. Is the network there? Then try again.")


def _make_python_environment() -> None:
    """Creates the private environment and brings it to exactly what requirements.lock says."""
    _install_packages((VENV_MODULE,), ())
    with _alone():
        if _is_current():
            return
        if not _has_pip():
            _say("creating the Python environment in .venv")
            _run_or_fail([sys.executable, "-m", "venv", "--clear", str(VENV)], "python3 -m venv")
        _say("installing the Python packages of requirements.lock")
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(LOCK)]
        _run_or_fail(pip, "pip install")
        for site_packages in VENV.glob("lib/python3*/site-packages"):
            (site_packages / "whit.pth").write_text(f"{ROOT / 'tools'}\n")
        STAMP.write_text(_digest())


def enter(arguments: Sequence[str]) -> NoReturn:
    """Goes on as the package's program in the private environment, with all there that the command needs."""
    try:
        wants_help = "--help" in arguments
        if not wants_help:
            _install_packages(*_packages(arguments))
            _fetch_peers(arguments)
        if not _is_current():
            _make_python_environment()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        _fail(f"{error.filename or ROOT}: {error.strerror}; the source tree must be writable for .venv and build")
    os.execv(PYTHON, [str(PYTHON), "-P", "-m", "whit", *arguments])
