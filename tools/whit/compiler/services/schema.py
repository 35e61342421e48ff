# SPDX-License-Identifier: MIT
"""Values as JSON Schema (2020-12), for OpenAPI and Thing Descriptions."""

from collections.abc import Iterable

from ..model import ENUM, STR
from .model import BASE64, DATE_TIME, RECORD, Field

Schema = dict[str, object]


def of_fields(fields: Iterable[Field]) -> Schema:
    """An object of them; arguments that are optional are not required."""
    known = list(fields)
    schema: Schema = {"type": "object", "properties": {field.name: of_field(field) for field in known}}
    if required := [field.name for field in known if not field.optional]:
        schema["required"] = required
    return schema


def of_field(field: Field) -> Schema:
    one = _of_value(field)
    if not field.count:
        return one
    least: Schema = {} if field.counted else {"minItems": field.count}
    return {"type": "array", "items": one, **least, "maxItems": field.count}


def _of_value(field: Field) -> Schema:
    if field.type == RECORD:
        return of_fields(field.fields)
    if field.type == ENUM:
        schema: Schema = {"type": "string", "enum": list(field.words)}
    elif field.type == STR:
        schema = {"type": "string", "maxLength": field.size - 1}
    elif field.type == DATE_TIME:
        schema = {"type": "string", "format": "date-time"}
    elif field.type == BASE64:
        most = {"maxLength": 4 * -(-field.size // 3)} if field.size else {}
        schema = {"type": "string", "contentEncoding": "base64", **most}
    elif field.type == "bool":
        schema = {"type": "boolean"}
    else:
        low, high = field.bounds
        kind = "number" if field.scale else "integer"
        schema = {"type": kind, "minimum": _scaled(low, field.scale), "maximum": _scaled(high, field.scale)}
    if field.default is not None:
        schema["default"] = _default(field, field.default)
    return schema


def _default(field: Field, default: int) -> object:
    if field.type == ENUM:
        return field.words[default]
    return bool(default) if field.type == "bool" else _scaled(default, field.scale)


def _scaled(number: int, scale: int) -> float:
    return number / 10**scale if scale else number
