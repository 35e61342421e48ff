# SPDX-License-Identifier: MIT
"""Runs apps/catalogue on a bare PC in QEMU, with a MariaDB of this machine that the guest reaches. It is started by one
command, on both cards, and used in a browser. The database is also silent, or killed and restarted under load."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import served
from tests.targets.machines import skipped_without
from whit.image.build import build
from whit.machines.mariadb import MariaDB
from whit.machines.qemu_pc import CARDS, start_machine
from whit.machines.run_options import RunOptions

from .test_catalogue import APP, curl, names

pytestmark = [pytest.mark.xdist_group("mariadb"), pytest.mark.slow, skipped_without("pc")]
HOST = "10.7.0.1"  # this machine's 127.0.0.1, in QEMU's network
CLIENTS = 8
CUT = 18  # curl's word for a page that ended in its middle, as one must that the database has died in
TIMEOUT_S = 2  # timeout_ms of the catalogue


@dataclass(frozen=True)
class Made:
    """The result of one command: the database's data, its port and password, and the answers."""

    directory: Path
    answers: dict[str, tuple[int, str, str]]

    @property
    def database(self) -> Path:
        return self.directory / "database"

    @property
    def port(self) -> int:
        return int((self.database / "port").read_text())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    directory = tmp_path_factory.mktemp("data")
    with served(APP, directory, options=("--target", "pc")) as url:
        answers = {
            "list": curl(url),
            "add": curl(f"{url}add", "-d", "name=Tin+bowl&kind=kitchen&cents=250"),
            "added": curl(f"{url}added"),
            "paper": curl(f"{url}paper"),
        }
    return Made(directory, answers)


@pytest.fixture(scope="module")
def database(made: Made) -> Iterator[MariaDB]:
    started = MariaDB(made.database, made.port)
    started.start()
    yield started
    started.end()


@contextmanager
def pc(made: Made, card: str, port: int) -> Iterator[str]:
    there = {"database.port": made.port, "database.password": f"file:{(made.database / 'password').resolve()}"}
    image = build(APP, target="pc", overrides={**there, "database.address": HOST}, log=True, check_budget=False)
    server = start_machine(RunOptions(str(APP), port=port, data=made.directory, target="pc"), image, card=card)
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.end()


def test_one_command(made: Made) -> None:
    """MariaDB is started, and QEMU's PC reaches it through the network that QEMU makes."""
    assert {name: status for name, (status, _, _) in made.answers.items()} == {
        "list": 200, "add": 303, "added": 200, "paper": 200,
    }  # fmt: skip
    assert names(made.answers["list"][2])[0] == "Ash basket"
    assert "Tin bowl is in the catalogue" in made.answers["added"][2]
    assert len(made.answers["paper"][2].encode()) == 211


@pytest.mark.browser
@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("card", CARDS[:2])
def test_every_card(made: Made, card: str, port: int, page: Page) -> None:
    with pc(made, card, port) as url:
        assert len(curl(f"{url}paper")[2].encode()) == 211
        assert (APP / "about.html").read_text() == curl(f"{url}about.html")[2]
        page.goto(url)
        page.get_by_role("link", name="Next").click()
        expect(page.get_by_text("21 to 40 of")).to_be_visible()


def test_a_database_that_is_silent_or_gone(made: Made, database: MariaDB, port: int) -> None:
    """503 within the stated time, files as ever, and pages again without a restart."""
    with pc(made, CARDS[0], port) as url:
        assert curl(f"{url}paper")[0] == 200
        os.kill(database.pid, signal.SIGSTOP)
        try:
            begun = time.monotonic()
            assert curl(f"{url}paper")[0] == 503
            assert TIMEOUT_S - 0.5 < time.monotonic() - begun < TIMEOUT_S + 2
            assert curl(f"{url}about.html")[0] == 200
        finally:
            os.kill(database.pid, signal.SIGCONT)
        with _clients(f"{url}paper") as said:
            database.kill()
            try:
                _until(lambda: all(503 in one for one in said), said, 60)
                assert curl(f"{url}about.html")[0] == 200
            finally:
                database.start()
            for one in said:
                one.clear()
            _until(lambda: all(200 in one for one in said), said, 10)
        assert all({200} <= one <= {200, 503} for one in said), said


Said = list[set[int | str]]
"""By each client, the statuses that it got; and why curl failed, which ends the client."""


@contextmanager
def _clients(url: str) -> Iterator[Said]:
    said, ended = Said(set() for _ in range(CLIENTS)), threading.Event()
    clients = [threading.Thread(target=_ask, args=(url, one, ended)) for one in said]
    for client in clients:
        client.start()
    try:
        yield said
    finally:
        ended.set()
        for client in clients:
            client.join()


def _until(holds: Callable[[], bool], said: Said, wait_s: float) -> None:
    """Waits until the condition holds, or a client fails."""
    until = time.monotonic() + wait_s
    while not holds() and time.monotonic() < until and all(one <= {200, 503} for one in said):
        time.sleep(0.05)
    assert holds(), said


def _ask(url: str, said: set[int | str], ended: threading.Event) -> None:
    while not ended.is_set():
        try:
            said.add(curl(url)[0])
        except subprocess.CalledProcessError as error:
            if error.returncode != CUT:
                said.add(error.stderr)
                return
