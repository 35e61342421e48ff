# SPDX-License-Identifier: MIT
"""What a user did wrong, told in one line."""

import shutil


class WhitError(Exception):
    """Its text is shown as it is: what was wrong, what was expected, the way out. The program ends with `code`."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code


def reason(error: OSError) -> str:
    """The system's reason. Copying a tree gives a list of them, one for each file."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        said = str(error.args[0][0][2])
        return said.partition("] ")[2].partition(": '")[0] or said
    return error.strerror or str(error)
