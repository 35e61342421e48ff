# SPDX-License-Identifier: MIT
"""`whit new`: makes an application to start from, a small one or one from a service's description."""

import re
import shutil
import tempfile
from pathlib import Path

from whit.commands.described.make import make
from whit.commands.described.test_file import test_file
from whit.commands.described.wanted import Function, Sizes, Value
from whit.errors import WhitError, one_line, reason

TEMPLATE = Path(__file__).parent / "template"
TOKEN = b"@NAME@"
HELLO = Function(
    service="device",
    namespace="urn:whit:device",
    name="hello",
    path="hello",
    ways="json form",
    line=0,
    arguments=(Value("name", "str", 0, size=64, optional=True),),
    result=(Value("greeting", "str", 0, size=72), Value("uptime_s", "uint32", 0)),
)
"""The function of the template's hello.c."""


def new(name: str) -> Path:
    """Copies the template to a new directory, which may be a path. Its last part names the application."""
    directory = _free(name)
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{directory.name}-", dir=directory.parent) as scratch:
            made = Path(scratch, "app")
            _write(made, directory.name)
            made.rename(directory)
    except OSError as error:
        raise WhitError(f"{name}: {reason(error)}; give a place that can be written") from error
    return directory


def _write(made: Path, name: str) -> None:
    shutil.copytree(TEMPLATE, made, ignore=shutil.ignore_patterns("__pycache__"))
    for path in made.rglob("*"):
        if path.is_file() and TOKEN in (content := path.read_bytes()):
            path.write_bytes(content.replace(TOKEN, name.encode()))
    (made / "test.py").write_text(test_file(name, [HELLO]))


def new_of(name: str, wsdl: Path | None, openapi: Path | None, sizes: Sizes) -> Path:
    """Makes an application from a description; its functions are skeletons."""
    if (wsdl is None) == (openapi is None):
        raise WhitError("--wsdl and --openapi: expected one of them")
    directory = _free(name)
    if wsdl is not None:
        make(directory, "wsdl", wsdl, sizes)
    elif openapi is not None:
        make(directory, "openapi", openapi, sizes)
    return directory


def _free(name: str) -> Path:
    """A name that nothing has yet."""
    directory = Path(name)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", directory.name):
        raise WhitError(f"{one_line(name)}: expected 1 to 32 letters, digits, '-' and '_', the first a letter or digit")
    if directory.exists() or directory.is_symlink():
        raise WhitError(f"{one_line(name)}: exists already; give another name, or remove it first")
    return directory
