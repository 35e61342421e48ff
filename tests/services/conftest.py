# SPDX-License-Identifier: MIT
from collections.abc import Iterator

import pytest

from tests.services.support import APP
from tests.support import built
from whit_testbed.engine import Engine


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(built(APP).image) as started:
        yield started
