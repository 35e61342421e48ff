# SPDX-License-Identifier: MIT
"""Names of a description that become names of files and of C: checked before anything is written."""

import re

from whit.compiler.annotation import is_name
from whit.compiler.services.read import is_operation

from .wanted import Described, Function, Outside, every

_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._~-]{0,62}(/[A-Za-z0-9_][A-Za-z0-9._~-]{0,62}){0,7}")
"""A file below the new directory. No part of its path is empty or begins with a dot."""
_RESERVED = re.compile(r"_[A-Z]\w*")
"""Names reserved by C (C11 7.1.3), with _Bool and _Atomic."""


def check(described: Described) -> None:
    """Raises Outside at the first name that is no plain name."""
    for function in described.functions:
        _check_function(function)
        for value in (*every(function.arguments), *every(function.result)):
            if not is_name(value.name) or _RESERVED.fullmatch(value.name):
                expected = "expected a C identifier of at most 63 characters, no keyword"
                raise Outside(value.line, f"{value.name!r} is the name of a value: {expected}; rename it")


def _check_function(function: Function) -> None:
    for what, name in (("a service", function.service), ("an operation", function.name)):
        if not is_operation(name):
            expected = "expected a letter or _, then letters, digits, _ . and -, 63 at most"
            raise Outside(function.line, f"{name!r} is the name of {what}: {expected}; rename it")
    if not _PATH.fullmatch(function.path):
        expected = "expected a name below the new directory, no part of which begins with a dot"
        raise Outside(function.line, f"{function.path!r} is the name of a file: {expected}; rename it")
