# SPDX-License-Identifier: MIT
"""Devices at the kernel's TCP, in a namespace of their own: any MSS, and a link that loses frames."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.host.conftest import WHIT, Start, start
from tests.host.test_tap import ENGINE, WHY_NOT, fetch, inside, namespace
from tests.targets.machines import devices, skipped_without

__all__ = ["namespace", "start"]  # fixtures

pytestmark = [pytest.mark.slow, pytest.mark.root, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

FILES = ("index.html", "script.js", "style.css", "logo.png")
MSS = (88, 137, 536, 1460)
LOSS, LITTLE_LOSS = 50, 2  # of a thousand frames
RULES = """
table ip lossy {{
    chain from {{ type filter hook input priority 0; iifname "whit0" numgen random mod 1000 < {thousandth} drop; }}
    chain to {{ type filter hook output priority 0; oifname "whit0" numgen random mod 1000 < {thousandth} drop; }}
}}
"""


def in_namespace(namespace: str, *command: str, text: str = "") -> None:
    subprocess.run([*inside(namespace), *command], input=text.encode(), check=True, capture_output=True)


def page(namespace: str, *options: str) -> bytes:
    """The files one after another, through one connection."""
    urls = [f"http://{ENGINE}/{name}" for name in FILES]
    return fetch(namespace, "curl", "--silent", "--show-error", "--fail", "--max-time", "50", *options, *urls)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("target", devices())
def test_mss_and_loss(target: str, start: Start, namespace: str, contacts: Path, tmp_path: Path) -> None:
    """The kernel announces each MSS; then both directions lose frames."""
    content = b"".join((contacts / name).read_bytes() for name in FILES)
    server = start(*inside(namespace), WHIT, "run", contacts, "--target", target, "--tap", "whit0", "--data", tmp_path)
    server.read_until(f"http://{ENGINE}/")
    in_namespace(namespace, "sh", "-c", "echo 88 > /proc/sys/net/ipv4/route/min_adv_mss")
    for mss in MSS:
        in_namespace(namespace, "ip", "route", "replace", f"{ENGINE}/32", "dev", "whit0", "advmss", str(mss))
        assert page(namespace) == content, mss
    if shutil.which("nft") is None:
        pytest.skip("nftables is not installed: no loss")
    in_namespace(namespace, "nft", "-f", "-", text=RULES.format(thousandth=LOSS))
    assert page(namespace, "--retry", "3", "--retry-all-errors") == content
    in_namespace(namespace, "nft", "delete", "table", "ip", "lossy")
    assert server.end() == 0


@skipped_without("pc")
@pytest.mark.skipif(shutil.which("curl") is None or shutil.which("nft") is None, reason="curl or nftables is missing")
def test_many_requests_on_one_connection(start: Start, namespace: str, contacts: Path, tmp_path: Path) -> None:
    """2 000 of the bare PC, as HTTP/1.1 keeps it, over a link that loses frames."""
    server = start(*inside(namespace), WHIT, "run", contacts, "--target", "pc", "--tap", "whit0", "--data", tmp_path)
    server.read_until(f"http://{ENGINE}/")
    page(namespace)
    in_namespace(namespace, "nft", "-f", "-", text=RULES.format(thousandth=LITTLE_LOSS))
    url = f"http://{ENGINE}/style.css?[1-2000]"
    once = "--write-out", "%{stderr}%{num_connects}\n"
    done = subprocess.run(
        [*inside(namespace), "curl", "--silent", "--fail", "--max-time", "60", *once, url], capture_output=True
    )
    in_namespace(namespace, "nft", "delete", "table", "ip", "lossy")
    assert done.returncode == 0
    assert done.stdout == (contacts / "style.css").read_bytes() * 2000
    assert done.stderr.split() == [b"1", *[b"0"] * 1999]


@pytest.fixture(scope="session")
def contacts() -> Path:
    return WHIT.parent / "apps" / "contacts"
