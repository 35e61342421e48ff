# SPDX-License-Identifier: MIT
"""JSON Schema as types of annotations."""

from decimal import Decimal
from typing import Any

from whit.compiler.services.model import BASE64, DATE_TIME, RECORD

from . import wanted
from .json_file import Node
from .wanted import Outside, Sizes, Value

KNOWN = {
    "type", "properties", "required", "items", "maxItems", "minItems", "enum", "maxLength", "minimum", "maximum",
    "default", "format", "contentEncoding", "additionalProperties", "exclusiveMinimum", "exclusiveMaximum",
}  # fmt: skip
NOTED = ("minLength", "pattern", "multipleOf", "uniqueItems")
IGNORED = {"title", "description", "example", "examples", "readOnly", "writeOnly", "deprecated", "nullable", "$comment"}
FORMATS = {"int8": 8, "int16": 16, "int32": 32}
TABLE = "integer, number, boolean, string, object or array"


class Schemas:
    def __init__(self, root: Node, sizes: Sizes) -> None:
        self.root = root
        self.sizes = sizes

    def resolved(self, node: Node) -> Node:
        """Returns the target of a reference within the document."""
        for _ in range(8):
            if not isinstance(node.value, dict):
                raise node.error("expected an object")
            if "$ref" not in node:
                return node
            said = node.text("$ref")
            if not said.startswith("#/"):
                raise node.error(f"$ref is {said!r}: expected one within this file, #/components/…")
            found = self.root
            for word in said[2:].split("/"):
                found = found.at(word.replace("~1", "/").replace("~0", "~"))
            node = found
        raise node.error("a reference to a reference, more than 8 times: expected fewer")

    def members(self, node: Node, *, is_argument: bool, name: str = "", depth: int = 1) -> tuple[Value, ...]:
        node = self.resolved(node)
        self._check_words(node)
        if node.value.get("type") != "object":
            raise node.error(f"type is {node.value.get('type')!r}: expected an object")
        properties = node.get("properties")
        known = list(properties.items()) if properties else []
        said = node.get("required")
        required = [one.value for one in said.elements()] if said else []
        wanted.check_record(name, node.line, len(known), depth, is_argument=is_argument)
        return tuple(self.value(key, one, key in required, is_argument, depth) for key, one in known)

    def value(self, name: str, node: Node, required: bool, is_argument: bool, depth: int) -> Value:
        """Returns the value of a member, or of an array's elements."""
        node = self.resolved(node)
        try:
            return self._value(name, node, required, is_argument, depth)
        except Outside as error:
            raise (error if error.placed else node.error(error.message)) from None

    def _value(self, name: str, node: Node, required: bool, is_argument: bool, depth: int) -> Value:
        self._check_words(node)
        if node.value.get("type") == "array":
            items = node.at("items")
            most = _number(node, "maxItems")
            count = wanted.count_of(
                name,
                node.line,
                None if most is None else int(most),
                self.sizes,
                way_out="expected maxItems",
            )
            one = self.value(name, items, True, is_argument, depth)
            if one.count:
                raise node.error("an array of arrays: expected a record between them")
            least = _number(node, "minItems")
            fewer = (f"{name}: {least} at least",) if least else ()
            return Value(**one.__dict__ | {"count": count, "notes": (*one.notes, *fewer)})
        value = self._single(name, node, is_argument, depth)
        notes = tuple(f"{name}: {word} {node.value[word]}" for word in NOTED if word in node)
        optional = is_argument and not required
        default = _default(node, value) if optional and "default" in node else ""
        return Value(**value.__dict__ | {"optional": optional, "default": default, "notes": (*value.notes, *notes)})

    def _single(self, name: str, node: Node, is_argument: bool, depth: int) -> Value:
        kind, line = node.value.get("type"), node.line
        if kind == "object":
            fields = self.members(node, is_argument=is_argument, name=name, depth=depth + 1)
            if not fields:
                raise node.error("an object without properties: expected some")
            return Value(name, RECORD, line, fields=fields)
        if kind == "boolean":
            return Value(name, "bool", line)
        if kind in ("integer", "number"):
            return self._number(name, node)
        if kind == "string":
            return self._text(name, node, is_argument)
        raise node.error(f"type is {kind!r}: expected {TABLE}")

    def _text(self, name: str, node: Node, is_argument: bool) -> Value:
        said, longest = node.value.get("format"), _number(node, "maxLength")
        if "enum" in node:
            words = [one.value for one in node.at("enum").elements()]
            if not all(isinstance(word, str) for word in words):
                raise node.error("an enum of a string has strings only: expected these")
            return wanted.enum(name, node.line, tuple(words))
        if said == DATE_TIME:
            return Value(name, DATE_TIME, node.line)
        most = None if longest is None else int(longest)
        if node.value.get("contentEncoding") == BASE64 or said == "byte":
            octets = None if most is None else most // 4 * 3
            return wanted.base64(name, node.line, octets, is_argument=is_argument)
        if said is not None:
            raise node.error(f"format is {said!r}: expected date-time, byte, or none")
        return wanted.text(name, node.line, most, self.sizes, "expected maxLength of 1 to 254")

    def _number(self, name: str, node: Node) -> Value:
        low, high = _number(node, "minimum"), _number(node, "maximum")
        kind, bits = node.value["type"], FORMATS.get(str(node.value.get("format")))
        if "exclusiveMinimum" in node or "exclusiveMaximum" in node:
            raise node.error("expected minimum and maximum")
        if kind == "integer" and bits:
            low = Decimal(-(1 << bits - 1)) if low is None else low
            high = Decimal((1 << bits - 1) - 1) if high is None else high
        scale = 0
        if kind == "number":
            steps = [one for one in (low, high, _number(node, "multipleOf")) if one is not None]
            scale = max((-int(one.normalize().as_tuple().exponent) for one in steps), default=0)
        way_out = "expected minimum and maximum"
        return wanted.number(name, node.line, low, high, max(0, scale), way_out)

    def _check_words(self, node: Node) -> None:
        for word, _ in node.items():
            if word not in KNOWN and word not in NOTED and word not in IGNORED and not word.startswith("x-"):
                raise node.error(f"{word!r} is not supported in a schema: expected it without")
        if node.value.get("nullable") is True:
            raise node.error("nullable: expected a value that is always there")


def _number(node: Node, word: str) -> Decimal | None:
    said: Any = node.value.get(word)
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, (int, float)) or not abs(said) < 1 << 64:
        raise node.error(f"{word} is {said!r}: expected a number")
    return Decimal(str(said))


def _default(node: Node, value: Value) -> str:
    """Returns the default as the annotation writes it."""
    said = node.value["default"]
    if value.type == "bool":
        return str(int(said is True))
    return str(said)
