# SPDX-License-Identifier: MIT
"""lwIP, or the reason why a test goes without."""

from pathlib import Path

import pytest

from whit.errors import WhitError
from whit_testbed.lwip_build import shared_object


def lwip_library() -> Path:
    try:
        return shared_object()
    except WhitError as error:
        pytest.skip(str(error))
