# SPDX-License-Identifier: MIT
"""Engines with tests/apps/strategies, in which every kind of generator writes the same text."""

from collections.abc import Callable, Iterator

import pytest

from tests.support import built
from whit.paths import ROOT
from whit_testbed.engine import Engine

Make = Callable[..., Engine]


@pytest.fixture
def make() -> Iterator[Make]:
    """An engine; its arguments are keys of app.toml, but for `app`, `seed` and `link`."""
    engines: list[Engine] = []

    def made(*, app: str = "strategies", seed: int = 1, link: str = "ethernet", **overrides: object) -> Engine:
        result = built(ROOT / "tests" / "apps" / app, link=link, **overrides)
        engines.append(Engine(result.image, link=link, seed=seed))
        return engines[-1]

    yield made
    for engine in engines:
        engine.close()


def text(length: int) -> bytes:
    """Returns the output of the generators."""
    return b"".join(b"%06d " % (number % 10**6) for number in range(length // 7 + 1))[:length]


def words(cnt: int) -> bytes:
    """Returns the output of thread_volatile."""
    return b"begin " + text(cnt * 7) + b"%d words: that is all that there is to be said of it" % cnt
