# SPDX-License-Identifier: MIT
from collections.abc import Iterator

import pytest

from tests.browser.served import served
from whit.paths import ROOT


@pytest.fixture(scope="package")
def thermostat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of apps/services, which `./whit run` serves on this machine, without the slash at its end."""
    with served(ROOT / "apps" / "services", tmp_path_factory.mktemp("data")) as url:
        yield url.rstrip("/")


@pytest.fixture(scope="package")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same on an emulated Cortex-M3."""
    with served(ROOT / "apps" / "services", tmp_path_factory.mktemp("data"), options=["--target", "cortex-m"]) as url:
        yield url.rstrip("/")
