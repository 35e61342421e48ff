# SPDX-License-Identifier: MIT
"""Builds a fuzz target: the engine, fuzz/app's tables and the target's own files, by clang in one go."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from whit.compiler import compile_application
from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit.setup.libraries import library

FUZZ = ROOT / "fuzz"
CLANG = ("clang", "clang-14", "clang-15", "clang-16")
FLAGS = (
    *("-std=c11", "-g", "-Wall", "-Wextra", "-fno-omit-frame-pointer", "-DWHIT_METER=1"),
    *("-fsanitize=fuzzer,address,undefined", "-fno-sanitize=function", "-fno-sanitize-recover=all"),
)
# But for TLS, whose arithmetic would take long then. What is named where it is never called is looked for without
# optimisation, though an application may not have it.
QUICKLY = ("-O0", "-fno-pie", "-no-pie", "-Wl,--unresolved-symbols=ignore-in-object-files")
CRYPTO = ROOT / "ports" / "common" / "crypto"
PLACES = ("database", "engine", "include/whit", "ports/flat", "ports/common/crypto")
SCRIPTED = ("script.c", "client.c", "world.c", "check.c", "said.c")
ON_APP = (*SCRIPTED, "requests_app.c")
ON_STRATEGIES = (*SCRIPTED, "requests_strategies.c")
DATABASE_LIBRARIES = ("bearssl", "monocypher")
SEALED = ("sealed.c", "sealed_says.c", "quick_crypto.c")


@dataclass(frozen=True)
class Target:
    """A fuzzer: its own files, and the engine that it gets."""

    name: str
    sources: tuple[str, ...]
    corpus: str  # directory below corpus/ and regressions/
    link: str
    table: str
    limits: tuple[tuple[str, int | str], ...]
    len_max: int  # octets of an input
    dictionary: str = ""
    application: str = "app"  # directory below fuzz/
    recovery: str = "full"
    heads: str = "octets"
    floor: str = ""  # of the engine, this alone; no application
    https: bool = False
    secured: bool = False  # WS-Security
    defines: tuple[str, ...] = ()

    @property
    def of_database(self) -> bool:
        """True for the database client alone, without the engine."""
        return self.application == "database"


TARGETS = {
    target.name: target
    for target in (
        Target("frames", ("frames.c", *ON_APP), "frames", "ethernet", "scan", (("buffer", 512),), 400),
        Target(
            "frames_small",
            ("frames.c", *ON_APP),
            "frames",
            "ethernet",
            "hash",
            (("buffer", 128), ("connections", 2), ("chunk", 4), ("idle", 2)),
            400,
        ),
        Target("slip", ("slip.c", *ON_APP), "slip", "slip", "scan", (("buffer", 128), ("connections", 2)), 400),
        Target("frames_tiny", ("frames.c", *ON_APP), "frames", "ethernet", "scan", (), 400, "", "files", "small"),
        Target(
            "slip_small",
            ("slip.c", *ON_APP),
            "slip",
            "slip",
            "scan",
            (("buffer", 128), ("connections", 2), ("chunk", 4), ("idle", 1), ("ping", False), ("link.local", True)),
            400,
            recovery="small",
        ),
        Target(
            "strategies",
            ("frames.c", *ON_STRATEGIES),
            "strategies",
            "ethernet",
            "scan",
            (),
            600,
            application="strategies",
        ),
        Target(
            "strategies_small",
            ("frames.c", *ON_STRATEGIES),
            "strategies",
            "ethernet",
            "hash",
            (("buffer", 736), ("connections", 2), ("chunk", 4), ("idle", 2)),
            600,
            application="strategies",
        ),
        Target("http", ("http.c",), "http", "slip", "scan", (), 900, "http.dict"),
        Target("http_body", ("http.c",), "http_body", "slip", "scan", (), 900, "http.dict", "strategies"),
        Target("http_code", ("http.c",), "http_body", "slip", "scan", (), 900, "http.dict", "strategies", heads="code"),
        Target(
            "services",
            ("frames.c", "bodies.c", *ON_APP[1:]),
            "services",
            "ethernet",
            "scan",
            (),
            900,
            "http.dict",
            "services",
        ),
        Target(
            "signed",
            ("frames.c", "signed.c", "signed_mutate.c", *ON_APP[1:]),
            "signed",
            "ethernet",
            "scan",
            (),
            6000,
            application="signed",
            secured=True,
        ),
        Target(
            "tls", ("tls.c",), "tls", "", "", (), 2000, floor="tls", defines=("WHIT_TLS_ALONE=1", "WHIT_HTTPS_AES=1")
        ),
        Target(
            "sealed",
            ("frames.c", *SEALED, *ON_APP),
            "sealed",
            "ethernet",
            "scan",
            (("https.idle", 2), ("https.aes", True)),
            900,
            https=True,
        ),
        Target(
            "sealed_small",
            ("frames.c", *SEALED, *ON_STRATEGIES),
            "sealed",
            "ethernet",
            "hash",
            (
                *(("buffer", 736), ("connections", 2), ("idle", 2)),
                *(("https.idle", 0), ("https.plain", "redirect"), ("https.early_data", "idempotent")),
            ),
            900,
            application="strategies",
            https=True,
        ),
        Target(
            "sealed_fast",
            ("frames.c", *SEALED, *ON_STRATEGIES),
            "sealed",
            "ethernet",
            "hash",
            (("https.idle", 3), ("https.early_data", "idempotent"), ("https.aes", True)),
            900,
            application="strategies",
            heads="code",
            https=True,
            defines=("WHIT_TLS_RECORD=1460", "WHIT_TLS_BUFFER=24576", "WHIT_TLS_KEYS=4"),
        ),
        Target(
            "database",
            ("database.c", "../tests/database/client.c"),
            "database",
            "",
            "",
            (),
            600,
            application="database",
            defines=("WHIT_DATABASE_FAST=1",),
        ),
        Target(
            "bodies",
            ("frames.c", "bodies.c", *ON_STRATEGIES[1:]),
            "bodies",
            "ethernet",
            "scan",
            (),
            900,
            "http.dict",
            "strategies",
        ),
    )
}


def missing() -> str:
    """Returns the reason why this machine cannot fuzz, or ""."""
    clang = _clang()
    if clang is None:
        return f"clang not found (any of {', '.join(CLANG)}); Debian: apt install clang libclang-rt-dev"
    probe = [clang, "-fsanitize=fuzzer,address", "-x", "c", "-", "-o", "/dev/null"]
    source = (
        "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *p, size_t n) { return p && n ? 0 : 0; }\n"
    )
    if subprocess.run(probe, input=source, capture_output=True, text=True).returncode != 0:
        return f"{clang} has no libFuzzer or AddressSanitizer; Debian: apt install libclang-rt-dev"
    return ""


def build(target: Target, *, quickly: bool = False) -> Path:
    """The fuzzer's program; made again when a source is newer. Quickly: in a third of the time, for a short run."""
    clang = _clang()
    if clang is None:
        raise WhitError(missing())
    directory = BUILD / "fuzz" / (f"{target.name}-quickly" if quickly else target.name)
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        generated = directory / "generated"
        limits: dict[str, object] = {**dict(target.limits), "recovery": target.recovery}
        if target.https:
            limits |= _identity()
        if target.floor:
            generated.mkdir(exist_ok=True)
            engine = [*(ROOT / "engine" / target.floor).glob("*.c"), *CRYPTO.glob("*.c")]
        else:
            os.environ["WHIT_FUZZ_PASSWORD"] = "secret"  # of fuzz/signed
            application = compile_application(FUZZ / target.application, generated, overrides=limits)
            engine = _login(application.sources) if target.of_database else [*_engine(target), *application.sources]
        sources = [*(_unit(directory, engine) if quickly else engine), *(FUZZ / name for name in target.sources)]
        program = directory / target.name
        if _is_fresh(program, generated, FUZZ / target.application):
            return program
        includes = [f"-I{ROOT / 'include'}", f"-I{generated}", f"-I{ROOT / 'ports' / 'flat'}"]
        if target.floor or target.https:
            includes += [f"-I{CRYPTO / 'p256_m'}"]
            includes += [
                word for name in ("monocypher", "p256-m", "bearssl-aes") for word in ("-isystem", str(library(name)))
            ]
        private = ["-iquote", str(ROOT / "engine"), "-idirafter", str(FUZZ / target.application)]
        if target.of_database:
            includes += [word for name in DATABASE_LIBRARIES for word in ("-isystem", str(library(name)))]
            private += ["-iquote", str(ROOT)]
        defines = [f"-D{one}" for one in target.defines]
        if target.table == "hash":  # which is of builds that have more connections
            defines.append("-DWHIT_PROMISES=0")
        log = ["-DWHIT_HAS_LOG=1", "-DWHIT_HAS_PAGES=1"] if _logs(target) else []
        optimized = QUICKLY if quickly and not target.floor else ("-O1",)
        command = [
            clang,
            *FLAGS,
            *optimized,
            *defines,
            *log,
            *includes,
            *private,
            *map(str, sources),
            "-o",
            f"{program}.new",
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise WhitError(f"{target.name} was not built:\n{done.stderr.strip()}".replace(f"{ROOT}/", ""))
        Path(f"{program}.new").replace(program)
        return program


def _unit(directory: Path, sources: list[Path]) -> list[Path]:
    """The engine's as one translation unit, and the others."""
    unit = directory / "engine.c"
    inner = [path for path in sources if path.is_relative_to(ROOT / "engine")]
    unit.write_text("".join(f'#include "{path}"\n' for path in inner))
    return [unit, *(path for path in sources if path not in inner)]


def _clang() -> str | None:
    return next((path for name in CLANG if (path := shutil.which(name))), None)


def _logs(target: Target) -> bool:
    """True if the target has the request log and the pages of errors: all but the parser's own."""
    return target.sources != ("http.c",)


def _engine(target: Target) -> list[Path]:
    links = {"ethernet": {"slip.c", "engine_slip.c"}, "slip": {"ethernet.c", "engine_ethernet.c"}}
    others = set(links[target.link])
    other_table = "hash" if target.table == "scan" else "scan"
    others |= {f"table_{other_table}.c"}
    others |= {"recovery_small.c"} if target.recovery == "full" else {"recovery_full.c"}
    others |= (
        {"head_code.c", "checksum_wide.c", "segment_template.c", "keyed_hash_unrolled.c"}
        if target.heads == "octets"
        else {"head_octets.c", "checksum_small.c", "segment_plain.c", "keyed_hash_small.c"}
    )
    sealed = {path.name for path in (ROOT / "engine" / "tls").glob("*.c")}
    sealed |= {path.name for path in (ROOT / "engine").glob("*/*_tls.c")}
    others |= set() if target.https else sealed
    if not target.secured:
        others |= {path.name for path in (ROOT / "engine" / "wss").glob("*.c")}
    others |= {"service_signed.c"}
    if not any(key.startswith("client.") for key, _ in target.limits):
        others |= {path.name for path in (ROOT / "engine" / "outgoing").glob("*.c")}
    if not _logs(target):
        others |= {"log.c", "log_line.c"}
    engine = [path for path in sorted((ROOT / "engine").rglob("*.c")) if path.name not in others]
    hashes = [CRYPTO / "sha256.c"] * (target.https or target.secured) + [CRYPTO / "sha1.c"] * target.secured
    gcm = CRYPTO / ("gcm.c" if target.heads == "octets" else "wide/gcm_wide.c")
    return [*engine, *hashes, *([gcm] if ("https.aes", True) in target.limits else [])]


def _login(generated: Iterable[Path]) -> list[Path]:
    """Returns the sources of a database client that fuzz/database.c does not include: statements, and third-party
    files."""
    others = [path for name in DATABASE_LIBRARIES for path in sorted(library(name).glob("*.c"))]
    ours = [path for path in generated if path.name == "whit_database.c"]
    return [*ours, *sorted((ROOT / "database").glob("login_*.c")), *others]


def _identity() -> dict[str, object]:
    """A certificate and its key, which are never looked at."""
    from whit.certificate.authority import authority, new

    place = BUILD / "fuzz" / "identity"
    place.mkdir(exist_ok=True)
    certificate, key = place / "certificate.pem", place / "key.pem"
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not certificate.exists():
            new(certificate, key, "whit.test", (), authority(), 3650)
    return {"https.certificate": str(certificate), "https.key": str(key)}


def _is_fresh(program: Path, generated: Path, application: Path) -> bool:
    if not program.exists():
        return False
    made = program.stat().st_mtime
    sources = [
        *(path for place in PLACES for path in (ROOT / place).rglob("*.[ch]")),
        *application.iterdir(),
        *FUZZ.glob("*.[ch]"),
        *generated.iterdir(),
        Path(__file__),
    ]
    return all(path.stat().st_mtime < made for path in sources)
