# SPDX-License-Identifier: MIT
"""BoringSSL's suite, BoGo, against the TLS layer. bogo/cases.toml lists its cases that run, and the reasons of the
others."""

import os
import subprocess

import pytest

from tests.tls.bogo.runner import CHOICE, SHIMS, program, run

pytestmark = pytest.mark.skipif("WHIT_SANITIZE" in os.environ, reason="other programs are not started under sanitizers")


@pytest.mark.parametrize("name", ["chacha", "aes-of-a-host"])
def test_its_cases(name):
    """Each is a program and some connections of its own: a hundred of them take seconds."""
    passes(name, SHIMS[name].cases)


def test_a_device_takes_aes_where_there_is_nothing_else():
    passes("aes-of-a-device", {*CHOICE["run_by_aes"], *(case for case in CHOICE["run"] if "CipherPreference" in case)})


def passes(name, cases):
    ended, said = run(SHIMS[name], cases)
    assert {name for name, how in ended.items() if how == "PASS"} == cases, said


@pytest.mark.skipif(os.environ.get("WHIT_BOGO") != "all", reason="WHIT_BOGO=all goes through all cases that there are")
@pytest.mark.parametrize("name", SHIMS)
def test_all_of_its_cases(name):
    """All cases that apply pass. The shim refuses those for clients, older versions and other suites, and no new case
    runs."""
    ended, said = run(SHIMS[name])
    assert [name for name, how in ended.items() if how == "FAIL"] == [], said
    assert {name for name, how in ended.items() if how == "PASS"} == SHIMS[name].cases and len(ended) > 3000


@pytest.mark.parametrize(
    "words", [["-port", "1"], ["-port", "1", "-server", "-no-tls13"], ["-server", "-max-version", "771"]]
)
def test_what_the_floor_does_not_have(words):
    """The shim reports it, and makes no connection."""
    assert subprocess.run([program(SHIMS["chacha"]), *words], capture_output=True).returncode == 89
