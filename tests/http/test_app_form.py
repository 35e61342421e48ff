# SPDX-License-Identifier: MIT
"""apps/form: typed fields of a form."""

import json

import pytest

from tests.harness import Make, ask
from tests.http.app_client import post
from whit_testbed.engine import Engine

FORM = "application/x-www-form-urlencoded"
SETTINGS_LEN = 30  # octets of persistent memory that apps/form declares
DEFAULTS = {"interval": 60, "mode": "auto", "lamp": False, "name": ""}


def save(engine: Engine, form: str, content_type: str = FORM) -> dict[str, object] | int:
    response = post(engine, "/settings", content_type, form.encode())
    assert response.field("location") == ("/settings" if response.status == 303 else None)
    return json.loads(response.body) if response.status in (303, 422) else response.status


def test_settings_outlive_a_restart(make_app: Make) -> None:
    engine = make_app("form")
    assert json.loads(ask(engine, "/settings").body) == DEFAULTS
    saved = {"interval": 30, "mode": "boost", "lamp": True, "name": "Küche & Bad"}
    assert save(engine, "interval=30&mode=boost&lamp=on&name=K%C3%BCche+%26+Bad") == saved
    assert json.loads(ask(engine, "/settings").body) == saved
    other = make_app("form", persistent=engine.persistent(SETTINGS_LEN))
    assert json.loads(ask(other, "/settings").body) == saved
    assert save(other, "") == DEFAULTS


@pytest.mark.parametrize(
    "form",
    [
        "interval=65536",
        "interval=x",
        "mode=hot",
        "mode=auto%00",
        "mode=autos",
        "mode=aut",
        "mode=Auto",
        "mode=",
        f"name={'x' * 24}",
        "interval=1&interval=2",
        "name=%0",
    ],
)
def test_settings_of_another_type_are_refused(make_app: Make, form: str) -> None:
    engine = make_app("form")
    assert save(engine, form) == 400
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("interval", [0, 3601, 65535])
def test_settings_that_the_application_refuses(make_app: Make, interval: int) -> None:
    engine = make_app("form")
    assert save(engine, f"interval={interval}") == {"error": "The interval is 1 to 3600 seconds."}
    assert json.loads(ask(engine, "/settings").body) == DEFAULTS


def test_settings_as_json(make_app: Make) -> None:
    engine = make_app("form")
    saved: dict[str, object] = {"interval": 30, "mode": "eco", "lamp": True, "name": "Küche"}
    assert save(engine, json.dumps(saved), "application/json") == saved
    assert json.loads(ask(engine, "/settings").body) == saved
    assert save(engine, '{"interval": 0}', "application/json") == {"error": "The interval is 1 to 3600 seconds."}
    assert save(engine, '{"interval": [1]}', "application/json") == 400
    assert json.loads(ask(engine, "/settings").body) == saved


def test_settings_spoil_no_json(make_app: Make) -> None:
    assert save(make_app("form"), "name=%22%5C%0A%01") == DEFAULTS | {"name": '"\\\n\x01'}


def test_a_name_that_is_no_utf_8_is_refused(make_app: Make) -> None:
    assert save(make_app("form"), "name=K%FCche") == 400
