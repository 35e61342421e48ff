# SPDX-License-Identifier: MIT
"""`whit run --live` while an author tries layouts of persistent memory: the data from before stay, the rest goes."""

import os
import re
from pathlib import Path

import pytest

from whit.commands.asides import Asides

from .conftest import WHIT, Start, body, get

DATA = "persistent.bin"


def put(place: Path, number: int, age: int) -> str:
    """A copy, as the server makes it: the first free number, the time of its data."""
    path = place / f"{DATA}.old{f'.{number}' if number > 1 else ''}"
    path.write_text(f"of {age}")
    os.utime(path, ns=(age, age))
    return path.name


def there(place: Path) -> set[str]:
    return {path.name for path in place.iterdir() if ".old" in path.name}


def test_the_first_of_a_session_stays(tmp_path: Path) -> None:
    first = put(tmp_path, 1, 10)  # of a run without --live
    asides = Asides(tmp_path / DATA)
    assert asides.begin(live=True) == []
    kept = put(tmp_path, 2, 20)
    assert asides.tidy() == []
    for age in (30, 40):
        put(tmp_path, 3, age)
        assert [path.name for path in asides.tidy()] == [f"{DATA}.old.3"]
    assert there(tmp_path) == {first, kept}


def test_a_later_session_replaces_it(tmp_path: Path) -> None:
    Asides(tmp_path / DATA).begin(live=True)
    put(tmp_path, 1, 10)
    later = Asides(tmp_path / DATA)
    assert later.begin(live=True) == []
    put(tmp_path, 2, 20)
    assert [path.name for path in later.tidy()] == [f"{DATA}.old"]
    put(tmp_path, 1, 30)  # that number is free again
    assert [path.name for path in later.tidy()] == [f"{DATA}.old"]
    assert there(tmp_path) == {f"{DATA}.old.2"}


@pytest.mark.parametrize("live", [True, False])
def test_after_a_crash(live: bool, tmp_path: Path) -> None:
    Asides(tmp_path / DATA).begin(live=True)
    for number in range(1, 8):
        put(tmp_path, number, number)
    Asides(tmp_path / DATA).begin(live=live)
    assert there(tmp_path) == {f"{DATA}.old"}


def test_without_live_nothing_goes(tmp_path: Path) -> None:
    for wrong in (None, "", "{}", "[]", "nothing"):
        if wrong is not None:
            (tmp_path / f"{DATA}.live").write_text(wrong)
        for number in range(1, 4):
            put(tmp_path, number, number)
        asides = Asides(tmp_path / DATA)
        assert asides.begin(live=False) == asides.tidy() == []
        assert len(there(tmp_path)) == 3 and not (tmp_path / f"{DATA}.live").exists()


@pytest.mark.slow
def test_an_author_tries_layouts(start: Start, counter: Path, port: int, tmp_path: Path) -> None:
    toml = (counter / "app.toml").read_text()
    server = start(WHIT, "run", counter, "--port", port, "--live", "--data", tmp_path / "data")
    server.read_until("Ctrl-C ends it.")
    assert body(get(port, "/count")) == b"1"
    for number in range(1, 5):
        (counter / "app.toml").write_text(f'{toml}\n[persistent.area{number}]\nx = "bool"\n')
        server.read_until("rebuilt")
        server.output = server.output.replace("rebuilt", "")
        assert body(get(port, "/count")) == str(number + 1).encode()
    assert server.end() == 0
    assert there(tmp_path / "data") == {f"{DATA}.old"}
    assert len(re.findall(r"old[.]2: removed; --live keeps the data from before it", server.output)) == 3
