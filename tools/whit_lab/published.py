# SPDX-License-Identifier: MIT
"""results.json: each published experiment with its circumstances, and a digest."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from whit.errors import WhitError
from whit.paths import ROOT
from whit_lab import depends, registry
from whit_lab.circumstances import tools
from whit_lab.experiment import Experiment, Result
from whit_lab.kept import kept, result_of, text
from whit_lab.page import Entry
from whit_lab.running import Run

PUBLISHED = ROOT / "docs" / "lab"
RESULTS = "results.json"
Stored = dict[str, Any]


def read(there: Path = PUBLISHED) -> Stored:
    try:
        stored: Stored = json.loads((there / RESULTS).read_text())
    except FileNotFoundError:
        raise WhitError(f"lab: {there / RESULTS} is not there; ./whit lab publish makes it") from None
    return stored


def write(stored: Stored, there: Path) -> None:
    """Writes the results in the order of the experiments, without removed experiments."""
    known = {name: stored["experiments"][name] for name in registry.NAMES if name in stored["experiments"]}
    (there / RESULTS).write_text(text({"experiments": known}) + "\n")


def entry(experiment: Experiment, full: Run, reduced: Run | None, here: Mapping[str, str]) -> Stored:
    """Returns an experiment in its published form; {} if it could not be run. reduced: None if no figure is repeatable.
    here: the circumstances."""
    if full.result is None or (reduced and reduced.result is None):
        return {}
    made = {name: here[name] for name in ("when", "commit") if name in here}
    one = {
        "made": {**made, **tools(experiment.tools, here)},
        "depends": depends.digest(depends.paths(experiment)),
        "seconds": round(full.seconds),
        "full": kept(full.result),
        "reduced": repeated(experiment, reduced.result) if reduced and reduced.result else {},
    }
    return {**one, "digest": digest(experiment.name, one)}


def digest(name: str, one: Mapping[str, Any]) -> str:
    """Returns a digest of everything published of an experiment."""
    fields = {key: value for key, value in one.items() if key != "digest"}
    return hashlib.sha256(json.dumps([name, fields], sort_keys=True).encode()).hexdigest()[:16]


def values(result: Result) -> dict[str, float]:
    """Returns all numbers that have names."""
    figures = {figure.name: figure.value for figure in [*result.figures, *result.beside]}
    return figures | {f"{row.name}, {row.source}": row.ours for row in result.compared}


def repeated(experiment: Experiment, result: Result) -> dict[str, float]:
    """Returns the figures that another run reproduces exactly."""
    return {name: value for name, value in values(result).items() if is_repeated(experiment, name)}


def is_repeated(experiment: Experiment, name: str) -> bool:
    return experiment.deterministic or any(fnmatchcase(name, one) for one in experiment.exact)


def entries(stored: Mapping[str, Any]) -> list[Entry]:
    return [
        Entry(registry.find(name), result_of(one["full"]), one["seconds"])
        for name, one in stored["experiments"].items()
        if name in registry.NAMES
    ]


def made(stored: Mapping[str, Any]) -> dict[str, str]:
    """Returns the circumstances of all experiments, each different value once."""
    found: dict[str, dict[str, None]] = {}
    for name, one in stored["experiments"].items():
        for key, value in one.get("made", {}).items():
            found.setdefault(key, {})[f"{value} ({name})" if key == "commit" else value] = None
    joined = {key: ", ".join(several) for key, several in found.items()}
    if "when" in found:
        joined["when"] = f"{min(found['when'])} to {max(found['when'])}"
    return joined


def shown(there: Path) -> str:
    return str(there.relative_to(ROOT) if there.is_relative_to(ROOT) else there)


def listed(names: Sequence[str], most: int = 4) -> str:
    """Returns the first names, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
