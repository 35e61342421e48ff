# SPDX-License-Identifier: MIT
import pytest

from tests.wss.host import Device


@pytest.fixture(scope="module")
def device() -> Device:
    return Device()
