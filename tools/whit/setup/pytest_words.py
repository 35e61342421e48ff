# SPDX-License-Identifier: MIT
"""Arguments of `whit test` that are pytest's, looked at before anything is installed or run. pytest itself reads them,
in a process of its own: python -m whit.setup.pytest_words ARGUMENTS prints the mistake, and exits with 1."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from whit.paths import ROOT

MODULE = "whit.setup.pytest_words"


def mistake(arguments: Sequence[str], python: Path | str = sys.executable) -> str:
    """Returns the mistake, in one line; empty if pytest accepts the arguments."""
    done = subprocess.run([str(python), "-P", "-m", MODULE, *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 1 else ""


def read(arguments: Sequence[str]) -> str:
    """Returns the mistake, in the process of its own."""
    from _pytest.config import _prepareconfig
    from pytest import UsageError

    try:
        config = _prepareconfig([*arguments])
    except UsageError as error:
        return _in_our_words(str(error))
    missing = [word for word in config.args if not (ROOT / word.partition("::")[0]).exists()]
    return f"{missing[0]}: no such file or directory in {ROOT}" if missing else ""


def _in_our_words(said: str) -> str:
    """Returns the error alone, without pytest's usage and the place of its settings."""
    found = re.search(r"error: (.*)", said)
    text = found[1] if found else said.splitlines()[0]
    if unknown := re.match(r"unrecognized arguments: (\S+)", text):
        return f"{unknown[1]}: no such option; expected one of ./whit test --help, or of pytest"
    return text.removeprefix("argument ")


if __name__ == "__main__":
    wrong = read(sys.argv[1:])
    print(wrong)
    sys.exit(1 if wrong else 0)
