# SPDX-License-Identifier: MIT
"""Engines with an application that writes contents at run time."""

from collections.abc import Iterator

import pytest

from tests.http.stored import Make
from tests.support import built
from whit.paths import ROOT
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "stored"


@pytest.fixture
def make_stored() -> Iterator[Make]:
    engines: list[Engine] = []

    def make(*, persistent: bytes = b"", seed: int = 1, **overrides: object) -> Engine:
        result = built(APP, **overrides)
        engines.append(Engine(result.image, persistent=persistent, seed=seed))
        size = result.application.limits.persistent_size
        engines[-1].size = size  # type: ignore[attr-defined]
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()
