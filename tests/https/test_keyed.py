# SPDX-License-Identifier: MIT
"""The image of a device: built without its key, and with it in its place where it is asked for."""

import io
import shutil
import stat

import pytest
from rich.console import Console

from whit.commands import cert
from whit.errors import WhitError
from whit.image.build import build
from whit.image.keyed import PLACE
from whit.paths import ROOT
from whit_lab.instruments import secured

APP = str(ROOT / "tests" / "apps" / "secure")


@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed")
def test_the_key_in_its_place(tmp_path):
    """The rest of the image is unchanged, and only the file's owner may read it."""
    key, file = secured.device_key(), tmp_path / "image.bin"
    without = build(APP, target="cortex-m", overrides=secured.settings()).flashable.read_bytes()
    assert without.count(PLACE) == 1 and key not in without
    cert.put(APP, file, "cortex-m", secured.settings(), Console(file=io.StringIO()))
    assert file.read_bytes() == without.replace(PLACE, key)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_has_no_key(tmp_path):
    """The command reports it before the build, with the way out."""
    with pytest.raises(WhitError, match=r"no key: expected a table \[https\] in app\.toml, or --set https\.port=443"):
        cert.put(str(ROOT / "apps" / "contacts"), tmp_path / "a", "cortex-m", {}, Console(file=io.StringIO()))


def test_what_has_no_place_for_it(tmp_path):
    with pytest.raises(WhitError, match=r"expected a device; \./whit run gives a key to what runs here"):
        cert.put(APP, tmp_path / "image", "inprocess", secured.settings(), Console(file=io.StringIO()))
