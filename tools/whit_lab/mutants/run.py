# SPDX-License-Identifier: MIT
"""Draws faults by a seed, and tries each in a copy of the tree. Prints the faults that no test caught."""

import os
import random
import time
import tomllib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from whit.errors import WhitError
from whit.paths import BUILD, ROOT

from . import c_faults, python_faults
from .fault import Fault
from .trials import Trial, Verdict, tried

EQUIVALENTS = ROOT / "tests" / "mutants.toml"
"""Faults that change nothing that anybody can see, each with the reason: they are not drawn."""


def mutants(console: Console, cnt: int, seed: int, places: Sequence[str] = ()) -> int:
    """Returns the exit code: 0 if every fault was tried, even if some survived."""
    started = time.monotonic()
    drawn = draw(cnt, seed, places)
    log = BUILD / "mutants" / f"seed-{seed}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    trials: list[Trial] = []
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console) as progress, log.open("w") as lines:
        task = progress.add_task("", total=len(drawn))

        def say(what: str) -> None:
            progress.update(task, description=what)
            if not console.is_terminal:
                console.print(what, highlight=False)

        for trial in tried(drawn, min(os.cpu_count() or 1, 4), say):
            trials.append(trial)
            progress.advance(task)
            print(f"{trial.fault.shown}: {trial.verdict.value} {trial.by}", file=lines, flush=True)
            if trial.survived:
                _survivor(progress.console, trial)
    _summary(console, trials, f"seed {seed}, {time.monotonic() - started:.0f} s; each fault: {_near(log)}")
    return 0


def draw(cnt: int, seed: int, places: Sequence[str] = ()) -> list[Fault]:
    """Returns `cnt` faults, the same for the same tree and seed. A known equivalent is replaced by another fault.

    `places`: only faults of these files, folders, or lines (FILE:LINE). There may be fewer than `cnt`.
    """
    there = sorted(all_faults())
    known = {tuple(one.get(key, 1) for key in ("file", "line", "before", "after", "nth")) for one in _equivalents()}
    for place in places:
        if not any(_lies_in(fault, place) for fault in there):
            raise WhitError(f"--in {place}: expected a file, a folder or FILE:LINE of engine, database or compiler")
    if places:
        there = [fault for fault in there if any(_lies_in(fault, place) for place in places)]
    elif cnt > len(there) - len(known):
        raise WhitError(f"--mutants {cnt}: expected at most {len(there) - len(known)}, which is how many there are")
    mixed = random.Random(seed).sample(there, len(there))
    return list(islice((fault for fault in mixed if _key_of(fault) not in known), cnt))


def _lies_in(fault: Fault, place: str) -> bool:
    return place in (fault.file, f"{fault.file}:{fault.line}") or fault.file.startswith(place.rstrip("/") + "/")


def all_faults() -> Iterator[Fault]:
    for path in [path for folder in ("database", "engine") for path in sorted((ROOT / folder).rglob("*.c"))]:
        yield from c_faults.faults(_relative(path), path.read_text())
    for path in sorted((ROOT / "tools" / "whit" / "compiler").rglob("*.py")):
        yield from dict.fromkeys(python_faults.faults(_relative(path), path.read_text()))


def _key_of(fault: Fault) -> tuple[object, ...]:
    return fault.file, fault.source_line(ROOT), fault.before, fault.after, fault.nth(ROOT)


def _equivalents() -> list[dict[str, object]]:
    found: list[dict[str, object]] = tomllib.loads(EQUIVALENTS.read_text()).get("equivalent", [])
    return found


def _survivor(console: Console, trial: Trial) -> None:
    fault = trial.fault
    console.print(f"\n{fault.file}:{fault.line}: {fault.kind}, {trial.verdict.value}", markup=False, soft_wrap=True)
    for line in fault.difference((ROOT / fault.file).read_text()).splitlines():
        style = "red" if line.startswith("-") else "green"
        console.print(f"  {line}", style=style, markup=False, highlight=False, soft_wrap=True)


def _summary(console: Console, trials: list[Trial], how: str) -> None:
    console.print()
    for verdict in Verdict:
        cnt = sum(trial.verdict is verdict for trial in trials)
        if cnt:
            console.print(f"{cnt:5} {verdict.value}", highlight=False)
    counted = [trial for trial in trials if trial.counts]
    caught = sum(not trial.survived for trial in counted)
    share = 100 * caught / len(counted) if counted else 100
    console.print(f"{share:.1f} % of {len(counted)} faults were caught ({how})", highlight=False, soft_wrap=True)


def _near(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))
