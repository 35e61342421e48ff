# SPDX-License-Identifier: MIT
"""[budget.TARGET] of app.toml: a build over budget fails and leaves no image."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whit.compiler.app_toml import FILE
from whit.compiler.device import Budget
from whit.errors import WhitError
from whit.image.build_result import BuildResult
from whit.image.cost import NAMES, number
from whit.image.sizes import Sizes, measure
from whit.image.stack import analyse

SHOWN = 6  # contributors to each cost
STAMP = "budget"


@dataclass(frozen=True)
class Overrun:
    """A cost above its budget. `largest`: the largest parts, name and octets."""

    what: str
    octets: int
    budget: int
    largest: Sequence[tuple[str, int]]


def check(result: BuildResult) -> None:
    """WhitError: the image costs more than its budget allows; the image is then removed. An accepted image is not
    measured again."""
    budget = result.application.budgets.get(result.target)
    if budget is None:
        return
    stamp = result.directory / STAMP
    found = f"{result.image.stat().st_mtime_ns} {budget}"
    if stamp.exists() and stamp.read_text() == found:
        return
    try:
        overruns = list(_overruns(result, budget))
        if overruns:
            raise WhitError(_text(result, budget, overruns))
    except WhitError:
        for file in (result.image, result.flashable, stamp):
            if file is not None:
                file.unlink(missing_ok=True)
        raise
    stamp.write_text(found)


def _overruns(result: BuildResult, budget: Budget) -> Iterable[Overrun]:
    sizes = measure(result.image, result.map)
    if budget.flash is not None and sizes.flash > budget.flash:
        yield Overrun("flash", sizes.flash, budget.flash, _largest(_flash(sizes)))
    if budget.ram is not None and sizes.ram > budget.ram:
        objects = [(symbol.name, symbol.size) for symbol in sizes.symbols if symbol.ram]
        yield Overrun("ram", sizes.ram, budget.ram, _largest(objects))
    if budget.stack is not None:
        stack = analyse(result)
        if stack.len > budget.stack:
            frames = [(frame.name, frame.len) for frame in stack.chain]
            yield Overrun("stack", stack.len, budget.stack, _largest(frames))


def _flash(sizes: Sizes) -> list[tuple[str, int]]:
    parts = [(f"engine: {group}", octets) for group, octets in sizes.engine_groups.items()]
    return parts + [(name, sizes.parts[part].flash) for part, name in NAMES.items()]


def _largest(amounts: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(amounts, key=lambda pair: -pair[1])[:SHOWN]


def _text(result: BuildResult, budget: Budget, overruns: Sequence[Overrun]) -> str:
    costs = ", ".join(f"{over.what} {number(over.octets)} of {number(over.budget)}" for over in overruns)
    line = budget.lines.get(overruns[0].what)
    place = f"{result.application.directory / FILE}{'' if line is None else f':{line}'}"
    lines = [
        f"{place}: over [budget.{result.target}]: {costs} bytes; make the largest part smaller, or raise the budget"
    ]
    for over in overruns:
        width = len(number(over.largest[0][1]))
        lines.append(f"  {over.what}, {number(over.octets - over.budget)} too many; the largest of it:")
        lines += [f"    {number(octets).rjust(width)}  {name}" for name, octets in over.largest if octets > 0]
    return "\n".join(lines)
