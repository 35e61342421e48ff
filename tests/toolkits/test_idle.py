# SPDX-License-Identifier: MIT
"""Clients that keep a connection and call again after its timeout: they see our FIN, and open another one."""

import shutil
import time

import pytest
import requests

from tests.toolkits.support import CLIENTS, said_by, url_of
from whit.paths import ROOT

pytestmark = pytest.mark.xdist_group("toolkits")
TIMEOUT_S = 5
PAUSES_S = (TIMEOUT_S - 1, TIMEOUT_S + 2.5)  # kept; closed, with a FIN to the client


# Without Keep-Alive, only the FIN ends idle connections.
thermostat = url_of(ROOT / "apps" / "services", "", f"idle_timeout_s={TIMEOUT_S}", "keep_alive=false")


def test_a_session_of_requests(thermostat: str) -> None:
    """POST, which urllib3 does not repeat by itself."""
    with requests.Session() as session:
        for pause_s in (0.0, *PAUSES_S):
            time.sleep(pause_s)
            answer = session.post(f"{thermostat}/echo", json={"text": "again"}, timeout=20)
            assert (answer.status_code, answer.json()) == (200, {"text": "again"})


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_an_agent_of_node(thermostat: str) -> None:
    """The first two calls share a connection, the third has another one."""
    said = said_by(["node", CLIENTS / "idle.js", f"{thermostat}/echo", *map(str, PAUSES_S)])
    assert said == [[200, False], [200, True], [200, False]]
