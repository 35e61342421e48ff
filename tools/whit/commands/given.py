# SPDX-License-Identifier: MIT
"""Options of the command line, and messages about them."""

import re
from collections.abc import Sequence

import typer

from whit.errors import WhitError


def is_given(context: typer.Context, name: str) -> bool:
    """True if the option was given on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def in_our_words(text: str) -> str:
    """Rewords the message about an unknown option, and about a value that is no number or out of its range."""
    if unknown := re.match(r"No such option: (--[\w-]+)(?: \(Possible options: (.*)\))?", text):
        from whit.suggest import did_you_mean  # --help shall not wait for the compiler

        return f"{unknown[1]}: no such option{did_you_mean(unknown[1], (unknown[2] or '').split(', '))}"
    wrong = re.match(r"Invalid value for '?(--[\w-]+)[^:]*: Input should be (.*?)(?:, unable to parse.*)?$", text)
    if wrong is None:
        return text
    if wrong[1] in ("--port", "--https-port"):
        return f"{wrong[1]}: expected an integer from 1 to 65535"
    return f"{wrong[1]}: expected {wrong[2].removeprefix('a valid ').replace('integer', 'an integer')}"


def check_words(words: Sequence[str]) -> None:
    """Raises WhitError at an empty word, of which a path would be the directory here. `test` passes words on."""
    for before, word in zip(("", *words), words, strict=False):
        option = word.removesuffix("=") if re.fullmatch(r"--[\w-]+=", word) else before if not word else None
        if option is not None and words[0] != "test":
            place = f"behind {option}" if option.startswith("--") else "in place of an empty one"
            raise WhitError(f"{word or chr(34) * 2}: expected a value {place}")
