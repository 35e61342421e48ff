# SPDX-License-Identifier: MIT
"""The corpus and every input that failed once; a short run of each fuzzer."""

from pathlib import Path

import pytest

from fuzz import make_corpus
from fuzz.build import TARGETS, missing
from fuzz.run import fixed_inputs, fuzz, replay

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "clang is there")

# Inputs for a short run, enough to reach code beyond the corpus. The parser alone needs few.
RUNS, RUNS_PARSER = 2000, 60_000


@pytest.mark.parametrize("name", TARGETS)
def test_corpus_and_regressions(name: str) -> None:
    target = TARGETS[name]
    inputs = fixed_inputs(target)
    assert len(inputs) > 10
    done = replay(target, inputs)
    assert done.returncode == 0, done.stdout[-4000:]
    assert done.stdout.count("Executed ") == len(inputs)


def test_the_corpus_is_what_its_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = {path.relative_to(make_corpus.CORPUS): path.read_bytes() for path in make_corpus.CORPUS.glob("*/*")}
    monkeypatch.setattr(make_corpus, "CORPUS", tmp_path)
    make_corpus.main()
    assert {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.glob("*/*")} == committed


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_short_run(name: str, tmp_path: Path) -> None:
    """Four seconds; on a machine that does much else, in which nothing new was reached, sixteen more."""
    runs = RUNS_PARSER if TARGETS[name].sources == ("http.c",) else RUNS
    found, kept = tmp_path / "found", tmp_path / "kept"
    slow = name.startswith("sealed")  # some 50 inputs a second: too few to reach what the corpus does not
    for seconds in (4,) if slow else (4, 16):
        done = fuzz(TARGETS[name], seconds=seconds, runs=runs, seed=1, found=found, kept=kept, quickly=True)
        failing = [path.read_bytes().hex() for path in found.iterdir()]
        assert done.returncode == 0, f"{failing}\n{done.stdout[-4000:]}"
        if any(kept.iterdir()):
            return
    assert slow, "nothing new was reached"
