# SPDX-License-Identifier: MIT
"""What an author did wrong."""


class CompileError(Exception):
    """A mistake in an application. Prints as `file:line: message`; the message says what was expected."""

    def __init__(self, file: object, line: int | None, message: str) -> None:
        super().__init__(message)
        self.file = str(file).encode("utf-8", "backslashreplace").decode("utf-8")
        self.line = line
        self.message = message

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"
