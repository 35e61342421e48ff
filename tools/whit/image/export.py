# SPDX-License-Identifier: MIT
"""`whit export`: the engine with one application as sources for other build systems.

The layout is the same for each format. src/ is the only include directory, and each .c file in it is compiled. Files
of one directory include each other by name. Generated wrappers include handlers' files, which end in .inc.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from whit.compiler import Application, CompileError, compile_application
from whit.compiler.model import Limits
from whit.errors import WhitError, reason
from whit.image import export_formats, room
from whit.image.build import find_application
from whit.image.left_out import left_out
from whit.paths import ROOT
from whit.setup.libraries import library
from whit.suggest import did_you_mean
from whit.targets import LINKS, Target

LIBC = ("stdio.h", "stdlib.h", "string.h")
"""Headers of the C library with errors for functions that a server or a device lacks: ports/libc."""
INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]+)([<"])([^>"\n]+)[>"]', re.MULTILINE)
# Parts of the engine of which an image has exactly one.
LINK_SOURCES = {"ethernet": ("ethernet.c", "engine_ethernet.c"), "slip": ("slip.c", "engine_slip.c")}
TABLE_SOURCES = {"scan": ("table_scan.c",), "hash": ("table_hash.c",)}
RECOVERY_SOURCES = {
    "full": ("recovery_full.c",),
    "small": ("recovery_small.c",),
}
# The fast variants of some parts; an exported image has the small ones.
FAST_SOURCES = ("head_code.c", "checksum_wide.c", "segment_template.c", "keyed_hash_unrolled.c")
DATABASE_LIBRARIES = ("bearssl", "monocypher")
FAST_HEADERS = ("whit_head.h",)


@dataclass(frozen=True)
class Exported:
    """An export in `directory`. `sources` are the C files to compile, relative to it."""

    directory: Path
    application: Application
    link: str
    sources: tuple[str, ...]

    @property
    def has_password(self) -> bool:
        """True if the sources hold the password of a database."""
        return self.application.database is not None and self.application.database.password is not None


def export(
    app_dir: str, directory: Path, format_name: str, *, link: str | None = None, overrides: Mapping[str, object] | None
) -> Exported:
    """Writes a new directory, completely or not at all. WhitError names the mistake."""
    form = export_formats.find(format_name)
    link = link or form.link
    if link not in LINKS:
        raise WhitError(f"--link {link}: expected one of {', '.join(LINKS)}{did_you_mean(link, LINKS)}")
    application_dir = find_application(app_dir)
    directory = _free(directory, application_dir)
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    except OSError as error:
        raise WhitError(f"{directory}: {error.strerror}; give a place that is there and can be written") from None
    try:
        exported = _write_sources(application_dir, beside, link, form.machine if link == form.link else None, overrides)
        form.write(exported)
        beside.chmod(0o700 if exported.has_password else 0o755)
        beside.rename(directory)
    except OSError as error:
        raise WhitError(f"{error.filename or directory}: {reason(error)}; give a place that can be written") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return replace(exported, directory=directory)


def _free(directory: Path, app_dir: Path) -> Path:
    """Absolute. It may be there if it is empty."""
    there = directory.resolve()
    if there.is_relative_to(app_dir):
        raise WhitError(f"{directory}: would become part of the application; give a directory outside it")
    if there.exists() and (not there.is_dir() or any(there.iterdir())):
        raise WhitError(f"{directory}: exists already and is not an empty directory; give another name, or remove it")
    return there


def _write_sources(
    app_dir: Path, directory: Path, link: str, machine: Target | None, overrides: Mapping[str, object] | None
) -> Exported:
    src = directory / "src"
    with tempfile.TemporaryDirectory() as scratch:
        generated = Path(scratch)
        try:
            application = compile_application(
                app_dir, generated, overrides=overrides, serial=link == "slip", describes=False
            )
        except CompileError as error:
            raise WhitError(str(error)) from error
        if application.https is not None:
            raise WhitError(f"{app_dir}: has HTTPS, which is not exported yet; ./whit build makes its image")
        if application.secured:
            raise WhitError(f"{app_dir}: has WS-Security, which is not exported yet; ./whit build makes its image")
        if machine is not None:
            room.check(machine, application)
        _copy_headers(generated, src, asks=application.database is not None)
        _copy_engine(src / "engine", generated, link, "hash" if application.hashed else "scan", application.limits)
        if application.database is not None:
            _copy_database(src)
        _copy_application(application, generated, src)
    shutil.copy(ROOT / "LICENSE", directory)
    sources = tuple(sorted(path.relative_to(directory).as_posix() for path in src.rglob("*.c")))
    return Exported(directory, application, link, sources)


def _copy_headers(generated: Path, src: Path, *, asks: bool) -> None:
    """Copies the public headers, the generated ones, and the headers that read constants on each machine."""
    unwanted = () if asks else ("database.h", "row.h")  # they include generated code for a database
    shutil.copytree(ROOT / "include" / "whit", src / "whit", ignore=shutil.ignore_patterns(*unwanted))
    for name in (*LIBC, "absent.h"):
        (src / "whit" / "libc").mkdir(exist_ok=True)
        shutil.copy(ROOT / "ports" / "libc" / name, src / "whit" / "libc")
    for header in generated.glob("*.h"):
        if header.name not in FAST_HEADERS:
            shutil.copy(header, src)
    shutil.copy(ROOT / "ports" / "package" / "Whit.h", src)
    shutil.copy(ROOT / "ports" / "package" / "whit_flash.h", src)
    for port in ("avr", "flat"):
        shutil.copy(ROOT / "ports" / port / "whit_flash.h", src / "whit" / f"flash_{port}.h")


def _copy_engine(to: Path, generated: Path, link: str, table: str, limits: Limits) -> None:
    unwanted = {name for key, names in LINK_SOURCES.items() if key != link for name in names}
    unwanted |= {name for key, names in TABLE_SOURCES.items() if key != table for name in names}
    unwanted |= set(FAST_SOURCES)
    unwanted |= {"log.c", "log_line.c"}  # it has no request log
    unwanted |= {name for key, names in RECOVERY_SOURCES.items() if key != limits.recovery for name in names}
    for pattern in (
        "tls/*.c",
        "*/*_tls.c",
        "wss/*.c",
        "response/service_signed.c",
    ):  # HTTPS, WS-Security; other files include its headers
        unwanted |= {path.name for path in (ROOT / "engine").glob(pattern)}
    if limits.client_connections == 0:
        unwanted |= {path.name for path in (ROOT / "engine" / "outgoing").glob("*.c")}
    engine = sorted((ROOT / "engine").rglob("*.[ch]"))
    wanted = [path for path in engine if path.name not in unwanted]
    for path in wanted:
        copy = to / path.relative_to(ROOT / "engine")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    without = (path for path in engine if path.name in unwanted and path.suffix == ".c")
    _write(to.parent / "generated" / "left_out.c", left_out(without, wanted, generated.glob("*.c")))


def _copy_database(src: Path) -> None:
    """Copies the database client and its libraries; each file contains its licence. No two .c files have the same last
    name."""
    taken, to = {path.name for path in src.rglob("*.c")}, src / "database"
    others = [path for name in DATABASE_LIBRARIES for path in library(name).iterdir()]
    names = {path.name for path in others}

    def beside(match: re.Match[str]) -> str:
        return f'{match[1]}"{match[3]}"' if match[3] in names else match[0]

    for path in sorted((ROOT / "database").glob("*.[ch]")):
        name = f"database_{path.name}" if path.name in taken else path.name
        _write(to / name, INCLUDE.sub(beside, path.read_text(encoding="utf-8")))
    for path in others:
        shutil.copy(path, to)


def _copy_application(application: Application, generated: Path, src: Path) -> None:
    """Copies generated files and the application's own; adapts the names in #include to the new places."""
    of_application = [path for path in application.sources if path.is_relative_to(application.directory)]
    helpers = {path.relative_to(application.directory).as_posix() for path in of_application}
    handlers = {
        resource.source
        for resource in application.resources
        if resource.generator and not resource.page and not resource.generator.endpoint
    }
    names = _new_names(application.directory, handlers, helpers, src)
    for name, new_name in names.items():
        text = (application.directory / name).read_text(encoding="utf-8")
        _write(src / new_name, _moved(text, name, names, application.directory))
    for path in (*generated.glob("*.c"), *generated.glob("page_*.h")):
        _write(src / "generated" / path.name, _moved_generated(path.read_text(encoding="utf-8"), names, src))


def _new_names(app_dir: Path, handlers: set[str], helpers: set[str], src: Path) -> dict[str, str]:
    """Returns the name below src/ of each file of the application that is compiled or included. All .c files differ in
    their last names, because archives of some build systems hold one of each name."""
    taken = {path.name for path in src.rglob("*.c")}
    names: dict[str, str] = {}
    for name in _reached(app_dir, handlers | helpers):
        path = PurePosixPath("application", name)
        if name in helpers:
            while path.name in taken:
                path = path.with_name(f"app_{path.name}")
            taken.add(path.name)
        elif path.suffix == ".c":
            path = path.with_suffix(".inc")
        names[name] = str(path)
    return names


def _reached(app_dir: Path, roots: set[str]) -> list[str]:
    """Returns `roots` and the application's files that they include, sorted."""
    reached: set[str] = set()
    waiting = set(roots)
    while waiting:
        name = waiting.pop()
        reached.add(name)
        text = (app_dir / name).read_text(encoding="utf-8")
        waiting |= {found for _, found in _included(text, name, app_dir)} - reached
    return sorted(reached)


def _included(text: str, name: str, app_dir: Path) -> Iterator[tuple[str, str]]:
    """Yields the directive and the application's file that it names, relative to the source or else to the root."""
    for match in INCLUDE.finditer(text):
        beside = os.path.normpath(PurePosixPath(name).parent / match[3])
        candidates = ([beside] if match[2] == '"' else []) + [os.path.normpath(match[3])]
        for candidate in candidates:
            if not candidate.startswith("..") and (app_dir / candidate).is_file():
                yield match[0], candidate
                break


def _moved(text: str, name: str, names: Mapping[str, str], app_dir: Path) -> str:
    found = dict(_included(text, name, app_dir))
    here = PurePosixPath(names[name]).parent

    def rewrite(match: re.Match[str]) -> str:
        if match[0] not in found:
            return f"{match[1]}<whit/libc/{match[3]}>" if match[3] in LIBC else match[0]
        return f'{match[1]}"{os.path.relpath(names[found[match[0]]], here)}"'

    return INCLUDE.sub(rewrite, text)


def _moved_generated(text: str, names: Mapping[str, str], src: Path) -> str:
    """The compiler's files name handlers in angle brackets and the engine's headers in quotes."""

    def rewrite(match: re.Match[str]) -> str:
        if match[2] == "<" and match[3] in names:
            return f'{match[1]}"../{names[match[3]]}"'
        if match[2] == '"' and (src / "engine" / match[3]).exists():
            return f'{match[1]}"../engine/{match[3]}"'
        return match[0]

    return INCLUDE.sub(rewrite, text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
