# SPDX-License-Identifier: MIT
"""The experiments of experiments.toml."""

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from whit.errors import WhitError
from whit_lab.circumstances import PROGRAMS
from whit_lab.experiment import Experiment

_EXPERIMENTS = {
    name: Experiment(name, **about)
    for name, about in tomllib.loads(Path(__file__).with_name("experiments.toml").read_text()).items()
}
NAMES = tuple(_EXPERIMENTS)


def find(name: str) -> Experiment:
    if name not in NAMES:
        near = get_close_matches(name.lower().replace("_", "-").replace(" ", "-"), NAMES, 1)
        way_out = f"is it {near[0]}? ./whit lab lists them" if near else f"expected {', '.join(NAMES)}"
        raise WhitError(f"lab: no experiment {name}; {way_out}")
    return _EXPERIMENTS[name]


def tools_of(programs: Iterable[str]) -> set[str]:
    """Returns the compilers and emulators among these programs, by the names of circumstances.py."""
    names = {program: name for name, program in PROGRAMS.items()}
    emulators = {program: "QEMU" for program in programs if program.startswith("qemu-system-")}
    return {(names | emulators)[program] for program in programs if program in names | emulators}


def every() -> list[Experiment]:
    return [find(name) for name in NAMES]
