# SPDX-License-Identifier: MIT
"""`whit report`: checks that need no build, then the build, then the tables."""

from collections.abc import Sequence

from rich.console import Console

from whit.commands.run import build_shown
from whit.commands.steps import steps
from whit.errors import WhitError
from whit.image.report import print_report
from whit.machines.high_water import live_stack
from whit.machines.run_options import RunOptions
from whit.model.prediction.show import prediction
from whit.model.words import read_link, read_then
from whit.targets import find_target


def report(console: Console, options: RunOptions, *, measure: bool, link: str | None, then: Sequence[str]) -> None:
    """Prints the whole report, or only the mistake."""
    if measure and not find_target(options.target).is_device:
        raise WhitError(f"--measure: expected a device beside it, not --target {options.target}")
    if then and link is None:
        raise WhitError(f"--then {then[0]}: expected --link beside it, such as --link 10kB/s,50ms")
    if link is not None:
        read_link(link)
    for one in then:
        read_then(one)
    result = build_shown(options, console)
    with steps(console, "predicting") as step:
        predicted = prediction(result, link, then, options.overrides or {}) if link is not None else []
        step("measuring the stack")
        stack = live_stack(result) if measure else None
    print_report(console, result, stack)
    for line in predicted:
        console.print(line)
