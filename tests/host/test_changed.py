# SPDX-License-Identifier: MIT
"""`./whit test --changed` chooses the tests that reach a change."""

import json
from pathlib import Path

import pytest

from whit.errors import WhitError
from whit.paths import ROOT
from whit_testbed import changed
from whit_testbed.changed import FOLDERS, REACH


def test_named_tests_exist() -> None:
    """A test file that was renamed would be left out in silence."""
    reach: dict[str, list[str]] = json.loads(REACH.read_text())
    named = {test for tests in (*reach.values(), *FOLDERS.values()) for test in tests}
    assert not [name for name in named if not (ROOT / "tests" / name).exists()]
    assert not [name for name in FOLDERS if not (ROOT / name).exists()]


def test_sources_of_the_engine_are_known() -> None:
    reach: dict[str, list[str]] = json.loads(REACH.read_text())
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "engine").rglob("*.c")}
    assert len(sources & set(reach)) >= 0.9 * len(sources)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["engine/tcp/judge.c"], "tests/segments/test_data.py"),
        (["engine/tcp/internal.h"], "tests/hostile/test_tcp_data.py"),
        (["engine/tls/record.c"], "tests/https"),
        (["tools/whit/compiler/app_toml.py"], "tests/compiler"),
        (["tests/http/test_cut.py"], "tests/http/test_cut.py"),
        (["README.md"], "tests/host/test_project.py"),
    ],
)
def test_a_change_has_its_tests(files: list[str], expected: str) -> None:
    assert expected in changed.tests_of(files)


def test_changed_tests_come_first_and_once() -> None:
    found = changed.tests_of(
        ["tools/whit/compiler/app_toml.py", "tests/http/test_cut.py", "tests/compiler/test_golden.py"]
    )
    assert found == ["tests/http/test_cut.py", "tests/compiler"]


def test_files_come_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    with pytest.raises(WhitError, match="expected a clone of the repository"):
        changed.changed_files()
