# SPDX-License-Identifier: MIT
"""Draws faults by a seed, tries each in a copy of the tree, and prints those that no test caught."""

import os
import queue
import random
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from whit.errors import WhitError
from whit.paths import BUILD, ROOT

from . import c_faults, python_faults
from .concern import tests_of
from .fault import Fault
from .trial import Copy, Trial, Verdict

EQUIVALENTS = ROOT / "tests" / "mutants.toml"
"""Faults that change nothing that anybody can see, each with the reason: they are not drawn."""


def mutants(console: Console, cnt: int, seed: int) -> int:
    """The exit code: 0 when every fault was tried, whatever survived."""
    drawn = draw(cnt, seed)
    copies: queue.Queue[Copy] = queue.Queue()
    workers = min(os.cpu_count() or 1, 4, len(drawn))
    for number in range(workers):
        copies.put(Copy(BUILD / "mutants" / str(number)))
    trials: list[Trial] = []
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console) as progress, ThreadPoolExecutor(workers) as pool:
        task = progress.add_task("the tests without a fault", total=len(drawn))
        first = copies.get()
        first.check(tuple(dict.fromkeys(name for fault in drawn for name in tests_of(fault.file))))
        copies.put(first)
        progress.update(task, description="faults")
        for future in as_completed([pool.submit(_attempt, copies, fault) for fault in drawn]):
            trials.append(future.result())
            progress.advance(task)
            if trials[-1].verdict is Verdict.SURVIVED:
                progress.console.print(f"survived: {trials[-1].fault.shown}", markup=False, soft_wrap=True)
    _summary(console, trials, seed)
    return 0


def draw(cnt: int, seed: int) -> list[Fault]:
    """So many of all faults, the same for the same tree and seed."""
    known = [fault for fault in all_faults() if not _is_equivalent(fault)]
    if cnt > len(known):
        raise WhitError(f"--mutants {cnt}: expected at most {len(known)}, which is how many there are")
    return random.Random(seed).sample(known, cnt)


def all_faults() -> Iterator[Fault]:
    for path in sorted((ROOT / "engine").rglob("*.c")):
        yield from c_faults.faults(_relative(path), path.read_text())
    for path in sorted((ROOT / "tools" / "whit" / "compiler").rglob("*.py")):
        yield from dict.fromkeys(python_faults.faults(_relative(path), path.read_text()))


def _is_equivalent(fault: Fault) -> bool:
    line = fault.source_line(ROOT)
    return any(
        (one["file"], one["line"], one["before"], one["after"]) == (fault.file, line, fault.before, fault.after)
        for one in _equivalents()
    )


def _equivalents() -> list[dict[str, str]]:
    if not EQUIVALENTS.exists():
        return []
    found: list[dict[str, str]] = tomllib.loads(EQUIVALENTS.read_text())["equivalent"]
    return found


def _attempt(copies: "queue.Queue[Copy]", fault: Fault) -> Trial:
    copy = copies.get()
    try:
        return copy.attempt(fault)
    finally:
        copies.put(copy)


def _summary(console: Console, trials: list[Trial], seed: int) -> None:
    survived = [trial for trial in trials if trial.verdict is Verdict.SURVIVED]
    console.print()
    for verdict in Verdict:
        cnt = sum(trial.verdict is verdict for trial in trials)
        if cnt:
            console.print(f"{cnt:4} {verdict.value}", highlight=False)
    share = 100 * (len(trials) - len(survived)) / len(trials)
    console.print(f"{share:.0f} % of {len(trials)} faults were caught (seed {seed})", highlight=False)
    for trial in sorted(survived, key=lambda one: one.fault):
        console.print(f"  {trial.fault.shown}", markup=False, highlight=False, soft_wrap=True)


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))
