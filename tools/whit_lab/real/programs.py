# SPDX-License-Identifier: MIT
"""Runs third-party programs to their end."""

import subprocess
from collections.abc import Sequence

from whit.errors import WhitError


def run(command: Sequence[object], timeout_s: float | None = None) -> str:
    """Returns the output, with that for errors. Raises WhitError with the output's end if the program failed."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout_s
        )
    except OSError as error:
        raise WhitError(f"lab: {words[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise WhitError(f"lab: {words[0]} ended with {done.returncode}: {done.stdout.strip()[-600:]}", 1)
    return done.stdout
