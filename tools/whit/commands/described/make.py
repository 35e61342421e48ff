# SPDX-License-Identifier: MIT
"""An application from a description. All of it is made and compiled elsewhere before it takes its place."""

import os
import tempfile
from collections import Counter
from pathlib import Path, PurePosixPath

from whit.compiler import CompileError, compile_application
from whit.errors import WhitError, reason

from . import names, openapi, skeleton, wsdl
from .test_file import test_file
from .wanted import Described, Outside, Sizes

OWN_FILES = ("app.toml", "test.py")
READERS = {"wsdl": wsdl.read, "openapi": openapi.read}


def make(directory: Path, kind: str, description: Path, sizes: Sizes) -> None:
    """Makes the application in `directory`, which must not exist. WhitError names an unsupported line."""
    try:
        described = READERS[kind](description, sizes)
        names.check(described)
        files = _files(described)
    except Outside as error:
        raise _error(description, error.line, error.message) from None
    try:
        parent = directory.parent
        with tempfile.TemporaryDirectory(prefix=f".{directory.name}-", dir=parent) as scratch:
            made = Path(scratch, "app")
            _write(made, files, directory.name, described)
            _check(made, Path(scratch, "out"), files, description)
            made.rename(directory)
    except OSError as error:
        raise WhitError(f"{directory}: {reason(error)}; give a place that can be written") from error


def _files(described: Described) -> dict[str, list[skeleton.Line]]:
    """C files by their names."""
    lines = {f"{function.path}.c": skeleton.lines(function) for function in described.functions}
    for path, count in Counter(function.path for function in described.functions).items():
        if count > 1:
            raise Outside(0, f"/{path} is there {count} times: expected it once")
    for function in described.functions:
        for parent in map(str, PurePosixPath(function.path).parents):
            if parent in lines or parent in OWN_FILES:
                message = f"/{function.path} needs a directory {parent}, which is a file of the new application"
                raise Outside(function.line, f"{message}: expected another path")
    return lines


def _write(made: Path, files: dict[str, list[skeleton.Line]], name: str, described: Described) -> None:
    for path, lines in files.items():
        file = made / path
        assert file.resolve().is_relative_to(made.resolve())  # names.check()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{line}\n" for line, _ in lines))
    title = described.title or name
    if not (1 <= len(title) <= 64 and title.isprintable()):
        title = name
    quoted = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    (made / "app.toml").write_text(f"name = {quoted}\nbuffer = 3072    # bytes: holds the request and the response\n")
    (made / "test.py").write_text(test_file(name, described.functions))
    (made / "test.py").chmod(0o755)


def _check(made: Path, out: Path, files: dict[str, list[skeleton.Line]], description: Path) -> None:
    """Compiles the generated application. Reports an error in a line of C at the line of the description."""
    try:
        application = compile_application(made, out)
    except CompileError as error:
        path = os.path.relpath(error.file, made)
        lines = files.get(path, [])
        if path == "." and error.message.startswith("nothing to serve"):
            _check_served(set(), files, description)
        line = lines[(error.line or 1) - 1][1] if (error.line or 1) <= len(lines) else 0
        raise _error(description, line, error.message) from None
    _check_served({resource.source for resource in application.resources}, files, description)


def _check_served(served: set[str], files: dict[str, list[skeleton.Line]], description: Path) -> None:
    for path, lines in files.items():
        if path not in served:
            raise _error(description, lines[0][1], f"{path} is a name that is not served: expected another one")


def _error(description: Path, line: int, message: str) -> WhitError:
    return WhitError(f"{description}:{line}: {message}" if line else f"{description}: {message}")
