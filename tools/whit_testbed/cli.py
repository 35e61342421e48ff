# SPDX-License-Identifier: MIT
"""`whit test`: shows that Whit works on this machine, or runs all that there is."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from whit.errors import WhitError
from whit_testbed.changed import changed_files, tests_of
from whit_testbed.testing import Scope, test

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run(
    context: typer.Context,
    quick: Annotated[bool, typer.Option("--quick", help="What an edit of compiler or engine breaks first.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="All tests, which take half an hour.")] = False,
    changed: Annotated[
        bool, typer.Option("--changed", help="First the tests that reach what changed since the last commit, or in it.")
    ] = False,
    rest: Annotated[bool, typer.Option("--rest", help="What --all runs and a plain `whit test` does not.")] = False,
) -> int:
    """Run the tests that show that Whit works on this machine. Further words are tests, and options of pytest: these
    tests then run alone. --mutants N puts faults into engine and compiler instead, and prints each that survived."""
    chosen = [scope for scope, asked in ((Scope.QUICK, quick), (Scope.ALL, everything), (Scope.REST, rest)) if asked]
    if len(chosen) > 1:
        raise WhitError("test: expected one of --quick, --all and --rest")
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    first = tests_of(changed_files()) if changed else []
    if changed and not first:
        raise WhitError("test --changed: no test is known for these files; --quick and --all need none to be known", 1)
    return test(console, chosen[0] if chosen else Scope.USUAL, context.args, first)


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    return int(app(arguments, prog_name="whit test", standalone_mode=False) or 0)
