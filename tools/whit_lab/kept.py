# SPDX-License-Identifier: MIT
"""Results as JSON and back: for publishing, and between processes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from whit.ladder.steps import Event, Ladder, Step
from whit_lab.experiment import Bars, Curves, Figure, Line, Lines, Result, Row, Series, Sheet, Stacks

Kept = Mapping[str, Any]
CHARTS: Mapping[str, Any] = {kind.__name__.lower(): kind for kind in (Bars, Curves, Lines, Stacks)}
OPEN_TO = 3  # levels that have a line for each entry; deeper levels share their entry's line


def kept(result: Result) -> dict[str, Any]:
    """Returns the result as JSON values, without empty fields."""
    fields = asdict(result)
    for name in ("figures", "beside"):
        fields[name] = list(map(_short, fields[name]))
    charts = zip(result.series, fields["series"], strict=True)
    fields["series"] = [{"chart": type(chart).__name__.lower(), **values} for chart, values in charts]
    for ladder in fields["ladders"]:
        ladder["steps"] = list(map(_short, ladder["steps"]))
    plain: dict[str, Any] = json.loads(json.dumps({name: value for name, value in fields.items() if value}))
    return plain


def result_of(fields: Kept) -> Result:
    kinds = {"figures": Figure, "beside": Figure, "compared": Row, "sheets": Sheet}
    plain: dict[str, Any] = {name: tuple(kind(**one) for one in fields.get(name, ())) for name, kind in kinds.items()}
    series = tuple(map(_chart, fields.get("series", ())))
    ladders = tuple(map(_ladder, fields.get("ladders", ())))
    notes = tuple(fields.get("notes", ()))
    return Result(fields.get("settings", {}), **plain, series=series, ladders=ladders, notes=notes)


def same(result: Result) -> Result:
    """Returns the result as another process reads it: tuples become lists, whole numbers stay whole."""
    return result_of(kept(result))


def text(value: object, level: int = 0) -> str:
    """Returns short JSON that can be read and compared line by line."""
    if level < OPEN_TO and isinstance(value, Mapping) and value:
        entries = [f"{' ' * (level + 1)}{json.dumps(key)}: {text(one, level + 1)}" for key, one in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{' ' * level}}}"
    if level >= OPEN_TO and isinstance(value, Sequence) and value and isinstance(value[0], Mapping):
        inner = ",\n".join(f"{' ' * (level + 1)}{_line(one)}" for one in value)
        return f"[\n{inner}\n{' ' * level}]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _short(fields: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields except the empty and false ones that may be left out."""
    required = ("end_us", "left_to_right", "label", "what", "unit")
    plain = {name for name, value in fields.items() if value is None or value is False or value == ""}
    return {name: value for name, value in fields.items() if name in required or name not in plain}


def _chart(fields: Kept) -> Series:
    values = {name: value for name, value in fields.items() if name != "chart"}
    if "lines" in values:
        values["lines"] = [Line(**line) for line in values["lines"]]
    chart: Series = CHARTS[fields["chart"]](**values)
    return chart


def _ladder(fields: Kept) -> Ladder:
    steps = tuple(Step(**step) for step in fields["steps"])
    events = tuple(Event(**event) for event in fields.get("events", ()))
    held = tuple((time_us, octets) for time_us, octets in fields.get("held", ()))
    return Ladder(fields["title"], fields["left"], fields["right"], steps, events, held)
