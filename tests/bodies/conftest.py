# SPDX-License-Identifier: MIT
"""Engines with tests/apps/bodies, which takes bodies of every kind."""

from collections.abc import Callable, Iterator

import pytest

from tests.support import built
from whit.paths import ROOT
from whit_testbed.engine import Engine

Make = Callable[..., Engine]


@pytest.fixture
def make() -> Iterator[Make]:
    """An engine; its arguments are keys of app.toml, but for `seed` and `link`."""
    engines: list[Engine] = []

    def made(*, seed: int = 1, link: str = "ethernet", **overrides: object) -> Engine:
        result = built(ROOT / "tests" / "apps" / "bodies", link=link, **overrides)
        engines.append(Engine(result.image, link=link, seed=seed))
        return engines[-1]

    yield made
    for engine in engines:
        engine.close()


@pytest.fixture
def bodies(make: Make) -> Engine:
    return make()
