# SPDX-License-Identifier: MIT
"""The cost of SOAP in an image for a Cortex-M3."""

import shutil
import subprocess
from pathlib import Path

import pytest

from whit.image.build import build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("arm-none-eabi-size") is None, reason="arm-none-eabi-gcc is not installed"),
]

TEMPERATURE = """/* <generator>
     <handlers call="measure"/>
     <properties persistence="volatile"/>
     <service as="{ways}"/>
     <args><arg name="unit" type="enum" values="c f" default="c"/></args>
     <result><value name="value" type="int16" scale="1"/></result>
   </generator> */
#include <whit/app.h>

static char measure(struct args_t *args, struct result_t *result)
{{
    result->value = args->unit == 0 ? 215 : 707;
    return 1;
}}
"""


def sizes(directory: Path, ways: str) -> tuple[int, int]:
    """Octets of flash and of variables."""
    directory.mkdir()
    (directory / "app.toml").write_text("buffer = 2048\nservices.describe = false\n")
    (directory / "temperature.c").write_text(TEMPERATURE.format(ways=ways))
    image = build(directory, target="cortex-m").image
    told = subprocess.run(["arm-none-eabi-size", str(image)], check=True, capture_output=True, text=True).stdout
    text, data, bss = map(int, told.splitlines()[1].split()[:3])
    return text + data, data + bss


def test_soap_beside_json(tmp_path: Path) -> None:
    """docs/services.md gives the cost."""
    plain, soap = sizes(tmp_path / "plain", "json"), sizes(tmp_path / "soap", "soap json")
    assert 6200 <= soap[0] - plain[0] <= 6800
    assert 0 <= soap[1] - plain[1] <= 4, "how the caller asked, an octet; the image's end is aligned"
