# SPDX-License-Identifier: MIT
"""Stacks and scanners in Python against the TLS layer. They are fetched when this runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tls.host import counted, start
from tests.tls.served import PAGES, served
from whit.errors import WhitError
from whit_testbed.toolkits import PIP_TLS, by_pip

OLD = ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1", "tls_1_2")
ASKED = ("sslv2", "sslv3", "tlsv1", "tlsv1_1", "tlsv1_2", "tlsv1_3", "early_data", "elliptic_curves", "compression")
ASKED += ("openssl_ccs", "heartbleed", "robot", "reneg")
SCANNED_S = 120


@pytest.fixture
def fetched():
    start()
    try:
        yield os.environ | {"PYTHONPATH": str(by_pip(PIP_TLS))}
    except WhitError as error:
        pytest.skip(str(error))
    assert counted("broken") == 0


def run(environment, *words):
    done = subprocess.run(
        [sys.executable, *map(str, words)], env=environment, capture_output=True, text=True, timeout=SCANNED_S
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-1000:]
    return done.stdout


@pytest.mark.parametrize("limit", [0, 64, 90, 91, 16385])
def test_tlslite(fetched, limit):
    """tlslite uses records down to 64 octets. A ticket of 90 octets does not fit these: resumption is impossible."""
    with served() as server:
        out = run(fetched, Path(__file__).with_name("by_tlslite.py"), server.port, limit)
    page = f"http/1.1 {PAGES[b'/'].decode()}"
    assert out.splitlines() == [f"False {page}", f"{limit == 0 or limit > 90} {page}"]


def test_sslyze(fetched, tmp_path):
    """sslyze finds one version, one suite, one group, and no known weakness."""
    with served() as server:
        options = (*map("--{}".format, ASKED), "--mozilla_config=disable", f"--json_out={tmp_path / 'found'}")
        run(fetched, "-m", "sslyze", *options, f"127.0.0.1:{server.port}")
    scanned = json.loads((tmp_path / "found").read_text())["server_scan_results"][0]["scan_result"]
    found = {name: one["result"] for name, one in scanned.items() if one["status"] == "COMPLETED"}
    assert not any(found[f"{name}_cipher_suites"]["is_tls_version_supported"] for name in OLD)
    suites = [one["cipher_suite"]["name"] for one in found["tls_1_3_cipher_suites"]["accepted_cipher_suites"]]
    assert suites == ["TLS_CHACHA20_POLY1305_SHA256"]
    assert [one["name"] for one in found["elliptic_curves"]["supported_curves"]] == ["X25519"]
    assert found["tls_1_3_early_data"]["supports_early_data"]  # these tests build the TLS layer with it
    assert not found["tls_compression"]["supports_compression"]
    assert not found["openssl_ccs_injection"]["is_vulnerable_to_ccs_injection"]
    assert not found["heartbleed"]["is_vulnerable_to_heartbleed"]
    assert found["robot"]["robot_result"] == "NOT_VULNERABLE_RSA_NOT_SUPPORTED"
    assert not found["session_renegotiation"]["is_vulnerable_to_client_renegotiation_dos"]
