# SPDX-License-Identifier: MIT
"""The laboratory's results on the refined model: its error, and the processor's time. They are read from docs/lab,
or from build/lab/results, where `whit lab contacts` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whit.paths import BUILD, ROOT

EXPERIMENT, FIGURE, EACH = "contacts", "model_error_percent_max", "model_error_"
BROWSER, BROWSER_FIGURE = "kernel", "page_deviation_percent"
PUBLISHED = ROOT / "docs" / "lab" / "results.json"
RESULTS, FIGURES = BUILD / "lab" / "results", "figures.json"
CLOCK_HZ = 8e6  # of the processor that the experiment has


@dataclass(frozen=True)
class Processor:
    """Seconds that an AVR takes, which does one thing at a time."""

    octet_s: float  # of a request
    file_s: float  # from a request for a file to its response
    generated_s: float
    segment_s: float  # between two segments

    def at(self, clock_hz: float) -> Processor:
        by = CLOCK_HZ / clock_hz
        return Processor(self.octet_s * by, self.file_s * by, self.generated_s * by, self.segment_s * by)


@dataclass(frozen=True)
class Found:
    """percent: the model's largest error, over `cnt` contents and pages. where: source of the results, for a reader.
    browser_percent: a real browser's time for a page against virtual time; None: not measured."""

    percent: float
    cnt: int
    where: str
    processor: Processor | None = None
    browser_percent: float | None = None


def found(published: Path = PUBLISHED, results: Path = RESULTS) -> Found | None:
    """Returns the newest results; None if the experiment was not run."""
    experiments = _read(published).get("experiments", {})
    for where, fields_of in (
        ("as published", lambda name: experiments.get(name, {}).get("full", {})),
        ("as run here", lambda name: _read(results / name / FIGURES)),
    ):
        fields = fields_of(EXPERIMENT)
        percent = _figure(fields, FIGURE)
        if percent is not None:
            cnt = sum(figure["name"].startswith(EACH) for figure in fields.get("beside", ()))
            browser = _figure(fields_of(BROWSER), BROWSER_FIGURE)
            return Found(percent, cnt, where, _processor(fields.get("settings", {})), browser)
    return None


def _figure(fields: Mapping[str, Any], name: str) -> float | None:
    return next((figure["value"] for figure in fields.get("figures", ()) if figure["name"] == name), None)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        fields: Mapping[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return fields


def _processor(settings: Mapping[str, Any]) -> Processor | None:
    octet_us, request_ms, gap_ms = (settings.get(f"processor_{key}") for key in ("octet_us", "request_ms", "gap_ms"))
    if not (octet_us and isinstance(request_ms, dict) and isinstance(gap_ms, dict)):
        return None
    files = [ms for key, ms in request_ms.items() if not key.startswith("cb_")]
    made = [ms for key, ms in request_ms.items() if key == "cb_get"] or files
    gaps = [ms for key, ms in gap_ms.items() if ms and not key.startswith("cb_")]
    if not files or not gaps:
        return None
    means = (sum(files) / len(files), sum(made) / len(made), sum(gaps) / len(gaps))
    return Processor(octet_us / 1e6, *(ms / 1000 for ms in means))
