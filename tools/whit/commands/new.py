# SPDX-License-Identifier: MIT
"""`whit new`: an application to start from."""

import re
import shutil
from pathlib import Path

from whit.errors import WhitError

TEMPLATE = Path(__file__).parent / "template"
TOKEN = b"@NAME@"


def new(name: str) -> Path:
    """Copies the template to a new directory, which may be a path. Its last part names the application."""
    directory = Path(name)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", directory.name):
        raise WhitError(f"{name}: expected 1 to 32 letters, digits, '-' and '_', the first a letter or digit")
    if directory.exists():
        raise WhitError(f"{name}: exists already; give another name, or remove it first")
    try:
        shutil.copytree(TEMPLATE, directory, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise WhitError(f"{name}: {error.strerror or error}; give a place that can be written") from error
    for path in directory.rglob("*"):
        if path.is_file() and TOKEN in (content := path.read_bytes()):
            path.write_bytes(content.replace(TOKEN, directory.name.encode()))
    return directory
