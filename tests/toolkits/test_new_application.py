# SPDX-License-Identifier: MIT
"""The application made by `whit new --wsdl` is served, and its own test.py calls each of its functions."""

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.browser.served import served
from whit.commands.described.wanted import Sizes
from whit.commands.new import new_of

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
NAMES = ("echo", "points", "readings", "set_points", "temperature")


def test_its_test_passes(thermostat: str, tmp_path: Path) -> None:
    description = tmp_path / "thermostat.wsdl"
    with urllib.request.urlopen(f"{thermostat}/{description.name}", timeout=20) as answer:
        description.write_bytes(answer.read())
    made = new_of(str(tmp_path / "boiler"), description, None, Sizes())
    calling = made / "test.py"
    wrong = tmp_path / "wrong.py"
    wrong.write_text(calling.read_text().replace("['text'])", "['text', 'more'])"))
    with served(made, tmp_path / "data") as url:
        done, other = (
            subprocess.run([sys.executable, str(script), url], capture_output=True, text=True)
            for script in (calling, wrong)
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(done.stdout.splitlines()) == {f"{name} by {way}: right" for name in NAMES for way in ("soap", "json")}
    assert other.returncode == 1 and other.stderr == "echo by soap: expected more\n"
