# SPDX-License-Identifier: MIT
"""`whit new` makes an application that runs at once."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from whit.commands import new as new_module
from whit.errors import WhitError
from whit.paths import BUILD, ROOT

from .conftest import WHIT, Start, whit
from .test_messages import may_not_mount


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_new_then_run_then_curl(start: Start, port: int, tmp_path: Path) -> None:
    made = whit("new", "thing-1", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert f"{WHIT} run thing-1" in made.stdout
    assert not any(b"@NAME@" in path.read_bytes() for path in (tmp_path / "thing-1").rglob("*") if path.is_file())
    start(WHIT, "run", "thing-1", "--port", port).read_until("Ctrl-C ends it.")
    for built in BUILD.glob("thing-1-linux-*"):
        shutil.rmtree(built)
    page = subprocess.run(
        ["curl", "--silent", "--fail", "--max-time", "10", f"http://127.0.0.1:{port}/"], capture_output=True, check=True
    )
    assert b"thing-1" in page.stdout and b"<html" in page.stdout
    test = [sys.executable, str(tmp_path / "thing-1" / "test.py"), f"http://127.0.0.1:{port}"]
    called = subprocess.run(test, capture_output=True, text=True)
    assert (called.returncode, called.stderr) == (0, "")
    assert called.stdout == "hello by json: right\nhello by form: right\n"


def test_existing_directory_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work").write_text("precious")
    done = whit("new", "mine", cwd=tmp_path)
    assert done.returncode == 2 and "exists already" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["work"]


def test_next_can_be_pasted(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    said = whit("new", "a b/c", cwd=tmp_path).stdout
    assert "run 'a b/c' --live\n" in said and "python3 'a b/c/test.py' http" in said


def test_a_test_that_is_given_no_url(tmp_path: Path) -> None:
    assert whit("new", "thing", cwd=tmp_path).returncode == 0
    test = [sys.executable, str(tmp_path / "thing" / "test.py"), "lamp"]
    called = subprocess.run(test, capture_output=True, text=True)
    assert called.returncode == 1
    assert called.stderr == "lamp/hello: expected an URL such as http://127.0.0.1:8080\n"


def test_a_command_of_commands_alone_shows_its_help(tmp_path: Path) -> None:
    done = whit("cert", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "") and "import" in done.stdout


@pytest.mark.skipif(may_not_mount(), reason="no mounts in a namespace of its own")
def test_a_full_disk_keeps_nothing_half_written(tmp_path: Path) -> None:
    """A page of 4 kB is left: some of the files fit, and not all."""
    commands = [f"{WHIT} new thing", f"{WHIT} export {ROOT}/apps/plain thing --format cmake"]
    for command in commands:
        script = f"mount -t tmpfs -o size=8k none {tmp_path} && cd {tmp_path} && {command}; code=$?; ls -A; exit $code"
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True)
        assert done.returncode == 2 and done.stdout == "", done.stdout
        assert "thing: No space left on device; give a place that can be written" in done.stderr
        assert done.stderr.count("\n") == 1


def test_nothing_is_left_of_one_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(new_module, "test_file", full)
    with pytest.raises(WhitError, match="No space left on device; give a place that can be written"):
        new_module.new(str(tmp_path / "thing"))
    assert not list(tmp_path.iterdir())


def test_a_dangling_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(WhitError, match="exists already"):
        new_module.new(str(tmp_path / "link"))
