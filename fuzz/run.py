# SPDX-License-Identifier: MIT
"""Fuzzes the engine with libFuzzer.

    PYTHONPATH=tools python -m fuzz.run [--seconds N | --runs N] [--seed S] [--regression] [TARGET ...]

New inputs that reach new code are kept in build/fuzz/TARGET/corpus, where the next run begins. An input that fails is
written to fuzz/regressions under its digest; `build/fuzz/TARGET/TARGET FILE` runs it again, and the tests always do.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from fuzz.build import FUZZ, TARGETS, Target, build, missing
from whit.errors import WhitError
from whit.paths import BUILD, ROOT

ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:quarantine_size_mb=8",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}
SLOWEST_S = 10
"""An input that takes longer is a failure."""


def fixed_inputs(target: Target) -> list[Path]:
    """Returns the committed corpus and the regressions."""
    return [path for part in ("corpus", "regressions") for path in sorted((FUZZ / part / target.corpus).glob("*"))]


def replay(target: Target, inputs: list[Path]) -> subprocess.CompletedProcess[str]:
    """Runs each input once."""
    command = [str(build(target, quickly=True)), f"-timeout={SLOWEST_S}", *map(str, inputs)]
    return subprocess.run(
        command, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def fuzz(
    target: Target, *, seconds: int, seed: int, found: Path, kept: Path, runs: int = -1, quickly: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs the fuzzer for `seconds` (0: without limit), at most `runs` inputs where set. A failing input goes to
    `found`, interesting ones to `kept`."""
    found.mkdir(parents=True, exist_ok=True)
    kept.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-runs={runs}", f"-seed={seed}", f"-timeout={SLOWEST_S}"]
    options += [f"-max_len={target.len_max}", "-print_final_stats=1", "-verbosity=1", f"-artifact_prefix={found}/"]
    if target.dictionary:
        options.append(f"-dict={FUZZ / target.dictionary}")
    seeds = [str(path) for part in ("corpus", "regressions") if (path := FUZZ / part / target.corpus).is_dir()]
    command = [str(build(target, quickly=quickly)), *options, str(kept), *seeds]
    return subprocess.run(
        command, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def keep_failures(target: Target, found: Path) -> list[Path]:
    """Moves failing inputs to the regressions, named by their digest."""
    kept = []
    for path in sorted(found.glob("*-*")):
        octets = path.read_bytes()
        place = FUZZ / "regressions" / target.corpus / hashlib.sha256(octets).hexdigest()[:12]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(octets)
        path.unlink()
        kept.append(place)
    return kept


def _session(target: Target, seconds: int, seed: int, runs: int) -> bool:
    directory = BUILD / "fuzz" / target.name
    seconds = seconds if runs < 0 else 0
    done = fuzz(target, seconds=seconds, seed=seed, found=directory / "found", kept=directory / "corpus", runs=runs)
    lines = done.stdout.splitlines()
    if done.returncode != 0:
        print("\n".join(line for line in lines if not line.startswith("#"))[-6000:])
    for path in keep_failures(target, directory / "found"):
        program = (directory / target.name).relative_to(ROOT)
        print(f"{target.name}: failed, --seed {seed}. Again: {program} {path.relative_to(ROOT)}")
    last = next((line for line in reversed(lines) if line.startswith("#") and "cov:" in line), "")
    print(f"{target.name}: {last}")
    return done.returncode == 0


def _replayed(target: Target) -> bool:
    done = replay(target, fixed_inputs(target))
    print(done.stdout if done.returncode != 0 else f"{target.name}: {len(fixed_inputs(target))} inputs, all well")
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzzes the engine.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all of them if none")
    parser.add_argument("--seconds", type=int, default=60, help="for each target, default 60")
    parser.add_argument("--runs", type=int, default=-1, help="so many inputs, however long they take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--regression", action="store_true", help="run the corpus and what failed once, and nothing new"
    )
    options = parser.parse_args()
    unknown = [name for name in options.targets if name not in TARGETS]
    if unknown:
        parser.error(f"{unknown[0]}: expected one of {', '.join(TARGETS)}")
    if missing():
        print(missing(), file=sys.stderr)
        return 2
    try:
        targets = [TARGETS[name] for name in options.targets or TARGETS]
        results = [
            _replayed(target) if options.regression else _session(target, options.seconds, options.seed, options.runs)
            for target in targets
        ]
    except WhitError as error:
        print(error, file=sys.stderr)
        return error.code
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
