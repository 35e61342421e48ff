# SPDX-License-Identifier: MIT
"""Engines with an application that writes contents at run time."""

from collections.abc import Iterator

import pytest
from whit.build import build
from whit.paths import ROOT
from whit.sim.engine import Engine

from tests.conftest import sanitized
from tests.http.stored import Make

APP = ROOT / "tests" / "apps" / "stored"


@pytest.fixture
def make_stored() -> Iterator[Make]:
    engines: list[Engine] = []

    def make(*, persistent: bytes = b"", seed: int = 1, **overrides: object) -> Engine:
        result = build(APP, target="inprocess", overrides=overrides, meter=True, sanitize=bool(sanitized()))
        engines.append(Engine(result.image, persistent=persistent, seed=seed))
        size = result.application.limits.persistent_size
        engines[-1].size = size  # type: ignore[attr-defined]
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()
