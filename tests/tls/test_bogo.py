# SPDX-License-Identifier: MIT
"""BoringSSL's suite, BoGo, against the TLS floor. bogo/cases.toml says which of its cases run, and why the others do
not."""

import os
import subprocess

import pytest

from tests.tls.bogo.runner import CHOICE, run, shim

pytestmark = pytest.mark.skipif("WHIT_SANITIZE" in os.environ, reason="other programs are not started under sanitizers")


def test_its_cases():
    """Each is a program and some connections of its own: a hundred of them take seconds."""
    ended, said = run(CHOICE["run"])
    assert {name for name, how in ended.items() if how == "PASS"} == set(CHOICE["run"]), said


@pytest.mark.skipif(os.environ.get("WHIT_BOGO") != "all", reason="WHIT_BOGO=all goes through all cases that there are")
def test_all_of_its_cases():
    """Those for clients, older versions and other suites are refused by the shim; nobody of those that run is new."""
    ended, said = run()
    assert [name for name, how in ended.items() if how == "FAIL"] == [], said
    assert {name for name, how in ended.items() if how == "PASS"} == set(CHOICE["run"]) and len(ended) > 3000


@pytest.mark.parametrize(
    "words", [["-port", "1"], ["-port", "1", "-server", "-no-tls13"], ["-server", "-max-version", "771"]]
)
def test_what_the_floor_does_not_have(words):
    """The shim says so, and makes no connection."""
    assert subprocess.run([shim(), *words], capture_output=True).returncode == 89
