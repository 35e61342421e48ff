# SPDX-License-Identifier: MIT
"""Walks the application's directory: files that are served, their paths, and files that are only compiled."""

import re
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from whit.plain_files import DEPTH_MAX, below, octets_of

from . import annotation, answers, app_toml, c_source, pages, persistent_calls, private_files, protothread
from .coder import Coder
from .errors import CompileError
from .heads import error_head, generated_head
from .hints import editors_copy, hints, other_name, others_template, text_len
from .mime import content_type_of
from .model import Area, Coding, Generator, Representation, Resource
from .services import read as services
from .services import soap
from .services.model import Way
from .variants import representations

PATH_MAX = 200
FILE_MAX = (1 << 24) - 1024  # octets: with its head, positions in a response have 24 bits
# Files at the top of the directory that are bodies of errors, by the statuses in grammar.h that refuse a request.
ERROR_FILES = frozenset(
    f"{status}.html" for status in (400, 404, 405, 408, 412, 413, 414, 415, 431, 500, 501, 503, 505)
)
SCHEMA = "schema.sql"  # the initial content of the application's database
TEST = "test.py"  # its test


@dataclass(frozen=True)
class Directory:
    """An application's files, each list in the order of paths."""

    resources: tuple[Resource, ...]
    helpers: tuple[str, ...]  # C files without a <generator> element, relative to the directory
    set_timer_cnt: int = 0  # calls of set_timer() in all C files
    errors: tuple[tuple[str, Resource], ...] = ()  # bodies of errors, by enum http_status
    hints: tuple[str, ...] = ()  # probable mistakes, a line each
    client_open: tuple[str, int] | None = None  # the first place that opens connections: source and line


def read(
    directory: Path,
    areas: Mapping[str, Area],
    raw_len: int,
    coder: Coder | None = None,
    html_end: bytes = b"",
    private: Collection[str] = (),
) -> Directory:
    """Every file of the application becomes a resource, a helper, or nothing; or is an error. `private`: files that
    look so and are served all the same."""
    coder = coder or Coder()
    resources: dict[str, Resource] = {}
    helpers: list[str] = []
    owners: dict[str, str] = {}  # non-static handlers, by name
    errors: list[tuple[str, Resource]] = []
    set_timer_cnt = 0
    client_open: tuple[str, int] | None = None
    told = list(private_files.hidden(directory))
    sources = sorted(_files(directory, ""))
    coder.begin(sum(_len_of(directory / source) for source in sources if not source.endswith((".c", pages.SUFFIX))))
    for source in sources:
        file = directory / source
        resource: Resource | None
        if source.endswith(".c"):
            private_files.check_link(directory, file, private)
        else:
            private_files.check(directory, source, _content(file), private)
        if source in ERROR_FILES:
            errors += _of_error(file, source, html_end)
            continue
        told += other_name(file, source)
        if source.endswith(pages.SUFFIX):
            if pages.is_part(source):
                continue
            resource = _of_page(directory, source)
        elif source.endswith(".c"):
            code = _c_text(file, source)
            told += hints(file, code)
            set_timer_cnt += len(re.findall(r"\bset_timer\s*\(", code.code))
            if client_open is None and (call := re.search(r"\b(?:client_open|http_get_begin)\s*\(", code.code)):
                client_open = source, code.code.count("\n", 0, call.start()) + 1
            persistent_calls.check(file, code, areas, raw_len)
            resource = _of_code(file, source, code, owners, areas)
        else:
            told += (*editors_copy(file, source), *others_template(file, source))
            resource = _of_file(file, source, coder, html_end)
        if resource is None:
            helpers.append(source)
        elif resource.path in resources:
            raise CompileError(
                directory / source,
                resource.generator.line if resource.generator else None,
                f"a second resource under /{resource.path}: {resources[resource.path].source} is the first; rename one",
            )
        else:
            resources[resource.path] = resource
    if not resources:
        message = "nothing to serve: expected a file, index.html for instance"
        if helpers:
            message += f", or a <generator> in a comment of {helpers[0]}"
        raise CompileError(directory, None, message)
    _check_tails(directory, resources)
    for header in below(directory, ".h"):
        private_files.check_link(directory, header, private)
        answers.check_header(header)
    served = tuple(resource for _, resource in sorted(resources.items()))
    return Directory(served, tuple(helpers), set_timer_cnt, tuple(errors), tuple(told), client_open)


def _check_tails(directory: Path, resources: Mapping[str, Resource]) -> None:
    """Raises CompileError if a file is below a generator that takes the remainder of a path."""
    for path, resource in resources.items():
        below = next((other for other in resources if other.startswith(f"{path}/")), None)
        if resource.tail is not None and below is not None:
            message = f"/{path} takes what follows it as an argument (source): expected nothing below; rename this"
            raise CompileError(directory / resources[below].source, None, message)


def _files(directory: Path, prefix: str) -> Iterator[str]:
    """Relative names of all files that are not left out by their name."""
    if prefix.count("/") > DEPTH_MAX:
        raise CompileError(Path(f"{prefix[:40]}..."), None, f"directories in one another: expected at most {DEPTH_MAX}")
    try:
        entries = sorted(directory.iterdir())
    except OSError as error:
        raise CompileError(directory, None, f"cannot be read: {error.strerror}") from None
    for entry in entries:
        hidden = entry.name.startswith(".") and not (prefix == "" and entry.name == private_files.WELL_KNOWN)
        if hidden or (prefix == "" and entry.name in (app_toml.FILE, SCHEMA, TEST)):
            continue
        try:
            mode = entry.stat().st_mode
        except OSError as error:
            if not isinstance(error, PermissionError) and entry.is_symlink():
                raise CompileError(
                    entry, None, f"a symbolic link to {entry.readlink()}, which does not exist"
                ) from None
            raise CompileError(entry, None, f"cannot be read: {error.strerror}") from None
        if stat.S_ISDIR(mode):
            if entry.is_symlink():
                raise CompileError(entry, None, "a symbolic link to a directory: expected a directory; copy it")
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif not stat.S_ISREG(mode):
            raise CompileError(entry, None, "neither file nor directory: expected only these; remove it")
        elif not entry.name.startswith("README") and not entry.name.endswith(".h"):
            yield f"{prefix}{entry.name}"


def _of_code(
    file: Path, source: str, code: c_source.CSource, owners: dict[str, str], areas: Mapping[str, Area]
) -> Resource | None:
    """Returns the resource of a C file; None for a helper."""
    generator = annotation.read(file, code, areas)
    protothread.check(file, code)
    if generator is not None:
        generator = replace(
            generator,
            later=bool(generator.gives)
            or re.search(r"\banswer_later\s*\(|\bPT_UNAVAILABLE\b", code.statements) is not None,
        )
    chosen = answers.read(file, code, generator)
    if generator is None:
        return None
    generator = replace(generator, answers=chosen if generator.service is None else (*chosen, *services.ANSWERS))
    generator = replace(generator, persistence=answers.persistence_of(generator), declared=generator.persistence)
    _check_path(file, source.removesuffix(".c"))
    annotation.check_args_len(file, generator)
    _check_handlers(file, source, generator, code, owners)
    if generator.get and generator.is_run_again:
        protothread.check_statics(file, code, code.functions()[generator.get.name])
    if generator.get and not generator.service:
        generator = replace(generator, text_len=text_len(code, code.functions()[generator.get.name]))
    resource = generated(source, generator)
    if generator.service is None:
        return resource
    ways = generator.service.ways
    made = resource.representations if set(ways) - {Way.SOAP} else ()
    if Way.FORM in ways:
        made += (Representation(Coding.IDENTITY, generated_head("text/plain; charset=utf-8"), b"", 0),)
    if Way.SOAP in ways:
        made += soap.representations()
    return replace(resource, representations=made)


def _of_page(directory: Path, source: str) -> Resource:
    """Returns the resource of a page template."""
    file = directory / source
    path = pages.served_as(source)
    _check_path(file, path)
    if not re.fullmatch(r"[A-Za-z0-9_.+/-]+", source):
        raise CompileError(file, None, "a template's name: expected letters, digits and _ . + - only; rename it")
    name = path.rpartition("/")[2]
    if "." in name and not name.endswith((".html", ".htm")):
        message = f"a template of {path}: expected HTML, {path.rpartition('.')[0]}.html.jinja or a name without a dot"
        raise CompileError(file, None, message)
    compiled = pages.compile_page(directory, source)
    return replace(generated(source, compiled.generator), path=path, page=compiled.code, statements=compiled.statements)


def _of_error(file: Path, source: str, html_end: bytes) -> Iterator[tuple[str, Resource]]:
    """Yields the body of an error. 405 has two, which name the allowed methods."""
    content = _content(file) + html_end
    content_type = content_type_of(source, content)
    status = f"HTTP_{source.partition('.')[0]}"
    allowed = {status: ""} if source != "405.html" else {status: "GET, HEAD", f"{status}_POST": "POST, PUT"}
    for name, allow in allowed.items():
        head = error_head(content_type, len(content), allow)
        representation = Representation(Coding.IDENTITY, head, content, 0)
        yield name, Resource(source, source, content_type, None, (representation,))


def _of_file(file: Path, source: str, coder: Coder, html_end: bytes) -> Resource:
    _check_path(file, source)
    content = _content(file)
    if re.search(r"\.(cpp|cc|cxx|ino|C)$", source) and re.search(rb"<generator[\s>]|whit/app\.h", content):
        raise CompileError(file, None, "only C is compiled: expected a name that ends in .c; rename it")
    content_type = content_type_of(source, content)
    if content_type.startswith("text/html"):
        content += html_end
    return Resource(source, source, content_type, None, representations(source, content_type, content, coder))


def generated(source: str, generator: Generator) -> Resource:
    """Returns the resource of a generator: one representation, whose body is generated at run time."""
    head = generated_head(generator.content_type)
    representation = Representation(Coding.IDENTITY, head, b"", 0)
    return Resource(source.removesuffix(".c"), source, generator.content_type, generator, (representation,))


def _check_path(file: Path, path: str) -> None:
    if not all(" " <= character <= "~" for character in path):
        raise CompileError(file, None, "the name is not plain ASCII: expected printable ASCII characters; rename it")
    if len(path) > PATH_MAX:
        raise CompileError(file, None, f"the path has {len(path)} bytes: expected at most {PATH_MAX}; rename it")
    if path.partition("/")[0] == "whit":
        raise CompileError(file, None, "/whit and all below it are reserved for the engine: rename it")
    if path.rpartition("/")[2].startswith(app_toml.FILE):
        message = f"names that begin with {app_toml.FILE} are reserved, only the one at the top is read: rename it"
        raise CompileError(file, None, message)


def _check_handlers(
    file: Path, source: str, generator: Generator, code: c_source.CSource, owners: dict[str, str]
) -> None:
    """Handlers of one name in two files go together only when they are static."""
    functions = code.functions()
    own = [name for name in generator.handlers if name in functions]  # a service has some of the compiler's
    for name in sorted({name for name in own if not functions[name].static}):
        if name in owners:
            message = f"{name} is defined in {owners[name]} as well: expected one of them static, or another name"
            raise CompileError(file, generator.line, message)
        owners[name] = source


def _c_text(file: Path, source: str) -> c_source.CSource:
    # The name is used in an #include of generated C and in a list of CMake.
    if not re.fullmatch(r"[A-Za-z0-9_.+/-]+", source):
        raise CompileError(file, None, "a C file's name: expected letters, digits and _ . + - only; rename it")
    content = _content(file).replace(b"\r\n", b"\n")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CompileError(file, line, "not UTF-8: expected a C file in UTF-8; convert it") from None
    return c_source.read(file, text)


def _len_of(file: Path) -> int:
    """Returns the file's size; 0 if it cannot be read, which reading it reports."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _content(file: Path) -> bytes:
    try:
        if (length := file.stat().st_size) > FILE_MAX:
            raise CompileError(file, None, f"{length} bytes: expected at most {FILE_MAX}")
        return octets_of(file, FILE_MAX)
    except OSError as error:
        raise CompileError(file, None, f"cannot be read: {error.strerror}") from None
