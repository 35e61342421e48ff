# SPDX-License-Identifier: MIT
"""docs/application.md says what the compiler does."""

import re
import subprocess
from pathlib import Path

from whit.compiler import compile_application
from whit.compiler.app_toml import KEYS
from whit.compiler.model import INTEGER_SIZES
from whit.paths import ROOT

from tests.compiler.support import INCLUDES, WARNINGS, make_app

PAGE = (ROOT / "docs" / "application.md").read_text()


def test_the_example(tmp_path: Path) -> None:
    example = re.search(r"```c\n(.*?)```", PAGE, re.DOTALL)
    assert example
    app, out = make_app(tmp_path / "app", {"get.c": example[1]}), tmp_path / "out"
    application = compile_application(app, out)
    assert [one.urls for one in application.resources] == [("/get",)]
    command = ["gcc", *WARNINGS, *INCLUDES, f"-I{out}", f"-I{app}", "-c", f"{out}/generator_get.c", "-o", f"{out}/o"]
    subprocess.run(command, check=True)


def test_every_key_stands_there_with_its_range() -> None:
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \|[^|]*\|([^|]*)\|", PAGE.split("\n## ")[3], re.MULTILINE))
    assert set(rows) == set(KEYS)
    for key, kind in KEYS.items():
        if isinstance(kind, range):
            assert rows[key].strip() == f"{kind[0]} to {kind[-1]}", key


def test_every_type_stands_there() -> None:
    assert set(re.findall(r"`(\w+)`", PAGE)) >= {*INTEGER_SIZES, "str"}
