# SPDX-License-Identifier: MIT
from collections.abc import Iterator

import pytest
from whit.sim.engine import Engine

from tests.services.support import APP
from tests.support import built


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(built(APP).image) as started:
        yield started
