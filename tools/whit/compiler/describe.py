# SPDX-License-Identifier: MIT
"""Writes app.json: the data of an application for reports."""

import json
from collections.abc import Iterable
from dataclasses import asdict

from . import persistent, stored
from .model import STATUS_LINE, Argument, Limits, Memory, Resource
from .strategy import strategies


def _argument(argument: Argument) -> dict[str, object]:
    described = {"name": argument.name, "type": argument.type, "size": argument.size, "optional": argument.optional}
    return (
        described
        | ({"values": argument.words} if argument.words else {})
        | ({"count": argument.count} if argument.count else {})
        | ({"fields": [_argument(one) for one in argument.fields]} if argument.fields else {})
        | {
            "default": argument.default,
            "source": "path" if argument.path else "query",
        }
    )


def description(name: str | None, limits: Limits, resources: Iterable[Resource], memory: Memory) -> str:
    """Returns the data for reports. `wire` is a 200 response's length in octets; null if a generator decides it."""
    urls = [
        {
            "urls": resource.urls,
            "source": resource.source,
            "content_type": resource.content_type,
            "persistence": resource.persistence,
            "writer": resource.generator.get.writer if resource.generator and resource.generator.get else None,
            "strategies": [asdict(strategy) for strategy in strategies(resource)],
            "arguments": [
                _argument(argument) for argument in (resource.generator.arguments if resource.generator else ())
            ],
            "representations": [
                {
                    "coding": representation.coding,
                    "head": representation.head_len,
                    "body": None if resource.made_later else len(representation.body),
                    "wire": None if resource.made_later else representation.wire_len,
                }
                for representation in resource.representations
            ],
        }
        for resource in resources
    ]
    document: dict[str, object] = {"name": name, "status_line": len(STATUS_LINE), "limits": asdict(limits)}
    document["resources"] = urls
    areas, contents = persistent.described(memory.areas), stored.described(resources)
    if areas or contents:
        document["persistent"] = {"size": memory.raw_len, "areas": areas, "stored": contents}
    return json.dumps(document, indent=2) + "\n"
