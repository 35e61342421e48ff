# SPDX-License-Identifier: MIT
"""Calls of tests/apps/services."""

import json
from typing import Any

from tests.bodies.support import FORM, ask, posted
from whit.paths import ROOT
from whit.wire.http import Response, request
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "services"
JSON = "Content-Type: application/json"


def called(engine: Engine, target: str, arguments: Any, *, kind: str = JSON) -> Response:
    """Calls a function by POST; octets are sent unchanged."""
    body = arguments if isinstance(arguments, bytes) else json.dumps(arguments).encode()
    return ask(engine, posted(target, body, kind))


def by_form(engine: Engine, target: str, body: bytes) -> Response:
    return ask(engine, posted(target, body, FORM))


def got(engine: Engine, target: str) -> Response:
    return ask(engine, request(target))


def result(response: Response) -> Any:
    assert response.status == 200, response
    assert dict(response.fields)["content-type"] == "application/json"
    return json.loads(response.body)


def fault(response: Response, status: int = 400) -> dict[str, str]:
    assert response.status == status, response
    told = json.loads(response.body)
    assert set(told) == {"fault"}
    found: dict[str, str] = told["fault"]
    return found
