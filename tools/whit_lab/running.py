# SPDX-License-Identifier: MIT
"""Runs many experiments, each in a process: two at a time in virtual time, alone in real time."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from whit.paths import ROOT
from whit_lab.experiment import Experiment, Result
from whit_lab.kept import result_of
from whit_lab.reads import Reads
from whit_lab.worker import FAILED, READS

AT_ONCE = 2
PATIENCE = 8  # time limit, in expected durations; LEAST_S at least
LEAST_S = 300

Told = Callable[[str, float, str], None]
"""Of an experiment: its name, the share of its work that is done, and what it does."""


@dataclass(frozen=True)
class Run:
    """A run of an experiment: its result, or the reason if it has no result."""

    name: str
    seconds: float  # of wall-clock time
    result: Result | None = None
    reason: str = ""
    reads: Reads = field(default_factory=Reads)


Command = Callable[[str, Path], Sequence[str]]


def command_of(reduced: bool, *, exact: bool = False) -> Command:
    """Returns the worker's command. exact: only the repeatable part of the reduced form."""
    form = ["--exact"] if exact else ["--reduced"] if reduced else []

    def command(name: str, there: Path) -> Sequence[str]:
        return [sys.executable, "-P", "-m", "whit_lab.worker", name, str(there), *form]

    return command


def run_all(
    experiments: Sequence[Experiment], command: Command, told: Told, finished: Callable[[Run], None]
) -> dict[str, Run]:
    """Runs all experiments in the given order, also after failures."""
    runs: dict[str, Run] = {}
    alone = [one for one in experiments if one.alone]
    together = sorted((one for one in experiments if one not in alone), key=lambda one: -one.seconds)
    children: list[subprocess.Popen[str]] = []

    def run(experiment: Experiment) -> Run:
        return _run(experiment, command, told, children)

    for some, at_once in ((together, AT_ONCE), (alone, 1)):
        pool = ThreadPoolExecutor(at_once)
        try:
            for future in as_completed([pool.submit(run, one) for one in some]):
                done = future.result()
                runs[done.name] = done
                finished(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in children:
                _end(child)
            raise
        pool.shutdown()
    return {one.name: runs[one.name] for one in experiments}


def _run(experiment: Experiment, command: Command, told: Told, children: list[subprocess.Popen[str]]) -> Run:
    began_s = time.monotonic()
    told(experiment.name, 0, "starting")
    with tempfile.TemporaryDirectory(prefix="whit-lab-") as directory, tempfile.TemporaryFile("w+") as errors:
        there = Path(directory) / "result.json"
        child = subprocess.Popen(
            command(experiment.name, there),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
            start_new_session=True,
        )
        children.append(child)
        patience_s = max(LEAST_S, PATIENCE * experiment.seconds)
        timer = threading.Timer(patience_s, _end, [child])
        timer.start()
        reason = _listen(child, experiment.name, told)
        code = child.wait()
        timed_out = timer.finished.is_set()
        timer.cancel()
        seconds = time.monotonic() - began_s
        if code == 0 and there.exists():
            return Run(experiment.name, seconds, result_of(json.loads(there.read_text())), reads=_reads(there))
        if timed_out:
            reason = f"not done after {patience_s} s"
        elif not reason:
            errors.seek(0)
            last = (errors.read().split("\n\n")[0].strip().splitlines() or ["it said nothing"])[-1]
            reason = f"its process ended with {code}: {last}"
        return Run(experiment.name, seconds, reason=reason)


def _reads(there: Path) -> Reads:
    path = there.with_suffix(READS)
    said = json.loads(path.read_text()) if path.exists() else {}
    return Reads({*said.get("files", ())}, {*said.get("programs", ())})


def _listen(child: subprocess.Popen[str], name: str, told: Told) -> str:
    """Reads the worker's output to its end. Returns the reason if it failed."""
    assert child.stdout is not None
    reason = ""
    for line in child.stdout:
        word, _, rest = line.strip().partition(" ")
        if word == FAILED:
            reason = rest
            continue
        try:
            told(name, float(word), rest)
        except ValueError:  # output of a program
            continue
    return reason


def _end(child: subprocess.Popen[str]) -> None:
    """Ends the worker with its emulators and servers."""
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
