# SPDX-License-Identifier: MIT
"""Generates a service's C: struct result_t, the table of its values, and its handler."""

from collections.abc import Iterator

from ..model import ENUM, STR, Argument, scaled
from ..texts import c_text
from .model import BASE64, DATE_TIME, RECORD, Field, Operation

_C_TYPES = {"bool": "bool", ENUM: "uint8_t", DATE_TIME: "uint32_t"}


def result_struct(operation: Operation) -> list[str]:
    """Lines of struct result_t; none where nothing is given."""
    if operation.record:
        area = operation.record.name
        return ["struct result_t {", f"    struct {area}_t {area};    // [persistent.{area}] of app.toml", "};"]
    if not operation.result:
        return []
    return ["struct result_t {", *_members(operation.result, "result", "    "), "};"]


def _members(fields: tuple[Field, ...], path: str, indent: str) -> Iterator[str]:
    for field in fields:
        if field.count:
            yield f"{indent}uint8_t {field.name}_cnt;    // of {field.count}"
        array = f"[{field.count}]" if field.count else ""
        if field.type == RECORD:
            yield f"{indent}struct {path}_{field.name}_t {{    // line {field.line}"
            yield from _members(field.fields, f"{path}_{field.name}", f"{indent}    ")
            yield f"{indent}}} {field.name}{array};"
        elif field.pieces:
            yield f"{indent}uint32_t {field.name}_len;    // line {field.line}: octets, which {field.give}() gives"
        elif field.type == BASE64:
            yield f"{indent}uint8_t {field.name}_len;    // line {field.line}"
            yield f"{indent}uint8_t {field.name}[{field.size}];"
        elif field.type == STR:
            yield f"{indent}char {field.name}{array}[{field.size}];    // line {field.line}"
        else:
            kind = _C_TYPES.get(field.type, f"{field.type}_t")
            yield f"{indent}{kind} {field.name}{array};    // line {field.line}{_meaning(field)}"


def _meaning(field: Field) -> str:
    if field.words:
        return f": {' '.join(field.words)}"
    return f": 1 is {scaled(1, field.scale)}" if field.scale else ""


def values(operation: Operation) -> list[str]:
    """The tables of its values, those of inner records first."""
    if not operation.result:
        return []
    within = f"{operation.record.name}." if operation.record else ""
    return list(_table("whit_values", "struct result_t", operation.result, within))


def _table(name: str, struct: str, fields: tuple[Field, ...], within: str = "") -> Iterator[str]:
    path = struct.removeprefix("struct ").removesuffix("_t")
    for index, field in enumerate(fields):
        yield f"static const char {name}_{index}_name[] WHIT_FLASH = {c_text(field.name)};"
        if field.words:
            words = " ".join(f'"{word}\\0"' for word in field.words)
            yield f"static const char {name}_{index}_words[] WHIT_FLASH = {words};"
        if field.type == RECORD:
            yield from _table(f"{name}_{index}", f"struct {path}_{field.name}_t", field.fields)
    yield f"static const struct whit_value {name}[] WHIT_FLASH = {{"
    given = [field for field in fields if field.pieces]
    for index, field in enumerate(fields):
        own = f"{name}_{index}"
        columns = _given(field, given, own) if field.pieces else _columns(own, struct, field, within)
        yield f"    {{ {', '.join(columns)} }},"
    yield "};"


def _given(field: Field, given: list[Field], name: str) -> Iterator[str]:
    """Yields the columns of a field that a function gives; its place is among `given`."""
    yield from (f"{name}_name", "NULL", f"offsetof(struct result_t, {field.name}_len)", "0", "WHIT_PIECES", "4")
    yield from (str(given.index(field)), "0")


def pieces(operation: Operation, arguments: tuple[Argument, ...]) -> Iterator[str]:
    """The functions that take arguments and give values, in the order of their places."""
    if taken := [one for one in arguments if one.take]:
        yield "static const struct whit_taker whit_takes[] WHIT_FLASH = {"
        yield from (f"    {{ {one.take}, {one.most or '0xffffffff'} }},    // {one.name}" for one in taken)
        yield "};"
    if given := [field for field in operation.result if field.pieces]:
        names = ", ".join(field.give for field in given)
        yield f"static whit_give *const whit_gives[] WHIT_FLASH = {{ {names} }};"


def _columns(name: str, struct: str, field: Field, within: str) -> Iterator[str]:
    record = field.type == RECORD
    yield f"{name}_name"
    yield name if record else f"{name}_words" if field.words else "NULL"
    member = f"{within}{field.name}"
    yield f"offsetof({struct}, {member}{'_len' if field.type == BASE64 else ''})"
    counted = field.count > 0 and field.counted
    yield f"offsetof({struct}, {member}_cnt)" if counted else "WHIT_ALL" if field.count else "0"
    yield f"WHIT_{ {DATE_TIME: 'TIME'}.get(field.type, field.type.upper()) }"
    yield (
        f"sizeof(struct {struct.removeprefix('struct ').removesuffix('_t')}_{field.name}_t)"
        if record
        else str(field.size)
    )
    yield str(len(field.fields) if record else len(field.words) if field.words else field.scale)
    yield str(field.count)


def call(operation: Operation, name: str) -> str:
    """The call of the author's function."""
    result = "&whit_kept->result" if operation.gives else "&whit_result"
    given = ["whit_args"] * operation.takes_args + [result] * operation.gives_result
    return f"{name}({', '.join(given)})"
