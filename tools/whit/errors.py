# SPDX-License-Identifier: MIT
"""A user's mistake, reported in one line."""

import re
import shutil

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


class WhitError(Exception):
    """A user's mistake: what was wrong, what was expected, the way out. The program prints it and ends with `code`."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code


def shown(text: str) -> str:
    """Returns the text for a terminal. Control characters except tab and line feed become escapes, for safety."""
    return _CONTROL.sub(lambda control: control[0].encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """Returns the text with escapes for characters that do not print, such as a line break in a file's name."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def reason(error: OSError) -> str:
    """The system's reason. Copying a tree gives a list of them, one for each file."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        said = str(error.args[0][0][2])
        return said.partition("] ")[2].partition(": '")[0] or said
    return error.strerror or str(error)
