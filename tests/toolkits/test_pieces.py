# SPDX-License-Identifier: MIT
"""zeep and curl give and get more octets than the memory of an emulated Cortex-M3 holds."""

import base64
import json
import subprocess

import pytest
import zeep

from tests.services.test_pieces import answer, fine, kept_of
from tests.toolkits.support import url_of
from whit.paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
LENGTHS = (1, 700, 12_000)


pieces = url_of(ROOT / "tests" / "apps" / "pieces", options=["--target", "cortex-m"])


@pytest.mark.parametrize("port", ["deviceSoap11", "deviceSoap12"])
def test_zeep(pieces: str, port: str) -> None:
    service = zeep.Client(f"{pieces}/device.wsdl", port_name=port).service
    for length in LENGTHS:
        kept = service.keep(octets=fine(length))
        assert {name: getattr(kept, name) for name in kept_of(b"")} == kept_of(fine(length))
        given, expected = service.give(len=length, name="<é>"), answer(length, "<é>")
        assert (given.before, given.between, given.after) == ("<é>", 4711, "<é>")
        assert given.octets == base64.b64decode(str(expected["octets"]))
        assert (given.others or b"") == base64.b64decode(str(expected["others"]))
    with pytest.raises(zeep.exceptions.Fault, match="octets: expected at most 16000 bytes in base64"):
        service.keep(octets=b"\xee")


def test_curl(pieces: str) -> None:
    """curl sends and receives pieces on one connection."""
    for length in LENGTHS:
        text = base64.b64encode(fine(length)).decode()
        body = json.dumps({"octets": text})
        command = ["curl", "-sS", "--max-time", "60", "--json", "@-", f"{pieces}/keep", "--next", "-sS"]
        command += ["--max-time", "60", "--json", json.dumps({"len": length}), f"{pieces}/give"]
        out = subprocess.run(command, input=body, capture_output=True, text=True, check=True).stdout
        first, _, second = out.partition("}{")
        assert json.loads(first + "}") == kept_of(fine(length)) and json.loads("{" + second) == answer(length)
