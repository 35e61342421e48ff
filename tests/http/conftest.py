# SPDX-License-Identifier: MIT
"""Engines with an application that writes contents at run time."""

from pathlib import Path

from tests.harness import OF_ENGINE, maker_of, opened
from tests.support import built
from whit.paths import ROOT
from whit_testbed.engine import Engine


def stored(app: Path, **settings: object) -> Engine:
    """Starts an engine that has the size of its persistent memory as `size`."""
    engine = opened(app, **settings)
    overrides = {name: value for name, value in settings.items() if name not in OF_ENGINE}
    engine.size = built(app, **overrides).application.limits.persistent_size
    return engine


make_stored = maker_of(ROOT / "tests" / "apps" / "stored", start=stored)
