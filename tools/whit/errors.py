# SPDX-License-Identifier: MIT
"""What a user did wrong, told in one line."""


class WhitError(Exception):
    """Its text is shown as it is: what was wrong, what was expected, the way out. The program ends with `code`."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code
