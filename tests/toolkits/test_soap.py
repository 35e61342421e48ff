# SPDX-License-Identifier: MIT
"""Third-party toolkits read the WSDL of apps/services and call its functions, by each version of SOAP that they have.
One of them also calls the flashable image on an emulated Cortex-M3."""

import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import zeep
from suds import WebFault
from suds.client import Client

from tests.toolkits.by_zeep import by_zeep
from tests.toolkits.support import CLIENTS, TEXT, VERSIONS, check, fetched, said_by
from whit.setup import packages
from whit_testbed.toolkits import NPM_SOAP, by_npm

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
of_each_version = pytest.mark.parametrize("version", VERSIONS)


def needs(*names: str) -> pytest.MarkDecorator:
    """Packages of tools/whit/setup/packages.py."""
    missing = [one.name for one in (*packages.SOAP_CLIENTS, packages.NODE) if one.name in names and not one.here()]
    return pytest.mark.skipif(bool(missing), reason=f"{' and '.join(missing)} not installed")


@of_each_version
def test_zeep(thermostat: str, version: str) -> None:
    check(by_zeep(thermostat, version), version)


@of_each_version
def test_zeep_calls_a_device(device: str, version: str) -> None:
    check(by_zeep(device, version), version)


def test_zeep_is_told_of_arguments(thermostat: str) -> None:
    service = zeep.Client(f"{thermostat}/thermostat.wsdl").service
    with pytest.raises(zeep.exceptions.Fault, match="day"):
        service.set_points(day="4000", night=16)
    assert service.points().day is not None


def test_an_array_of_records(thermostat: str) -> None:
    """The first record exists after ten seconds."""
    service = zeep.Client(f"{thermostat}/thermostat.wsdl").service
    deadline = time.monotonic() + 30
    while not (read := service.readings(newest=1)).readings and time.monotonic() < deadline:
        time.sleep(0.2)
    (one,) = read.readings
    assert one.at_s == read.uptime_s // 10 * 10 > 0 and 10 < one.value < 32
    with urllib.request.urlopen(f"{thermostat}/readings", b'{"newest": 1}', timeout=20) as answer:
        said = json.load(answer)
    assert len(said["readings"]) == 1
    assert said["readings"][0]["at_s"] == said["uptime_s"] // 10 * 10
    with urllib.request.urlopen(f"{thermostat}/readings", b"newest=1", timeout=20) as answer:
        names = [line.partition(":")[0] for line in answer.read().decode().splitlines()]
    assert names == ["uptime_s", "readings", "  at_s", "  value"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_calls_a_device(device: str) -> None:
    """The function that toolkits call."""
    said = said_by(["curl", "-sS", "--fail-with-body", "-d", '{"unit":"c"}', f"{device}/temperature"])
    assert said["unit"] == "c" and 10 < said["value"] < 32


def by_suds(origin: str) -> dict[str, Any]:
    """Calls by suds, which has SOAP 1.1 alone."""
    client = Client(f"{origin}/thermostat.wsdl", cache=None)
    client.set_options(port="thermostatSoap11")
    said: dict[str, Any] = {"echo": str(client.service.echo(TEXT))}
    temperature = client.service.temperature("f")
    said |= {"unit": str(temperature.unit), "value": float(temperature.value)}
    client.service.set_points("20.5", "16")
    points = client.service.points()
    said["points"] = [float(points.day), float(points.night)]
    read = client.service.readings()
    said["uptime_s"] = int(getattr(read, "uptime_s", read))
    said["readings"] = [[int(one.at_s), float(one.value)] for one in getattr(read, "readings", [])]
    with pytest.raises(WebFault) as caught:
        client.service.set_points("31", "16")
    return said | {"fault": str(caught.value.fault.faultstring), "code": str(caught.value.fault.faultcode)}


def test_suds(thermostat: str) -> None:
    check(by_suds(thermostat), "1.1")


def test_suds_calls_a_device(device: str) -> None:
    check(by_suds(device), "1.1")


def by_php(origin: str, version: str) -> Any:
    return said_by(["php", CLIENTS / "client.php", f"{origin}/thermostat.wsdl", version, TEXT])


@needs("php-cli", "php-soap")
@of_each_version
def test_php(thermostat: str, version: str) -> None:
    check(by_php(thermostat, version), version)


@needs("php-cli", "php-soap")
def test_php_calls_a_device(device: str) -> None:
    check(by_php(device, "1.2"), "1.2")


def by_npm_soap(origin: str, version: str) -> Any:
    modules = fetched(by_npm, NPM_SOAP)
    command = ["node", CLIENTS / "client.js", f"{origin}/thermostat.wsdl", version, TEXT]
    return said_by(command, NODE_PATH=str(modules))


@needs("nodejs")
@of_each_version
def test_npm_soap(thermostat: str, version: str) -> None:
    check(by_npm_soap(thermostat, version), version)


@needs("nodejs")
def test_npm_soap_calls_a_device(device: str) -> None:
    check(by_npm_soap(device, "1.1"), "1.1")


def by_soap_lite(origin: str) -> Any:
    """Calls by SOAP::Lite, which reads no WSDL of this style. Its SOAP 1.2 has an Envelope without a namespace."""
    return said_by(["perl", CLIENTS / "client.pl", f"{origin}/thermostat", "1.1", TEXT])


@needs("libsoap-lite-perl")
def test_soap_lite(thermostat: str) -> None:
    check(by_soap_lite(thermostat), "1.1")


@needs("libsoap-lite-perl")
def test_soap_lite_calls_a_device(device: str) -> None:
    check(by_soap_lite(device), "1.1")


@pytest.fixture(scope="module")
def gsoap(device: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the client that gSOAP's two compilers generate from the device's WSDL."""
    directory = tmp_path_factory.mktemp("gsoap")
    shutil.copy(CLIENTS / "client.c", directory)
    made = ["soapC.c", "soapClient.c"]
    for command in (
        ["wsdl2h", "-c", "-o", "thermostat.h", f"{device}/thermostat.wsdl"],
        ["soapcpp2", "-c", "-C", "-L", "-x", "thermostat.h"],
        ["gcc", "-w", "-I.", "client.c", *made, "-lgsoap", "-o", "client"],
    ):
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return directory / "client"


def by_gsoap(client: Path, origin: str, version: str) -> Any:
    return said_by([client, f"{origin}/thermostat", version, TEXT])


@needs("gsoap", "libgsoap-dev")
@of_each_version
def test_gsoap(gsoap: Path, thermostat: str, version: str) -> None:
    check(by_gsoap(gsoap, thermostat, version), version)


@needs("gsoap", "libgsoap-dev")
def test_gsoap_calls_a_device(gsoap: Path, device: str) -> None:
    check(by_gsoap(gsoap, device, "1.1"), "1.1")
