# SPDX-License-Identifier: MIT
"""zeep reads the WSDL of apps/services over HTTPS, and calls its functions over HTTPS."""

import ssl
import urllib.request
from pathlib import Path

import pytest
import requests
import zeep

from tests.https.served import served
from tests.toolkits.by_zeep import by_zeep
from tests.toolkits.support import VERSIONS, check
from whit.paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
SERVICES = ROOT / "apps" / "services"


def test_zeep(tmp_path: Path) -> None:
    with served(tmp_path, SERVICES, "--https") as device:
        session = requests.Session()
        session.trust_env = False  # a REQUESTS_CA_BUNDLE would be asked instead
        session.verify = str(device.authority)
        for version in VERSIONS:
            check(by_zeep(device.url, version, transport=zeep.Transport(session=session)), version)
        with pytest.raises(requests.exceptions.SSLError):  # whose caller does not know the authority
            by_zeep(device.url, "1.2")


def test_plain_http_alone_by_a_setting(tmp_path: Path) -> None:
    """A setting gives plain HTTP to callers, beside HTTPS, as docs/services.md describes."""
    with served(tmp_path, SERVICES, "--https", "--set", "services.address=http://127.0.0.1:8301") as device:
        context = ssl.create_default_context(cafile=str(device.authority))
        with urllib.request.urlopen(f"{device.url}/thermostat.wsdl", context=context, timeout=20) as answer:
            assert b'location="http://127.0.0.1:8301/thermostat"' in answer.read()
