# SPDX-License-Identifier: MIT
"""What an author did wrong."""

import re

_LONG = re.compile("'([^']{40})[^']{60,}([^']{20})'")


class CompileError(Exception):
    """A mistake in an application. Prints as `file:line: message`; the message says what was expected."""

    def __init__(self, file: object, line: int | None, message: str) -> None:
        super().__init__(message)
        self.file = _one_line(str(file))
        self.line = line
        self.message = _LONG.sub(r"'\1…\2'", _one_line(message))

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


def _one_line(text: str) -> str:
    """What does not print, a line break in a file's name for instance, as an escape."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
