# SPDX-License-Identifier: MIT
"""A mistake of the application's author."""

import re

from whit.errors import one_line

_LONG = re.compile("'([^']{40})[^']{60,}([^']{20})'")


class CompileError(Exception):
    """A mistake in an application. Prints as `file:line: message`; the message says what was expected."""

    def __init__(self, file: object, line: int | None, message: str) -> None:
        super().__init__(message)
        self.file = one_line(str(file))
        self.line = line
        self.message = _LONG.sub(r"'\1…\2'", one_line(message))

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"
