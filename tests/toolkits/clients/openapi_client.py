# SPDX-License-Identifier: MIT
"""python openapi_client.py URL TEXT: calls apps/services with the code of openapi-python-client, and prints the results
as JSON."""

import json
import sys

from made import Client
from made.api.thermostat import echo, points, set_points, temperature_get
from made.models import EchoArguments, Fault, SetPointsArguments
from made.models.temperature_get_unit import TemperatureGetUnit

client = Client(base_url=sys.argv[1])
said = {"echo": echo.sync(client=client, body=EchoArguments(text=sys.argv[2])).text}
said["unit"] = temperature_get.sync(client=client, unit=TemperatureGetUnit.F).unit.value
set_points.sync(client=client, body=SetPointsArguments(day=20.5, night=16))
held = points.sync(client=client)
said["points"] = [held.day, held.night]
refused = set_points.sync(client=client, body=SetPointsArguments(day=31, night=16))
assert isinstance(refused, Fault), refused
said["fault"] = refused.fault.reason
print(json.dumps(said))
