# SPDX-License-Identifier: MIT
"""The test application, and engines with it or with an application of apps/."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser.fixtures import browser, page
from tests.harness import engine_of, maker_of, on_target
from tests.support import MADE_FILES, make_files, sanitized, target
from whit.paths import BUILD, ROOT

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


engine = engine_of("application", start=on_target)
make_engine = maker_of("application", start=on_target)
make_app = maker_of(ROOT / "apps")


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
