# SPDX-License-Identifier: MIT
"""A step that takes long has a line where no terminal shows it; a short one has none."""

import io
import time
from pathlib import Path

import pytest
from rich.console import Console

from tests.compiler.support import make_app
from whit.cli import app as command
from whit.commands import steps

QUICK_S, SLOW_S = 0.15, 0.4


@pytest.fixture
def plain() -> Console:
    return Console(file=io.StringIO())


def test_a_long_step_has_one_line(
    plain: Console, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(steps, "LONG_S", QUICK_S)
    with steps.steps(plain) as step:
        step("short")
        step("long")
        time.sleep(SLOW_S)
        step("also short")
    time.sleep(SLOW_S)
    assert capsys.readouterr() == ("", "long\n")


def test_a_share_is_no_step_of_its_own(
    plain: Console, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(steps, "LONG_S", QUICK_S)
    with steps.steps(plain, "first") as step:
        time.sleep(SLOW_S)
        for share in range(0, 100, 10):
            step(f"compressing 3 MB ███╌╌ {share}% a.bin")
            time.sleep(SLOW_S / 10)
    assert capsys.readouterr().err == "first\ncompressing 3 MB\n"


def test_a_failed_step_says_nothing_later(
    plain: Console, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(steps, "LONG_S", QUICK_S)
    with pytest.raises(ValueError, match="wrong"), steps.steps(plain, "first"):
        raise ValueError("wrong")
    time.sleep(SLOW_S)
    assert capsys.readouterr().err == ""


def test_a_build_tells_all_of_its_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Were each of them long: none of its time is without a name."""
    monkeypatch.setattr(steps, "LONG_S", 0.0)
    lamp = make_app(tmp_path / "lamp", {"index.html": str(time.time_ns())})
    command(["build", str(lamp), "--target", "inprocess"], standalone_mode=False)
    said = capsys.readouterr().err.splitlines()
    after = ["looking at the compiler", "compiling the engine and the application", "measuring"]
    assert said == ["compiling the application", "compressing 0 kB", "compiling the application", *after]


def test_an_export_has_hints_and_steps_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(steps, "LONG_S", 0.0)
    lamp = make_app(tmp_path / "lamp", {"index.html": "<link href=styel.css>", "style.css": "x"})
    command(["export", str(lamp), str(tmp_path / "out"), "--format", "cmake"], standalone_mode=False)
    said = capsys.readouterr()
    assert said.out == f"{tmp_path / 'out'}\n"
    step, hint = said.err.splitlines()
    assert step == "compiling the application"
    assert hint.startswith("hint: ") and hint.endswith("clients get 404; did you mean style.css?")
