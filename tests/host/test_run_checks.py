# SPDX-License-Identifier: MIT
"""`whit run` checks all that needs no build before the build; until then it writes and truncates nothing."""

import fcntl
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import whit.commands.run
from tests.compiler.support import make_app
from whit.cli import app as command
from whit.errors import WhitError
from whit.machines import run_options
from whit.machines.free_port import free_port
from whit.output import check_directory, check_output

KEEPS = '[stored."a.png"]\nsize = 5\n'
DATABASE = '[database]\nuser = "u"\ndatabase = "d"\n'
LONG = "n" * 300
NOBODY = 65534  # a user


def built(*arguments: object, **words: object) -> None:
    raise AssertionError("it was built")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with an application, in which nothing is built."""
    make_app(tmp_path / "lamp", {"index.html": "x", "app.toml": KEEPS})
    (tmp_path / "capture.pcap").write_text("of an earlier run")
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(whit.commands.run, "_build", built)
    monkeypatch.setattr(run_options, "KEPT", tmp_path / "kept")
    return tmp_path


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def refused(place: Path, words: str) -> WhitError:
    """Returns the error of `whit run`, which must leave all files unchanged."""
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    with pytest.raises(WhitError) as error:
        command(["run", "lamp", *words.split()], standalone_mode=False)
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before
    assert "\n" not in str(error.value)
    return error.value


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        ("--port TAKEN", 3, "127.0.0.1:TAKEN: Address already in use; another program listens there: end it, or give"),
        ("--port TAKEN --target cortex-m", 3, "another program listens there: end it, or give another --port"),
        ("--https --https-port TAKEN", 3, "another program listens there: end it, or give another --https-port"),
        ("--host 192.0.2.1", 4, "this machine has no such address: give another --host"),
        ("--host thing.example", 2, "--host thing.example: expected an IPv4 address of this machine, such as 127"),
        ("--host 127.0.0.1 --pcap none/c.pcap", 2, "--pcap none/c.pcap: expected a file in a directory that exists"),
        ("--pcap lamp", 2, "--pcap lamp: expected a file in a directory that exists"),
        (f"--pcap {LONG}", 2, "File name too long; expected a file that can be written"),
        (f"--ladder {LONG}.svg", 2, "File name too long; expected a file that can be written"),
        ("--ladder drawn.png", 2, "--ladder drawn.png: expected a name that ends in"),
        ("--tap sixteen-letters_", 2, "expected the name of a network interface, 1 to 15 characters"),
        ("--tap a/b", 2, "--tap a/b: expected the name of a network interface, 1 to 15 characters"),
        ("--tap lo", 4, "--tap lo: this interface is no TAP device: give another name"),
        ("--tap none0 --address 10.7.0.0/24", 2, "--address 10.7.0.0/24: expected a host's IPv4 address and a prefix"),
        ("--tap none0 --address 10.7.0.2/31", 2, "--address 10.7.0.2/31: expected a host's IPv4 address and a prefix"),
        ("--tap none0 --address 10.7.0.2", 2, "--address 10.7.0.2: expected a host's IPv4 address and a prefix"),
        ("--tap none0 --gateway router", 2, "--gateway router: expected an IPv4 address, such as 10.7.0.1"),
        ("--data file", 2, "file: Not a directory; name a directory that can be written with --data"),
        ("--data file/inside", 2, "Not a directory; name a directory that can be written with --data"),
        ("--target inprocess", 2, "--target inprocess: expected one that runs here: linux, avr"),
        ("--set conections=3", 2, "--set: unknown key 'conections'"),
    ],
)
def test_before_a_build(words: str, code: int, expected: str, place: Path, taken: int) -> None:
    words = words.replace("TAKEN", str(taken))
    if "--port" not in words and "--tap" not in words:
        words += f" --port {free_port()}"
    error = refused(place, f"--pcap capture.pcap {words}")
    assert expected.replace("TAKEN", str(taken)) in str(error)
    assert error.code == code


@pytest.mark.parametrize(
    ("target", "file"),
    [
        ("linux", "persistent.bin.lock"),
        ("avr", "avr.bin"),
        ("cortex-m", "cortex-m.nor"),
        ("riscv", "riscv.nor"),
        ("pc", "pc.disk"),
    ],
)
def test_data_in_use(target: str, file: str, place: Path) -> None:
    """Another server holds the lock of this data."""
    (place / "data").mkdir()
    words = f"--pcap capture.pcap --data data --target {target} --port {free_port()}"
    with (place / "data" / file).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        error = refused(place, words)
        assert "another server keeps its data there; end it, or give this one a place" in str(error)
        assert error.code == 1
        (place / "lamp" / "app.toml").write_text("")  # and an application without any does not mind
        with pytest.raises(AssertionError, match="it was built"):
            command(["run", "lamp", *words.split()], standalone_mode=False)
    (place / "lamp" / "app.toml").write_text(KEEPS)
    with pytest.raises(AssertionError, match="it was built"):
        command(["run", "lamp", *words.split()], standalone_mode=False)


def test_database_in_use(place: Path) -> None:
    """Neither port nor log of a database may change while a server uses it."""
    (place / "lamp" / "app.toml").write_text(DATABASE)
    there = place / "data" / "database"
    there.mkdir(parents=True)
    (there / "port").write_text("21000\n")
    with (there / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        error = refused(place, f"--data data --port {free_port()}")
    assert "another server keeps its data there; end it, or give this one a place" in str(error)


@contextmanager
def not_root() -> Iterator[None]:
    """Runs as a user other than root, even if the tests run as root."""
    is_root = os.geteuid() == 0
    if is_root:
        os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        if is_root:
            os.setresuid(0, 0, 0)


def test_a_directory_in_which_a_user_may_not_write() -> None:
    with TemporaryDirectory(dir="/tmp") as name:
        there = Path(name)
        for one, mode in ((there, 0o755), (there / "open", 0o777), (there / "shut", 0o555)):
            one.mkdir(exist_ok=True)
            one.chmod(mode)
        with not_root():
            check_output("--pcap", there / "open" / "a.pcap")
            check_directory("--ladder", there / "open")
            with pytest.raises(WhitError, match=r"^--pcap .*/shut/a\.pcap: expected a place where you may write$"):
                check_output("--pcap", there / "shut" / "a.pcap")
            with pytest.raises(WhitError, match=r"^--ladder .*/shut: expected a place where you may write$"):
                check_directory("--ladder", there / "shut")


def test_a_directory_that_takes_no_files_from_root_either() -> None:
    with pytest.raises(WhitError, match=r"^--pcap /proc/x: expected a place where you may write$"):
        check_output("--pcap", Path("/proc/x"))
    with pytest.raises(WhitError, match=r"^--ladder /proc: expected a place where you may write$"):
        check_directory("--ladder", Path("/proc"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_where_nobody_may_write(place: Path) -> None:
    (place / "shut").mkdir(mode=0o500)
    for words in ("--pcap shut/a.pcap", "--ladder shut/a.svg", "--data shut/data"):
        assert "write" in str(refused(place, f"{words} --port {free_port()}"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("report lamp --link 10kB/s,50ms --then http://x/", "--then http://x/: expected a target"),
        ("report lamp --link 10kB", "--link 10kB: "),
        ("model --json none/a.json", "--json none/a.json: expected a file in a directory that exists"),
        (f"model --plot {LONG}.svg", "File name too long; expected a file that can be written"),
        ("lab traffic --ladder file", "--ladder file: expected a directory, or a name for one"),
        ("lab traffic --ladder file/inside", "--ladder file/inside: expected a directory, or a name for one"),
        ("lab traffic --json none/a.json", "--json none/a.json: expected a file in a directory that exists"),
        ("lab all --report file", "--report file: expected a directory, or a name for one"),
        ("ladder none.pcap --app lamp", "none.pcap"),
        ("ladder capture.pcap --svg none/a.svg", "--svg none/a.svg: expected a file in a directory that exists"),
        ("export lamp file --format cmake", "file"),
    ],
)
def test_other_commands(words: str, expected: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whit_lab.cli._run", built)
    monkeypatch.setattr("whit_lab.everything.run_shown", built)
    monkeypatch.setattr("whit.ladder.cli._strategies", built)
    before = sorted(place.rglob("*"))
    with pytest.raises(WhitError) as error:
        command(words.split(), standalone_mode=False)
    assert expected in str(error.value)
    assert sorted(place.rglob("*")) == before
