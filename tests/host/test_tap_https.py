# SPDX-License-Identifier: MIT
"""HTTPS with the kernel's TCP as its peer, by a device that loses one frame of twenty each way."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from whit.certificate import places

from tests.host.conftest import Start
from tests.host.test_tap import ENGINE, WHIT, fetch, inside, namespace, pytestmark
from tests.https.served import APP, BIG, PAGE, SUM, UP

__all__ = ["namespace", "pytestmark"]
LOSSES = """table ip losses {
  chain in { type filter hook input priority 0; iifname "whit0" numgen random mod 20 < 1 drop; }
  chain out { type filter hook output priority 0; oifname "whit0" numgen random mod 20 < 1 drop; }
}"""


@pytest.mark.skipif(shutil.which("nft") is None or shutil.which("curl") is None, reason="nft or curl is not installed")
def test_a_megabyte_each_way(start: Start, namespace: str, tmp_path: Path) -> None:
    options = ("--tap", "whit0", "--https", "--data", tmp_path, "--quiet")
    said = start(*inside(namespace), WHIT, "run", APP, *options).read_until("Ctrl-C ends it.")
    assert f"https://{ENGINE}:4433/" in said
    subprocess.run([*inside(namespace), "nft", "-f", "-"], input=LOSSES.encode(), check=True)
    up = tmp_path / "up"
    up.write_bytes(UP)
    curl = ("curl", "-sS", "--fail", "--max-time", "50", "--cacert", str(places.THERE / places.AUTHORITY))
    got = fetch(namespace, *curl, f"https://{ENGINE}:4433/", f"https://{ENGINE}:4433/big")
    assert hashlib.sha256(got).digest() == hashlib.sha256(PAGE + BIG).digest()
    kind = ("-H", "Content-Type: application/octet-stream")
    assert fetch(namespace, *curl, *kind, "--data-binary", f"@{up}", f"https://{ENGINE}:4433/sum") == SUM
    rules = fetch(namespace, "nft", "list", "ruleset")
    assert rules.count(b"numgen") == 2
