# SPDX-License-Identifier: MIT
"""Tries each fault: faults of C in one build with switches, the others one at a time."""

import enum
import json
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit_testbed.testing import IN_PROCESS, under_sanitizers

from . import objects, reach, switches, watch
from .copy import Copy
from .fault import Fault

VIRTUAL = (
    *("xml", "wss"),
    *(f"services/test_{name}.py" for name in ("calls", "get", "values", "records", "pieces", "hostile", "soap")),
    "services/test_soap_hostile.py",
    *(f"database/test_{name}.py" for name in ("page_row", "terse")),
    *(f"tls/test_{name}.py" for name in ("hello", "records", "handshake", "ahead")),
    *(f"https/test_{name}.py" for name in ("https", "harm", "settings", "strategies", "fast", "turns", "redirect")),
    *(f"https/test_{name}.py" for name in ("early", "long_records", "segments", "random", "wiped")),
)
"""What else gives bytes to parts of an image, most of it in virtual time."""

ENGINE_TESTS = tuple(f"tests/{name}" for name in (*IN_PROCESS, *VIRTUAL, "compiler"))
OF_IMAGES = tuple(f"tests/{name}" for name in ("services", "http", "bodies", "strategies", "wss"))
COMPILER_TESTS = (("tests/compiler/test_golden.py",), ("tests/compiler",), OF_IMAGES)  # in this order
TEST_S = 120  # a longer test counts as hung
TRIAL_S = 900  # for all tests together; tests that took longer without a fault get more
HUNG = "Timeout"  # pytest-timeout's message


class Verdict(enum.Enum):
    CAUGHT = "caught by a test"
    HUNG = "caught as a test hung"
    SURVIVED = "survived"
    UNMET = "survived, as no test comes there"
    UNBUILDABLE = "do not compile: they do not count"
    SAME = "leave the object code as it is: they do not count"
    UNDECIDED = "were not decided in time: they do not count"


@dataclass(frozen=True)
class Trial:
    fault: Fault
    verdict: Verdict
    by: str = ""  # the failed test, or the number of passed ones

    @property
    def survived(self) -> bool:
        return self.verdict in (Verdict.SURVIVED, Verdict.UNMET)

    @property
    def counts(self) -> bool:
        return self.verdict not in (Verdict.UNBUILDABLE, Verdict.SAME, Verdict.UNDECIDED)


def tried(faults: Sequence[Fault], workers: int, say: Callable[[str], None]) -> Iterator[Trial]:
    """Yields each fault's trial as it ends. `say` is called with the next step."""
    say("compiling each fault")
    switched: list[Fault] = []
    alone: list[Fault] = []
    for fault, how in _hows(faults, workers):
        if how is None:
            yield Trial(fault, Verdict.UNBUILDABLE)
        else:
            (switched if how else alone).append(fault)
    if switched:
        yield from _switched(switched, workers, say)
    if alone:
        yield from _one_by_one(alone, workers, say)


def _hows(faults: Sequence[Fault], workers: int) -> Iterator[tuple[Fault, bool | None]]:
    """Yields for each fault: True if it can have a switch, None if it does not compile. A file's faults are first tried
    together."""
    by_file: dict[str, list[Fault]] = defaultdict(list)
    for fault in faults:
        by_file[fault.file].append(fault)
    with ThreadPoolExecutor(workers) as pool:
        whole = dict(zip(by_file, pool.map(_all_switched, by_file.values()), strict=True))
        others = [fault for fault in faults if not whole[fault.file]]
        yield from ((fault, True) for fault in faults if whole[fault.file])
        yield from zip(others, pool.map(_how, others), strict=True)


def _all_switched(faults: Sequence[Fault]) -> bool:
    """True if all faults of one file compile, each with a switch."""
    file = faults[0].file
    if not file.endswith(".c"):
        return False
    return objects.compiles(file, switches.with_switches((ROOT / file).read_text(), list(enumerate(faults, 1))))


def _how(fault: Fault) -> bool | None:
    text = (ROOT / fault.file).read_text()
    if not fault.file.endswith(".c"):
        return False
    if not objects.compiles(fault.file, fault.applied(text)):
        return None
    return objects.compiles(fault.file, switches.with_switches(text, [(1, fault)]))


def _switched(faults: Sequence[Fault], workers: int, say: Callable[[str], None]) -> Iterator[Trial]:
    say("building all of them, and running the tests without any")
    copy = copy_with(faults)
    seen = passing(copy, ENGINE_TESTS, workers)
    say("faults of the engine")
    numbered = list(enumerate(faults, 1))
    with ThreadPoolExecutor(workers) as pool:
        trials = [pool.submit(_with_switch, copy, number, fault, seen) for number, fault in numbered]
        try:
            for trial in as_completed(trials):
                yield trial.result()
        finally:
            pool.shutdown(cancel_futures=True)  # at Ctrl-C


def copy_with(faults: Sequence[Fault]) -> Copy:
    """Makes a copy with all faults, numbered from 1."""
    by_file: dict[str, list[tuple[int, Fault]]] = defaultdict(list)
    for number, fault in enumerate(faults, 1):
        by_file[fault.file].append((number, fault))
    changed = {file: switches.with_switches((ROOT / file).read_text(), some) for file, some in by_file.items()}
    tables = (ROOT / "engine" / "core" / "tables.h").read_text()
    names = re.findall(r"^extern [^;]*?(\w+)(?:\[\])* WHIT_FLASH;", tables, re.MULTILINE)
    weak = "".join(f"#pragma weak {name}\n" for name in names)
    changed["engine/core/switch.h"] = (Path(__file__).parent / "switch.h").read_text() + weak
    # A fault may name a symbol that an image lacks. That image works while the fault is not active.
    changed |= _replaced("ports/inprocess/port.cmake", "--no-undefined", "--unresolved-symbols=ignore-all,-z,lazy")
    return Copy(BUILD / "mutants" / "together", changed)


def _replaced(file: str, before: str, after: str) -> dict[str, str]:
    text = (ROOT / file).read_text()
    if text.count(before) != 1:
        raise WhitError(f"{file}: expected {before} once, which --mutants replaces", 1)
    return {file: text.replace(before, after)}


def passing(copy: Copy, tests: Sequence[str], workers: int, failed_most: int = 20) -> list[reach.Seen]:
    """Returns the tests that pass while no fault is active."""
    directory = copy.root.parent / "met"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    environment = {"WHIT_FAULTS_MET": str(directory)}
    code, said = copy.pytest(["-n", str(workers), f"--maxfail={failed_most}", *tests], 4 * TRIAL_S, environment)
    seen = reach.read(directory)
    failed = sum(not one.passed for one in seen)
    if code not in (0, 1) or failed >= failed_most:
        raise WhitError(f"--mutants: the tests fail without a fault: {_first_failure(said)}", 1)
    return [one for one in seen if one.passed]


def _with_switch(copy: Copy, number: int, fault: Fault, seen: Sequence[reach.Seen]) -> Trial:
    met = [one for one in seen if number in one.met]
    trial = _met(copy, number, fault, met, {})
    if not trial.survived:
        return trial
    trial = _unless_the_same(copy, trial)
    in_process = [one for one in met if runs_sanitized(one.file)]
    if in_process and trial.survived:
        again = _met(copy, number, fault, in_process, under_sanitizers())
        return again if again.verdict is Verdict.CAUGHT else trial
    return trial


def runs_sanitized(file: str) -> bool:
    """True if `./whit test` runs the file under sanitizers. Other files may fail there without a fault."""
    return any(file == f"tests/{name}" or file.startswith(f"tests/{name}/") for name in IN_PROCESS)


def _met(copy: Copy, number: int, fault: Fault, met: list[reach.Seen], kind: dict[str, str]) -> Trial:
    """Runs the tests that meet the fault. kind: the environment of images of another kind."""
    trial = Trial(fault, Verdict.UNMET)
    for tests in reach.portions(met):
        with tempfile.TemporaryDirectory() as name:
            active = Path(name) / "active"
            active.write_bytes(number.to_bytes(2, "little") + bytes(watch.LEN - 2))
            environment = kind | {"WHIT_FAULTS": str(active)} | _ordered(tests, Path(name))
            files = sorted({one.file for one in tests})
            code, said = copy.pytest(["-x", *files], reach.trial_s(tests, TRIAL_S), environment)
        trial = _judged(fault, code, said)
        if not trial.survived:
            return trial
    return trial


def _ordered(tests: Sequence[reach.Seen], directory: Path) -> dict[str, str]:
    """Writes the file that makes watch.py run these tests in this order. Returns its environment variable."""
    order = directory / "order"
    order.write_text(json.dumps({one.name: one.limit_s for one in tests}))
    return {"WHIT_FAULTS_ORDER": str(order)}


def _one_by_one(faults: Sequence[Fault], workers: int, say: Callable[[str], None]) -> Iterator[Trial]:
    say("the compiler's tests without a fault")
    copy = Copy(BUILD / "mutants" / "single", {})
    seen = sorted(passing(copy, ["tests/compiler"], workers), key=lambda one: one.seconds)
    usual = _output(copy)
    say("faults of the compiler, and others that have no switch")
    for fault in faults:
        text = (copy.root / fault.file).read_text()
        copy.put(fault.file, fault.applied(text).encode())
        try:
            yield _alone(copy, fault, workers, seen, usual)
        finally:
            copy.put(fault.file, text.encode())


def _output(copy: Copy) -> str:
    """Returns the digests of the applications by the copy's compiler; "" if it fails."""
    code, said = copy.python(["-m", "whit_lab.mutants.outputs"], TRIAL_S)
    return said if code == 0 else ""


def _alone(copy: Copy, fault: Fault, workers: int, seen: Sequence[reach.Seen], usual: str) -> Trial:
    """Runs tests in stages, the likeliest to catch the fault first. `seen`: the compiler's tests, the fastest first.
    `usual`: the output for the applications without the fault."""
    stages = (ENGINE_TESTS,) if fault.file.endswith(".c") else COMPILER_TESTS
    for tests in stages:
        if tests == OF_IMAGES and _output(copy) == usual:
            break
        few = len(tests) == 1 and tests[0].endswith(".py")
        several = [] if few else ["-n", str(workers)]
        limits = [f"--timeout={TEST_S}", "--timeout-method=thread"]
        with tempfile.TemporaryDirectory() as name:
            order = _ordered(seen, Path(name)) if tests == ("tests/compiler",) else None
            code, said = copy.pytest(["-x", *limits, *several, *tests], TRIAL_S, order)
        trial = _judged(fault, code, said)
        if not trial.survived:
            return trial
    return _unless_the_same(copy, trial)


def _judged(fault: Fault, code: int | None, said: str) -> Trial:
    if code is None:
        return Trial(fault, Verdict.UNDECIDED)
    if HUNG in said:
        return Trial(fault, Verdict.HUNG, _first_failure(said))
    if code == 0:
        return Trial(fault, Verdict.SURVIVED)
    return Trial(fault, Verdict.CAUGHT, _first_failure(said))


def _unless_the_same(copy: Copy, survivor: Trial) -> Trial:
    fault = survivor.fault
    if fault.file.endswith(".c") and objects.leaves_the_code(fault, copy.root / "build"):
        return Trial(fault, Verdict.SAME)
    return survivor


def _first_failure(said: str) -> str:
    lines = [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR ", "E  "))]
    chosen = next((line for line in lines if line.startswith(("FAILED", "ERROR"))), lines[0] if lines else "")
    return chosen.removeprefix("FAILED ").removeprefix("ERROR ")[:200] or "\n".join(said.splitlines()[-3:])
