# SPDX-License-Identifier: MIT
"""Calls apps/services with zeep, in this process, and collects the results."""

from collections.abc import Mapping
from typing import Any

import pytest
import zeep

from tests.toolkits.support import SPACE, TEXT


def by_zeep(
    origin: str, version: str, location: str = "", transport: zeep.Transport | None = None
) -> Mapping[str, Any]:
    """`location`: the address of the functions, if other than the WSDL's."""
    client = zeep.Client(f"{origin}/thermostat.wsdl", transport=transport)
    port = f"thermostatSoap{version.replace('.', '')}"
    service = client.bind("thermostat", port)
    if location:
        service = client.create_service(f"{{{SPACE}}}{port}", location)
    said: dict[str, Any] = {"echo": service.echo(TEXT)}
    temperature = service.temperature(unit="f")
    said |= {"unit": temperature.unit, "value": float(temperature.value)}
    service.set_points(day=20.5, night=16)
    points = service.points()
    said["points"] = [float(points.day), float(points.night)]
    read = service.readings()
    said["uptime_s"] = read.uptime_s
    said["readings"] = [[one.at_s, float(one.value)] for one in read.readings]
    with pytest.raises(zeep.exceptions.Fault) as caught:
        service.set_points(day=31, night=16)
    assert (caught.value.detail is not None) == (version == "1.1")  # the Body was the reason: SOAP 1.1 section 4.4
    return said | {"fault": caught.value.message, "code": caught.value.code}
