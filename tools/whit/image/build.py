# SPDX-License-Identifier: MIT
"""Builds an image from an application's directory: application compiler, CMake, Ninja.

Each set of settings has its own directory under build/, so that builds neither disturb nor repeat each other.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from whit.compiler import Application, CompileError, compile_application
from whit.compiler.app_toml import FILE
from whit.compiler.coder import Coder
from whit.errors import WhitError, one_line
from whit.image import budget, c_messages, room
from whit.image.build_result import BuildResult as BuildResult
from whit.paths import BUILD, ROOT
from whit.setup.libraries import library
from whit.suggest import meant
from whit.targets import LINKS, Target, find_target

Overrides = Mapping[str, object]
# Unusable in a path. Bytes that are no UTF-8 are surrogates in Python.
_UNUSABLE = re.compile(r"\$\(|\$\w*\{|[;\\\x00-\x1f\x7f\ud800-\udfff]")
SPACE_MIN = 1 << 16  # octets: with less than this, a build has failed for want of space


@dataclass(frozen=True)
class Settings:
    """All inputs of an image in addition to the sources."""

    app_dir: str
    target: str
    link: str
    overrides: tuple[tuple[str, str], ...]
    sanitize: bool
    meter: bool
    log: bool
    optimize: str
    compiler: str
    one_unit: bool = True
    heads: str = ""
    checksum: str = ""
    segment: str = ""
    keyed_hash: str = ""
    crypto: str = ""
    alignment: int = 0
    drops: bool = False
    closes: bool = False
    live: bool = False  # pages with a script that reloads them, which no other image has
    run_port: int = 0

    @property
    def directory(self) -> Path:
        fields = asdict(self)
        if not self.run_port:
            del fields["run_port"]
        digest = hashlib.sha256(json.dumps(fields).encode()).hexdigest()[:12]
        name = re.sub(r"[^A-Za-z0-9_]+", "-", Path(self.app_dir).name)
        return BUILD / f"{name}-{self.target}-{digest}"


def build(
    app_dir: str | Path,
    *,
    target: str = "linux",
    link: str | None = None,
    overrides: Overrides | None = None,
    sanitize: bool = False,
    meter: bool = False,
    log: bool | None = None,
    optimize: str | None = None,
    one_unit: bool = True,
    heads: str = "",
    checksum: str = "",
    segment: str = "",
    keyed_hash: str = "",
    crypto: str = "",
    alignment: int = 0,
    drops: bool = False,
    closes: bool = False,
    check_budget: bool = True,
    html_end: bytes = b"",
    run_port: int = 0,
    progress: Callable[[str], None] = lambda step: None,
) -> BuildResult:
    """Builds an image, or finds it built. `progress` is called with each step. WhitError names the mistake.

    * `log`: with the request log; None: the target's default
    * `one_unit`: the engine is one translation unit; False: one per file, so that a file can be replaced
    * `heads`: octets or code
    * `checksum`: small or wide
    * `segment`: plain or template
    * `keyed_hash`: small or unrolled
    * `crypto`: small or wide (docs/command-line.md)
    * `alignment`: of handlers' structs, in octets
    * `drops`: the in-process driver drops a frame that found no slot, as a small device does
    * `closes`: the in-process engine closes idle connections by a FIN, as a large machine does
    * `run_port`: WHIT_RUN_PORT for the application's sources, the port of `whit run`; 0: undefined

    Empty or 0 means the target's default.
    """
    machine = find_target(target)
    link = link or machine.link
    if link not in LINKS or (target == "linux" and link != "ethernet"):
        raise WhitError(f"link {link} of target {target}: expected ethernet, or slip where the target is not linux")
    application_dir = find_application(app_dir)
    settings = Settings(
        app_dir=str(application_dir),
        target=target,
        link=link,
        overrides=tuple(sorted((key, repr(value)) for key, value in (overrides or {}).items())),
        sanitize=sanitize,
        meter=meter,
        log=machine.logs if log is None else log,
        optimize=optimize or machine.optimize,
        compiler=os.environ.get("CC", ""),
        one_unit=one_unit,
        heads=heads,
        checksum=checksum,
        segment=segment,
        keyed_hash=keyed_hash,
        crypto=crypto,
        alignment=alignment,
        drops=drops,
        closes=closes,
        live=bool(html_end),
        run_port=run_port,
    )
    with _locked(settings.directory):
        progress("compiling the application")
        coder = Coder(BUILD / "compressed", progress)
        application = _compile(settings, machine, overrides, coder, html_end)
        room.check(machine, application)
        libraries = _libraries(application, progress)
        progress("looking at the compiler")
        _configure(settings, machine, application, libraries)
        progress("compiling the engine and the application")
        warnings = c_messages.hints(_ninja(settings, application), application)
        stem = f"whit-{_image_name(application)}"
        result = BuildResult(
            application=application,
            target=target,
            image=settings.directory / f"{stem}{machine.suffix}",
            flashable=settings.directory / f"{stem}{machine.flashable}" if machine.flashable else None,
            map=settings.directory / "image.map",
            directory=settings.directory,
            generated=settings.directory / "generated",
            hints=(*map(c_messages.near, application.hints), *warnings),
        )
        if check_budget:
            progress("measuring")
            budget.check(result)
    return result


def find_application(app_dir: str | Path) -> Path:
    """Returns the directory as an absolute path. The compiler checks that it is an application."""
    path, said = Path(app_dir), _printable(str(app_dir))
    known = sorted(child.name for child in (ROOT / "apps").glob("*") if child.is_dir())
    there = f"; there are apps/{', apps/'.join(known)}" if known else ""
    if not path.exists():
        if guess := meant(path.name, known):
            there = f"; did you mean {c_messages.from_here(ROOT / 'apps' / guess)}?"
        raise WhitError(f"{said}: no such directory{there}; ./whit new NAME makes one")
    if not path.is_dir():
        if not _holds_whit(path.parent):
            there = f"; did you mean {path.parent}?"
        raise WhitError(f"{said}: expected an application's directory, this is a file{there}")
    if inner := _applications_in(path):
        raise WhitError(f"{said}: expected an application's directory; did you mean {' or '.join(inner)}?")
    if _holds_whit(path):
        raise WhitError(f"{said}: expected an application's directory, all of which is served; Whit is in it{there}")
    path = path.resolve()
    if wrong := _UNUSABLE.search(str(path)):
        expected = "expected UTF-8 without ; \\ ${ $( and control characters, which CMake cannot take; rename it"
        raise WhitError(f"{_printable(str(path))}: a {_printable(wrong[0])} in the path: {expected}")
    return path


def _holds_whit(directory: Path) -> bool:
    return ROOT.is_relative_to(directory.resolve())


def _applications_in(directory: Path) -> list[str]:
    """The applications one level below a directory; none if it is an application itself."""
    if (directory / FILE).exists():
        return []
    try:
        return sorted(str(found.parent) for found in directory.glob(f"*/{FILE}"))
    except OSError:  # the build reports it
        return []


def _printable(text: str) -> str:
    return one_line(os.fsencode(text).decode("utf-8", "backslashreplace"))


def _image_name(application: Application) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", application.name)


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Locks the directory for one build. The system releases the lock of a dead process."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o700)  # an image may hold a password
        lock = os.open(directory / "lock", os.O_WRONLY | os.O_CREAT, 0o644)
    except PermissionError as error:
        raise WhitError(
            f"{error.filename}: not yours to write, another user built there; remove {BUILD} as that user"
        ) from None
    except OSError as error:
        raise WhitError(f"{error.filename}: {error.strerror}; expected a directory for builds") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _compile(
    settings: Settings, machine: Target, overrides: Overrides | None, coder: Coder, html_end: bytes
) -> Application:
    """Compiles the application. Unchanged files keep their time, so that Ninja builds only what depends on others."""
    place, generated, serial = Path(settings.app_dir), settings.directory / "generated", settings.link == "slip"
    try:
        return compile_application(
            place,
            generated,
            overrides=overrides,
            coder=coder,
            html_end=html_end,
            serial=serial,
            describes=machine.describes,
            host=machine.logs,
        )
    except CompileError as error:
        raise WhitError(c_messages.near(str(error))) from error


def _libraries(application: Application, progress: Callable[[str], None]) -> dict[str, str]:
    """Returns the directories of the libraries that the image needs, as variables for CMake."""
    wanted = {"bearssl", "monocypher"} if application.database is not None else set()
    wanted |= {"monocypher", "p256-m"} if application.https is not None else set()
    wanted |= {"bearssl-aes"} if application.https is not None and application.https.aes else set()
    wanted |= {"p256-m"} if application.signed else set()
    if wanted:
        progress("looking for libraries, fetched once")
    return {f"WHIT_{name.upper().replace('-', '')}": str(library(name)) for name in sorted(wanted)}


def _configure(settings: Settings, target: Target, application: Application, libraries: Mapping[str, str]) -> None:
    directory = settings.directory
    variables = {
        **libraries,
        "CMAKE_BUILD_TYPE": "Release",
        "WHIT_PORT": target.port,
        "WHIT_LINK": settings.link,
        "WHIT_TABLE": "hash" if application.hashed else "scan",
        "WHIT_RECOVERY": application.limits.recovery,
        "WHIT_CLIENTS": "ON" if application.limits.client_connections else "OFF",
        "WHIT_TLS": "ON" if application.https is not None else "OFF",
        "WHIT_REPLIES": "ON" if application.replies is not None else "OFF",
        "WHIT_WSS": "signed" if application.signed else "digest" if application.secured else "",
        "WHIT_HEADS": settings.heads,
        "WHIT_CHECKSUM": settings.checksum,
        "WHIT_SEGMENT": settings.segment,
        "WHIT_KEYED_HASH": settings.keyed_hash,
        "WHIT_CRYPTO": settings.crypto,
        "WHIT_ALIGNMENT": str(settings.alignment or ""),
        "WHIT_DROPS": "ON" if settings.drops else "OFF",
        "WHIT_CLOSES": "ON" if settings.closes else "OFF",
        "WHIT_GENERATED": str(directory / "generated"),
        "WHIT_APP_DIR": settings.app_dir,
        "WHIT_APP_NAME": _image_name(application),
        "WHIT_RUN_PORT": str(settings.run_port or ""),
        "WHIT_OPTIMIZE": settings.optimize,
        "WHIT_LOG": "ON" if settings.log else "OFF",
        "WHIT_PAGES": "ON" if settings.log and (target.logs or not target.is_device) else "OFF",
        "WHIT_ONE_UNIT": "ON" if settings.one_unit else "OFF",
        "WHIT_METER": "ON" if settings.meter else "OFF",
        "WHIT_SANITIZE": "ON" if settings.sanitize else "OFF",
    }
    if target.toolchain:
        variables["CMAKE_TOOLCHAIN_FILE"] = str(ROOT / "ports" / target.port / "toolchain.cmake")
    command = ["cmake", "-S", str(ROOT), "-B", str(directory), "-G", "Ninja", "--no-warn-unused-cli"]
    command += [f"-D{name}={value}" for name, value in variables.items()]
    stamp, asked = directory / "configured", "\n".join(command)
    if target.toolchain:  # of which CMake looks at the flags but once
        asked += "\n" + Path(variables["CMAKE_TOOLCHAIN_FILE"]).read_text()
    if (directory / "build.ninja").exists() and stamp.exists() and stamp.read_text() == asked:
        return
    stamp.unlink(missing_ok=True)
    (directory / "CMakeCache.txt").unlink(missing_ok=True)
    done = _run(command)
    if done.returncode != 0:
        _check_space(done.stdout)
        raise WhitError(c_messages.of_cmake(done.stdout))
    stamp.write_text(asked)


def _ninja(settings: Settings, application: Application) -> str:
    """Returns the output of ninja."""
    done = _run(["ninja", "-C", str(settings.directory)])
    if done.returncode == 0:
        return done.stdout
    _check_space(done.stdout)
    if "ninja: error: " in done.stdout:  # its own files: CMake shall write them again
        (settings.directory / "configured").unlink(missing_ok=True)
    text = c_messages.explained(done.stdout, application, settings.directory / "generated")
    raise WhitError(text or f"the build failed:\n{done.stdout.strip()}")


def _check_space(log: str) -> None:
    """WhitError: the disk is full. Each tool has another message for that."""
    if "No space left on device" in log or shutil.disk_usage(BUILD).free < SPACE_MIN:
        raise WhitError(f"{BUILD}: no space left on the device; free some, or remove what was built there")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=os.environ | {"LC_ALL": "C"},  # c_messages reads English
        )
    except FileNotFoundError as error:
        raise WhitError(f"{command[0]}: not found; ./whit build installs it, or names the package") from error
