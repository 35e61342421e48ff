# SPDX-License-Identifier: MIT
"""docs/application.md describes the compiler's behaviour."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.compiler.support import INCLUDES, WARNINGS, make_app
from whit.compiler import compile_application
from whit.compiler.annotation import ATTRIBUTES
from whit.compiler.app_toml import KEYS
from whit.compiler.arguments import TYPES
from whit.compiler.handlers import FORMS
from whit.paths import ROOT

PAGE = (ROOT / "docs" / "application.md").read_text()


@pytest.mark.parametrize("page", ["README.md", "docs/application.md"])
def test_the_example(tmp_path: Path, page: str) -> None:
    example = re.search(r"```c\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
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
    assert set(re.findall(r"`(\w+)`", PAGE)) >= set(TYPES)


def test_the_vocabulary_stands_there() -> None:
    table = PAGE.split("| element | attribute | |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (?:`<([a-z-]+)>` )?\| (?:`([A-Za-z-]+)` )?\|", table, re.MULTILINE)
    found: dict[str, list[str]] = {}
    element = ""
    for row_element, attribute in rows:
        element = row_element or element
        found.setdefault(element, []).extend([attribute] if attribute else [])
    expected = {name: sorted(attributes) for name, attributes in ATTRIBUTES.items() if name != "generator"}
    assert {name: sorted(attributes) for name, attributes in found.items()} == expected


def test_the_parameters_stand_there() -> None:
    rows = re.findall(r"^\| (?:`(\w+)` )?\| `\(([^)]*)\)` \|", PAGE, re.MULTILINE)
    found: dict[str, list[tuple[str, ...]]] = {}
    kind = ""
    for row_kind, parameters in rows:
        kind = row_kind or kind
        found.setdefault(kind, []).append(tuple(parameters.split(", ")) if parameters != "void" else ())
    assert {kind: tuple(forms) for kind, forms in found.items()} == FORMS
