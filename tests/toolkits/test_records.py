# SPDX-License-Identifier: MIT
"""gSOAP calls a function whose arguments are arrays and records."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.toolkits.support import CLIENTS, said_by, url_of
from whit.paths import ROOT
from whit_lab.real import gsoap

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("toolkits"),
    pytest.mark.skipif(bool(gsoap.why_not()), reason=gsoap.why_not()),
]


device = url_of(ROOT / "tests" / "apps" / "records", "/device")


def test_gsoap(device: str, tmp_path: Path) -> None:
    shutil.copy(CLIENTS / "records.c", tmp_path)
    for command in (
        ["wsdl2h", "-c", "-o", "made.h", f"{device}.wsdl"],
        ["soapcpp2", "-c", "-C", "-L", "-x", "-w", "made.h"],
        ["gcc", "-w", "-I.", "records.c", "soapC.c", "soapClient.c", "-lgsoap", "-o", "client"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    said = said_by([tmp_path / "client", device])
    fault = said.pop("fault")
    assert said == {
        "weights": [-0.5, 12.0],
        "tags": ["<a>", "ä"],
        "marks": ["o"],
        "z": -70000,
        "points": [
            {"x": -300, "y": 9, "ends": 2, "colour": 2, "key": [0, 254, 255]},
            {"x": 1, "y": 7, "ends": 0, "colour": 1, "key": []},
        ],
    }
    assert fault.startswith("points[3]: expected at most 3")
