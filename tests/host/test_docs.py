# SPDX-License-Identifier: MIT
"""`./whit docs`: what it refuses, and a site that is served until Ctrl-C; lists as Python-Markdown wants them."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

from whit.machines.free_port import free_port
from whit.site.pages import adapted, navigation, separated

from .conftest import ROOT

COMMAND = (sys.executable, "-P", "-m", "whit", "docs")
mkdocs = pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs is not installed: ./whit docs installs it")


def docs(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, cwd=ROOT, timeout=60)


def test_a_directory_with_something_else_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("kept")
    done = docs("--build", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "not a site; name an empty or a new directory" in done.stderr
    assert (tmp_path / "letter.txt").read_text() == "kept"


def test_a_port_with_nothing_to_serve() -> None:
    done = docs("--build", "site", "--port", "8001")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--port 8001: expected without --build" in done.stderr


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = docs("--port", str(port))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert f"127.0.0.1:{port}: Address already in use" in done.stderr and "another --port" in done.stderr


@mkdocs
@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_served_until_a_signal(ending: signal.Signals) -> None:
    port = free_port()
    with subprocess.Popen([*COMMAND, "--port", str(port)], stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == f"http://127.0.0.1:{port}/  (Ctrl-C ends it)\n"
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/SECURITY.html", timeout=20) as page:
            assert b"What is promised" in page.read()
        os.kill(server.pid, ending)
        assert server.wait(20) == 0


def test_links_are_those_of_the_site() -> None:
    site = {"index.md", "SECURITY.md", "guide.md", "internals/tcp.md", "images/a.png"}

    def of(text: str, name: str) -> str:
        return "\n".join(adapted(text, name, site)).strip()

    assert of("[a](docs/guide.md#x)", "index.md") == "[a](guide.md#x)"
    assert of("[a](../SECURITY.md)", "guide.md") == "[a](SECURITY.md)"
    assert of("[a](../../README.md)", "internals/tcp.md") == "[a](../index.md)"
    assert of('<img src="docs/images/a.png">', "index.md") == '<img src="images/a.png">'
    assert of("[its text](../whit)", "guide.md") == "its text"  # a file of the tree that is no page
    for kept in ("[a](https://example.org/b.md)", "[a](#x)", "`[a](../SECURITY.md)`", "```\n[a](../SECURITY.md)\n```"):
        assert of(kept, "guide.md") == kept


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Text:", "* a", "* b"], ["", "Text:", "", "* a", "* b"]),
        (["1. a", "", "       code", "2. b"], ["", "1. a", "", "        code", "", "2. b"]),
        (["Text of", "36. This goes on."], ["", "Text of", "36\\. This goes on."]),
        (["* Text of", "  36. This goes on."], ["", "* Text of", "    36\\. This goes on."]),
        (["* a", "  * b"], ["", "* a", "    * b"]),
    ],
)
def test_lists(lines: list[str], expected: list[str]) -> None:
    assert list(separated(lines)) == expected


def test_navigation_follows_the_files() -> None:
    sections = [{"Start": [{"Overview": "README.md"}, "gone.md"]}, {"Decisions": ["decisions/*"]}, {"Reference": []}]
    pages = ["index.md", "new.md", "decisions/002.md", "decisions/README.md", "decisions/001.md"]
    assert navigation(sections, pages) == [
        {"Start": [{"Overview": "index.md"}]},
        {"Decisions": ["decisions/README.md", "decisions/001.md", "decisions/002.md"]},
        {"Reference": ["new.md"]},
    ]
