# SPDX-License-Identifier: MIT
"""Data kept under an application's name is found from any directory, and belongs to one application directory."""

from pathlib import Path

import pytest
from rich.console import Console

from tests.certificate.made import make, write
from tests.compiler.support import make_app
from whit.certificate import places
from whit.commands import cert, owner
from whit.commands.secured import secured
from whit.compiler import compile_application
from whit.errors import WhitError
from whit.machines import run_options
from whit.machines.run_options import RunOptions

KEEPS = {"index.html": "x", "app.toml": "[persistent]\nsize = 4"}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    there = tmp_path / "tree" / ".whit"
    monkeypatch.setattr(places, "THERE", there / "https")
    monkeypatch.setattr(run_options, "KEPT", there)
    monkeypatch.setattr(owner, "KEPT", there)
    return there


def told(app: Path, data: Path | None = None) -> list[str]:
    """Returns the hints before the application is served."""
    options = RunOptions(str(app), data=data)
    return list(owner.data_hints(options, compile_application(app, app.parent / "out")))


def test_data_are_found_from_everywhere(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert RunOptions("lamp").data_directory("my lamp") == kept / "my-lamp"
    assert RunOptions("lamp", data=Path("here")).data_directory("lamp") == Path("here")


def test_data_of_an_earlier_version_are_found_where_they_are(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, earlier = make_app(tmp_path / "lamp", KEEPS), tmp_path / "a" / ".whit" / "lamp"
    earlier.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    assert RunOptions("lamp").data_directory("lamp") == earlier
    assert told(app) == [f"{earlier}: kept here by an earlier version, and not found from elsewhere: move it to {kept}"]
    (kept / "lamp").mkdir(parents=True)
    assert RunOptions("lamp").data_directory("lamp") == kept / "lamp"


def test_data_that_two_share_are_told(kept: Path, tmp_path: Path) -> None:
    one, two = (make_app(tmp_path / name / "lamp", KEEPS) for name in ("one", "two"))
    assert told(one) == told(one) == []
    way_out = f'expected another one, name = "lamp-2" in {two}/app.toml, or name another place by --data'
    assert told(two) == [f"{kept}/lamp: has the data of {one}, an application of the same name: {way_out}"]
    assert told(two, data=tmp_path / "data") == []
    assert told(make_app(tmp_path / "three" / "lamp", {"index.html": "x"})) == []  # it keeps nothing
    one.rename(tmp_path / "moved")
    assert told(two) == []


def test_a_key_belongs_to_one_directory(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (make_app(tmp_path / name / "lamp", {"index.html": "x"}) for name in ("one", "two"))
    console, there = Console(quiet=True), places.THERE / "lamp"
    cert.new(str(one), [], 100, {}, console)
    before = {path.name: path.read_bytes() for path in there.iterdir()}
    root = make("root")
    given = write(tmp_path / "given", make(issuer=root), root)
    for do in (
        lambda: cert.new(str(two), [], 100, {}, console),
        lambda: cert.import_(str(two), given, given.with_name("key.pem"), {}, console),
        lambda: cert.put(str(two), tmp_path / "x.bin", "cortex-m", {"https.port": 443}, console),
    ):
        with pytest.raises(WhitError) as error:
            do()
        way_out = f'expected another one, name = "lamp-2" in {two}/app.toml'
        assert str(error.value) == f"lamp: {there} has the key of {one}, an application of the same name: {way_out}"
    capsys.readouterr()
    assert secured(RunOptions(str(two), https=True), console).https  # a copy is served all the same
    assert capsys.readouterr().err == f"hint: {error.value}\n"
    assert {path.name: path.read_bytes() for path in there.iterdir()} == before
    assert secured(RunOptions(str(one), https=True), console).https
    assert not secured(RunOptions(str(two)), console).https
    make_app(one, {"app.toml": 'name = "bulb"'})  # it has another name now
    assert secured(RunOptions(str(two), https=True), console).https


def test_an_application_that_was_moved_keeps_its_key(kept: Path, tmp_path: Path) -> None:
    app, console = make_app(tmp_path / "one" / "lamp", {"index.html": "x"}), Console(quiet=True)
    cert.new(str(app), [], 100, {}, console)
    key = (places.THERE / "lamp" / "key.pem").read_bytes()
    moved = app.rename(tmp_path / "lamp")
    cert.new(str(moved), [], 100, {}, console)
    assert (places.THERE / "lamp" / "key.pem").read_bytes() == key
    assert owner.other(places.THERE / "lamp", moved, "lamp") is None
