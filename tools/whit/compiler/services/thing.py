# SPDX-License-Identifier: MIT
"""Writes a Thing Description (W3C, version 1.1) of services. A function without arguments that changes nothing is a
property, any other one an action."""

import json
from collections.abc import Sequence

from ..model import Persistence
from . import schema
from .model import Called, Service, Way


def document(title: str, services: Sequence[Service]) -> str:
    """Returns the document, ASCII only."""
    properties: dict[str, object] = {}
    actions: dict[str, object] = {}
    for service in services:
        for called in service.operations:
            name = called.operation.name if len(services) == 1 else f"{service.name}.{called.operation.name}"
            if called.has_get and not called.arguments and called.operation.result:
                properties[name] = _property(called)
            else:
                actions[name] = _action(called)
    described = {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "title": title,
        "securityDefinitions": {"none": {"scheme": "nosec"}},
        "security": "none",
        "properties": properties,
        "actions": actions,
    }
    return json.dumps({key: value for key, value in described.items() if value}, separators=(",", ":"))


def _about(called: Called) -> dict[str, object]:
    return {"description": called.operation.summary} if called.operation.summary else {}


def _property(called: Called) -> dict[str, object]:
    form = {"href": called.path, "op": "readproperty", "contentType": "application/json", "htv:methodName": "GET"}
    return {**_about(called), **schema.of_fields(called.operation.result), "readOnly": True, "forms": [form]}


def _action(called: Called) -> dict[str, object]:
    operation = called.operation
    if operation.ways == (Way.GET,):
        return _asked(called)
    kind = "application/json" if Way.JSON in operation.ways else "application/x-www-form-urlencoded"
    form: dict[str, object] = {"href": called.path, "op": "invokeaction", "contentType": kind, "htv:methodName": "POST"}
    if kind != "application/json":
        form["response"] = {"contentType": "text/plain"}
    action = _about(called)
    if called.arguments:
        action["input"] = schema.of_fields(called.arguments)
    if operation.result and kind == "application/json":
        action["output"] = schema.of_fields(operation.result)
    return {
        **action,
        "safe": called.has_get,
        "idempotent": called.persistence == Persistence.IDEMPOTENT,
        "synchronous": True,
        "forms": [form],
    }


def _asked(called: Called) -> dict[str, object]:
    """An action that is called by GET alone, with its arguments in the query."""
    names = ",".join(one.name for one in called.arguments)
    href = f"{called.path}{{?{names}}}" if names else called.path
    form = {"href": href, "op": "invokeaction", "contentType": "application/json", "htv:methodName": "GET"}
    action = _about(called)
    if names:
        action["uriVariables"] = {one.name: schema.of_field(one) for one in called.arguments}
    if called.operation.result:
        action["output"] = schema.of_fields(called.operation.result)
    idempotent = called.persistence == Persistence.IDEMPOTENT
    return {**action, "safe": True, "idempotent": idempotent, "synchronous": True, "forms": [form]}
