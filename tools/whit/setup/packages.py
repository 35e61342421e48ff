# SPDX-License-Identifier: MIT
"""The system packages that a command uses. Standard library only.

A package is recognised by its files, not by the package manager: a compiler from elsewhere is as good. The names are
names of Debian 12 and 13.
"""

import importlib.util
import shutil
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from glob import glob
from itertools import pairwise
from pathlib import Path

from whit.paths import ROOT
from whit.wire.magic import is_capture


@dataclass(frozen=True)
class Package:
    """A package of Debian, and the test whether its files are installed."""

    name: str
    here: Callable[[], bool]


Packages = tuple[Package, ...]


@dataclass(frozen=True)
class Wanted:
    """Packages that a command requires, optional ones, and the peers to fetch: sources and programs that no package
    installs."""

    needed: Packages = ()
    useful: Packages = ()
    peers: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """Names, each once."""
        return list(dict.fromkeys(package.name for package in self.needed + self.useful if not package.here()))


def _program(package: str, program: str | None = None) -> Package:
    return Package(package, lambda: shutil.which(program or package) is not None)


def _file(package: str, *patterns: str) -> Package:
    return Package(package, lambda: any(glob(pattern) for pattern in patterns))


def _header(package: str, path: str) -> Package:
    return _file(package, f"/usr/include/{path}", f"/usr/local/include/{path}")


VENV = Package("python3-venv", lambda: importlib.util.find_spec("ensurepip") is not None)
CMAKE = (_program("cmake"), _program("ninja-build", "ninja"))
# Packages for programs and libraries of this machine.
HOST = (
    *CMAKE,
    _program("gcc"),
    _file("libc6-dev", "/usr/include/stdio.h"),
    _program("pkg-config"),
    _header("libslirp-dev", "slirp/libslirp.h"),
    _header("libglib2.0-dev", "glib-2.0/glib.h"),
    _header("libseccomp-dev", "seccomp.h"),
)
ARM = (
    _program("gcc-arm-none-eabi", "arm-none-eabi-gcc"),
    _file("libnewlib-arm-none-eabi", "/usr/lib/arm-none-eabi/newlib", "/usr/arm-none-eabi/lib"),
)
AVR = (
    _program("gcc-avr", "avr-gcc"),
    _program("binutils-avr", "avr-objcopy"),
    _file("avr-libc", "/usr/lib/avr/include/avr/io.h", "/usr/avr/include/avr/io.h"),
)
RISCV = (
    _program("gcc-riscv64-unknown-elf", "riscv64-unknown-elf-gcc"),
    _file("picolibc-riscv64-unknown-elf", "/usr/lib/picolibc/riscv64-unknown-elf"),
)
PC = (
    _program("gcc-i686-linux-gnu", "i686-linux-gnu-gcc"),
    _file("libc6-dev-i386-cross", "/usr/i686-linux-gnu/include/string.h"),
)
SIMAVR = (_header("libsimavr-dev", "simavr/sim_avr.h"), _header("libelf-dev", "libelf.h"))
MGBA = (_header("libmgba-dev", "mgba/core/core.h"),)
# Packages by the word of --target.
TOOLCHAINS: dict[str, Packages] = {
    "linux": HOST,
    "inprocess": HOST,
    "avr": CMAKE + AVR,
    "cortex-m": CMAKE + ARM,
    "riscv": CMAKE + RISCV,
    "gba": CMAKE + ARM,
    "avr-inprocess": CMAKE + AVR,
    "pc": CMAKE + PC,
}
# Packages for emulators: each is a program of this machine, or needs one.
EMULATORS: dict[str, Packages] = {
    "avr": HOST + SIMAVR,
    "cortex-m": (_program("qemu-system-arm"),),
    "riscv": (_program("qemu-system-misc", "qemu-system-riscv32"),),
    "gba": HOST + MGBA,
    "avr-inprocess": HOST + SIMAVR,
    "pc": (_program("qemu-system-x86", "qemu-system-i386"),),
}
CURL, IP = _program("curl"), _program("iproute2", "ip")
CHROMIUM, APACHE = _program("chromium"), _program("apache2-bin", "apache2")
VALGRIND, CCACHE = _program("valgrind"), _program("ccache")
CLANG = (
    _program("clang"),
    _file("libclang-rt-dev", "/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a"),
)
LLD = _program("lld", "ld.lld")
WRK = _program("wrk")
LOAD = (_program("wget"), WRK, _program("nghttp2-client", "h2load"), _file("netbase", "/etc/services"))
EXPORT = (
    _program("make"),
    _program("arduino-builder"),
    _file("arduino-core-avr", "/usr/share/arduino/hardware/arduino/avr/platform.txt"),
)
MARIADB = (
    _file("mariadb-server-core", "/usr/sbin/mariadbd", "/usr/local/sbin/mariadbd"),
    _program("mariadb-client-core", "my_print_defaults"),
)
NODE, GO = _program("nodejs", "node"), _program("golang-go", "go")
JAVA = _program("default-jdk-headless", "javac")
"""Packages for tests/https. Metro and CXF of tests/toolkits come by Maven; their tests run if both are installed."""
NFTABLES = _program("nftables", "nft")
GSOAP = (_program("gsoap", "soapcpp2"), _header("libgsoap-dev", "stdsoap2.h"), _header("libssl-dev", "openssl/ssl.h"))
SOAP_CLIENTS = (
    _program("php-cli", "php"),
    _file("php-soap", "/usr/lib/php/*/soap.so"),
    _file("libsoap-lite-perl", "/usr/share/perl5/SOAP/Lite.pm"),
    *GSOAP,
)


def _machines(*targets: str) -> Packages:
    """Returns the packages to build and run images for these targets."""
    return _once(package for target in targets for package in TOOLCHAINS[target] + EMULATORS[target])


def _once(packages: Iterable[Package]) -> Packages:
    return tuple({package.name: package for package in packages}.values())


MACHINES = _machines("avr", "cortex-m", "riscv", "gba", "pc")
LWIP, NGINX, MBEDTLS, ED25519 = "lwip", "nginx", "Mbed TLS", "ed25519 of MariaDB"
EXPERIMENTS: dict[str, Wanted] = {
    "traffic": Wanted(peers=(LWIP,)),
    "throughput-mss": Wanted(),
    "checksum-chunks": Wanted(_machines("avr", "gba")),
    "ajax": Wanted(_machines("gba")),
    "functions": Wanted(),
    "memory": Wanted(AVR + ARM, SIMAVR + MGBA),
    "sending-time": Wanted(),
    "contacts": Wanted(_machines("avr")),
    "window": Wanted(useful=_machines("avr"), peers=(LWIP,)),
    "ping": Wanted(_machines("avr", "gba")),
    "loss": Wanted(peers=(LWIP,)),
    "kernel": Wanted(useful=(IP, CURL, CHROMIUM, APACHE, *_machines("avr", "cortex-m", "riscv")), peers=(NGINX,)),
    "crowd": Wanted(HOST, (IP, WRK, NODE, GO, CURL, CHROMIUM), peers=(NGINX, LWIP)),
    "pc": Wanted((*_machines("pc"), *MARIADB), (IP,)),
    "engine": Wanted((VALGRIND, *ARM)),
    "strategies": Wanted(),
    "https": Wanted(useful=(*_machines("cortex-m"), VALGRIND), peers=(MBEDTLS,)),
    "services": Wanted((VALGRIND, *ARM), (IP, APACHE, *GSOAP)),
}
"""Packages by the word of `./whit lab`; each experiment builds programs of this machine too."""

EVERYTHING = Wanted(
    useful=_once(package for wanted in EXPERIMENTS.values() for package in (*wanted.needed, *wanted.useful)),
    peers=(LWIP, NGINX, MBEDTLS),
)
OPENSSL = _program("openssl")
BOGO = _file("golang-golang-x-crypto-dev", "/usr/share/gocode/src/golang.org/x/crypto/chacha20poly1305")
OF_TLS = (OPENSSL, CURL, _program("gnutls-bin", "gnutls-cli"), NODE, GO, CHROMIUM)
TESTS: dict[str, Wanted] = {
    "browser": Wanted(useful=(CHROMIUM, IP)),
    "crypto": Wanted(useful=(VALGRIND, OPENSSL, *_machines("avr", "cortex-m", "riscv", "gba"))),
    "database": Wanted(useful=(CURL, *MARIADB, *_machines("pc")), peers=(ED25519,)),
    "fuzz": Wanted(useful=CLANG),
    "certificate": Wanted(useful=(OPENSSL, _program("git"))),
    "host": Wanted(useful=(CURL, IP, NFTABLES, CCACHE, *CLANG, LLD, *LOAD, *EXPORT, *AVR, *ARM, *SIMAVR)),
    "https": Wanted(
        useful=(
            *(*OF_TLS, _program("wget"), _program("firefox-esr"), _program("libnss3-tools", "certutil"), *MARIADB),
            *(JAVA, IP, NFTABLES),
        )
    ),
    "lab": EVERYTHING,
    "real": Wanted(useful=(CURL, IP, APACHE), peers=(NGINX,)),
    "targets": Wanted(useful=(CURL, IP, NFTABLES, *MACHINES)),
    "toolkits": Wanted(useful=(*SOAP_CLIENTS, NODE, APACHE, *_machines("cortex-m"))),
    "tls": Wanted(useful=(*OF_TLS, BOGO, *_machines("avr", "cortex-m"))),
}
"""Packages by the directory of tests/. Other directories need only the packages that build programs here."""


def every() -> Packages:
    """All packages that some command uses."""
    of_images = (*TOOLCHAINS.values(), *EMULATORS.values(), MARIADB, (VENV,))
    of_others = (wanted.needed + wanted.useful for wanted in (*EXPERIMENTS.values(), *TESTS.values()))
    return _once(package for several in (*of_images, *of_others) for package in several)


OF_QUICK = Wanted()
"""Additional packages for `./whit test --quick`: none."""
OF_USUAL = Wanted(useful=(CURL, IP, OPENSSL, CHROMIUM, *MARIADB, *MACHINES))
"""Additional packages for a plain `./whit test`."""
ALL_TESTS = {"--all", "--rest", "--mutants"}


def wanted(arguments: Sequence[str]) -> Wanted:
    """Returns the packages for a command line."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", ())
    if "--help" in arguments or _is_mistaken(command, rest):
        return Wanted()
    if command in ("run", "build", "report") or (command == "cert" and rest[:1] == ["put"]):
        target = _target(rest)
        runs = command == "run" or "--measure" in rest
        own = MARIADB if command == "run" and _starts_database(rest) else ()
        return Wanted(_once(TOOLCHAINS.get(target, ()) + (EMULATORS.get(target, ()) if runs else ()) + own))
    if command == "lab":
        return _lab(rest)
    if command == "test":
        return _with_host(_tests(rest))
    return Wanted()


TEST_OPTIONS = ("--quick", "--changed", "--all", "--rest", "--mutants", "--seed", "--in")
PYTESTS = ("--quiet", "--pdb")
"""Options of `whit test`: ours, and similar ones of pytest. A misspelt one of ours is refused."""


def _is_mistaken(command: str, words: Sequence[str]) -> bool:
    """True if the command refuses its arguments at once; it must not wait for packages first."""
    if command == "test":
        unknown = [word for word in words if word.startswith("--") and word not in TEST_OPTIONS + PYTESTS]
        return any(get_close_matches(word, TEST_OPTIONS, n=1, cutoff=0.7) for word in unknown)
    return (
        command in ("run", "build", "report") and bool(words) and not (words[0][0:1] == "-" or Path(words[0]).is_dir())
    )


ENDINGS = {"--ladder": (".svg", ".txt"), "--svg": (".svg", ".txt")}
"""Packages for the files that options draw."""


LOCKS_OF_TESTS = ("product", "capture", "test")
LOCKS_OF_LAB = (*LOCKS_OF_TESTS, "lab")
LOCKS_OF_DIRECTORIES = {"lab": "lab", "browser": "docs", "host": "release"}
"""Locks that some tests of a directory of tests/ need; without them these are skipped."""


def locks(arguments: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of the files in requirements/ that a command needs. A command line with a mistake needs no more
    than the product's: it ends at once."""
    command = arguments[0] if arguments else ""
    if "--help" in arguments and command != "test":
        return ("product",)
    if command in ("lab", "model"):
        return LOCKS_OF_LAB
    if command == "test":
        more = (lock for name, lock in LOCKS_OF_DIRECTORIES.items() if _runs_tests_of(name, arguments[1:]))
        return (*LOCKS_OF_TESTS, *more)
    if command in ("docs", "sbom"):
        return ("product", "docs" if command == "docs" else "release")
    return ("product", "capture") if _reads_captures(arguments) else ("product",)


def _runs_tests_of(name: str, words: Sequence[str]) -> bool:
    """True of all tests, and where those of this directory of tests/ are named."""
    directory = ROOT / "tests" / name
    paths = [(ROOT / word.partition("::")[0]).resolve() for word in words if not word.startswith("-")]
    named = [path for path in paths if path.exists()]
    names_them = any(directory.is_relative_to(path) or path.is_relative_to(directory) for path in named)
    return names_them or bool({*ALL_TESTS, "--changed"} & {*words}) or (not named and _selects(words))


def _reads_captures(arguments: Sequence[str]) -> bool:
    words = [part for word in arguments for part in (word.split("=", 1) if word.startswith("--") else [word])]
    asked = [(word, name) for word, name in pairwise(words) if word in ENDINGS]
    if not all(name.endswith(ENDINGS[word]) for word, name in asked):
        return False
    if arguments[:1] and arguments[0] == "ladder":
        return any(is_capture(Path(word)) for word in arguments[1:])
    return bool(asked)


def _lab(words: Sequence[str]) -> Wanted:
    """Returns the packages of the named experiments: of all if all run, none if they are only listed."""
    named = [EXPERIMENTS[word] for word in words if word in EXPERIMENTS]
    if named:
        return _with_host(_together(named))
    return _with_host(EVERYTHING) if {"all", "publish", "check"} & set(words) else Wanted()


def _tests(arguments: Sequence[str]) -> Wanted:
    """Returns the packages of the named files and directories; without names, of all tests."""
    paths = [ROOT / word.partition("::")[0] for word in arguments if not word.startswith("-")]
    named = [path.resolve() for path in paths if path.exists()]
    if named:
        return _together(map(_of_path, named))
    if "--quick" in arguments:
        return OF_QUICK
    return _together(TESTS.values()) if ALL_TESTS & {*arguments} or _selects(arguments) else OF_USUAL


def _selects(arguments: Sequence[str]) -> bool:
    """True if options of pytest, such as -k, choose among all tests."""
    return any(word.startswith("-") and word not in TEST_OPTIONS for word in arguments)


def _of_path(path: Path) -> Wanted:
    tests = ROOT / "tests"
    parts = path.relative_to(tests).parts if path.is_relative_to(tests) else ()
    if not parts:
        return _together(TESTS.values())
    experiment = EXPERIMENTS.get(path.stem.removeprefix("test_").replace("_", "-"))
    if parts[0] == "lab" and experiment:
        return Wanted(useful=_once(experiment.needed + experiment.useful), peers=experiment.peers)
    return TESTS.get(parts[0], Wanted())


def _together(several: Iterable[Wanted]) -> Wanted:
    all_of = tuple(several)
    return Wanted(
        _once(package for one in all_of for package in one.needed),
        _once(package for one in all_of for package in one.useful),
        tuple(dict.fromkeys(peer for one in all_of for peer in one.peers)),
    )


def _with_host(one: Wanted) -> Wanted:
    return Wanted(_once(HOST + one.needed), one.useful, one.peers)


def _starts_database(arguments: Sequence[str]) -> bool:
    """True if app.toml of the named application has a database without an address."""
    for argument in arguments:
        try:
            database = tomllib.loads(Path(argument, "app.toml").read_text()).get("database")
        except (OSError, ValueError):
            continue
        return isinstance(database, dict) and "address" not in database
    return False


def _target(arguments: Sequence[str]) -> str:
    """The word after --target."""
    for index, argument in enumerate(arguments):
        if argument.startswith("--target="):
            return argument.partition("=")[2]
        if argument == "--target" and index + 1 < len(arguments):
            return arguments[index + 1]
    return "linux"
