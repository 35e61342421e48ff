# SPDX-License-Identifier: MIT
"""OpenAPI 3.1 of an application's services."""

import json
from collections.abc import Sequence

from . import schema
from .model import Called, Service, Way

_JSON, _FORM, _TEXT = "application/json", "application/x-www-form-urlencoded", "text/plain"
_FAULT = {
    "type": "object",
    "properties": {
        "fault": {
            "type": "object",
            "properties": {
                "code": {"type": "string", "enum": ["Sender", "Receiver"]},
                "argument": {"type": "string"},
                "reason": {"type": "string"},
            },
            "required": ["code", "reason"],
        }
    },
    "required": ["fault"],
}


def document(title: str, services: Sequence[Service]) -> str:
    """Returns the document, ASCII only."""
    schemas: dict[str, object] = {"fault": _FAULT}
    paths = {
        called.path: _path(service, called, len(services) > 1, schemas)
        for service in services
        for called in service.operations
    }
    fault = {"schema": {"$ref": "#/components/schemas/fault"}}
    described = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": "/"}],
        "tags": [{"name": service.name, "description": service.namespace} for service in services],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {"fault": {"description": "a fault", "content": {_JSON: fault}}},
        },
    }
    return json.dumps(described, separators=(",", ":"))


def _path(service: Service, called: Called, several: bool, schemas: dict[str, object]) -> dict[str, object]:
    """Returns one path. Adds its arguments and its result to `schemas`."""
    operation = called.operation
    identifier = f"{service.name}.{operation.name}" if several else operation.name
    text = {_TEXT: {"schema": {"type": "string"}}} if Way.FORM in operation.ways else {}
    schemas[f"{identifier}.result"] = schema.of_fields(operation.result)
    result: dict[str, object] = {_JSON: {"schema": {"$ref": f"#/components/schemas/{identifier}.result"}}}
    fault = {"$ref": "#/components/responses/fault"}
    about = {"tags": [service.name], **({"summary": operation.summary} if operation.summary else {})}

    def answers(content: dict[str, object]) -> dict[str, object]:
        return {"200": {"description": "the result", "content": content}, "default": fault}

    only_get = operation.ways == (Way.GET,)
    post: dict[str, object] = {"operationId": identifier, **about}
    arguments: dict[str, object] = {"type": "object"}
    if called.arguments:
        schemas[f"{identifier}.arguments"] = schema.of_fields(called.arguments)
        arguments = {"$ref": f"#/components/schemas/{identifier}.arguments"}
    only_json = Way.FORM not in operation.ways  # then the body is required, as any page can send a request without one
    if (called.arguments or only_json) and not only_get:
        kinds = [kind for way, kind in ((Way.JSON, _JSON), (Way.FORM, _FORM)) if way in operation.ways]
        post["requestBody"] = {
            "required": only_json or any(not argument.optional for argument in called.arguments),
            "content": {kind: {"schema": arguments} for kind in kinds},
        }
    path: dict[str, object] = {} if only_get else {"post": {**post, "responses": answers(result | text)}}
    if called.has_get:
        get: dict[str, object] = {"operationId": identifier if only_get else f"{identifier}.get", **about}
        if called.arguments:
            get["parameters"] = [
                {"name": one.name, "in": "query", "required": not one.optional, "schema": schema.of_field(one)}
                for one in called.arguments
            ]
        path["get"] = {**get, "responses": answers(result)}
    return path
