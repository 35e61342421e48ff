# SPDX-License-Identifier: MIT
"""Builds of the test application, and engines made of them."""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser.fixtures import browser, page
from tests.support import MADE_FILES, Build, built, make_files, sanitized, target
from whit.errors import WhitError
from whit.paths import BUILD, ROOT
from whit_testbed.engine import Engine

__all__ = ["browser", "page"]  # fixtures


@pytest.fixture(scope="session", autouse=True)
def sanitizer_of_this_process_alone() -> None:
    """AddressSanitizer was loaded with it. Compilers do without: they take half as long again with it."""
    if sanitized():
        os.environ.pop("LD_PRELOAD", None)


@pytest.fixture(scope="session")
def application() -> Path:
    """tests/apps/basic with the files that are made and not kept."""
    there = BUILD / "test-apps" / ("basic" if target() == "inprocess" else f"basic-{target()}")
    kept = ROOT / "tests" / "apps" / "basic"
    found = {str(path.relative_to(kept)): path.read_bytes() for path in kept.rglob("*") if path.is_file()}
    make_files(there, found | MADE_FILES)
    return there


@pytest.fixture(scope="session")
def make_build(application: Path) -> Callable[..., Build]:
    """Builds the application in-process: link="ethernet" or "slip", other arguments are keys of app.toml.

    WHIT_RECOVERY=small runs tests on an engine with the small recovery from loss; those of full recovery fail then.
    """

    def make(link: str = "ethernet", **overrides: object) -> Build:
        recovery = os.environ.get("WHIT_RECOVERY", "full")
        with skipping_what_does_not_fit():
            result = built(application, on=target(), link=link, **{"recovery": recovery, **overrides})
        return Build(result.image, link, result.application)

    return make


@contextmanager
def skipping_what_does_not_fit() -> Iterator[None]:
    """Skips a test whose image exceeds an ATmega1284P's 16 KB of RAM, as the linker reports."""
    try:
        yield
    except WhitError as error:
        if target() != "inprocess" and "is not within region" in str(error):
            pytest.skip("does not fit the RAM of an AVR")
        raise


@pytest.fixture
def make_engine(make_build: Callable[..., Build]) -> Iterator[Callable[..., Engine]]:
    """An engine of a build; closed when the test ends. `seed`, `now_ms` and `persistent` are the engine's."""
    engines: list[Engine] = []

    def make(*, seed: int = 1, now_ms: int = 1000, persistent: bytes = b"", **options: object) -> Engine:
        made = make_build(**options)
        engines.append(Engine(made.image, link=made.link, seed=seed, now_ms=now_ms, persistent=persistent))
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()


MakeApp = Callable[..., Engine]


@pytest.fixture
def make_app() -> Iterator[MakeApp]:
    """An Ethernet engine with an application of apps/; further arguments are keys of app.toml."""
    engines: list[Engine] = []

    def make(name: str, *, now_ms: int = 1000, persistent: bytes = b"", **overrides: object) -> Engine:
        image = built(ROOT / "apps" / name, **overrides).image
        engines.append(Engine(image, now_ms=now_ms, persistent=persistent))
        return engines[-1]

    yield make
    for engine in engines:
        engine.close()


@pytest.fixture
def engine(make_engine: Callable[..., Engine]) -> Engine:
    """An Ethernet engine with two slots."""
    return make_engine()


SEED = 1
settings.register_profile("whit", derandomize="WHIT_SEED" not in os.environ)
settings.load_profile("whit")


def seed_of_run() -> int:
    chosen = os.environ.get("WHIT_SEED") or SEED
    return random.SystemRandom().getrandbits(32) if chosen == "random" else int(chosen)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """SEED, so that a commit has one verdict; WHIT_SEED=n for another, WHIT_SEED=random for a new one each time."""
    value = seed_of_run()
    request.node.user_properties.append(("seed", value))
    print(f"WHIT_SEED={value} replays this")
    return value
