# SPDX-License-Identifier: MIT
"""The C file of a function that is to be filled in. Each of its lines knows the line of the description it is from."""

import re
import textwrap
from dataclasses import replace
from xml.sax.saxutils import quoteattr

from whit.compiler.services.model import DATE_TIME, RECORD

from .wanted import Function, Outside, Value, every

Line = tuple[str, int]
_WIDTH = 110


def lines(function: Function) -> list[Line]:
    at = function.line
    said: list[Line] = [
        ("// SPDX-License-Identifier: MIT", at),
        ("/* <generator>", at),
        (f'     <handlers call="{_c_name(function)}"/>', at),
    ]
    if function.persistence != "persistent":
        said.append((f'     <properties persistence="{function.persistence}"/>', at))
    service = {"name": function.service, "namespace": function.namespace, "operation": function.name}
    said.append((f"     <service{_attributes(at, service | {'as': function.ways})}/>", at))
    if function.arguments:
        said += [("     <args>", at), *_values(function.arguments, 7, "arg"), ("     </args>", at)]
    if function.result:
        said += [("     <result>", at), *_values(function.result, 7, "value"), ("     </result>", at)]
    said.append(("   </generator> */", at))
    said += [(line, at) for line in _comment(function.summary)]
    said += [("#include <whit/app.h>", at), ("", at)]
    for value in (*every(function.arguments), *every(function.result)):
        said += [(line, value.line) for note in value.notes for line in _comment(note)]
    for tag, values in (("arg", function.arguments), ("value", function.result)):
        for value in every(values):
            said += [(line, value.line) for line in _piece(value, tag)]
    return said + [(line, at) for line in _code(function)]


def _piece_name(value: Value, tag: str) -> str:
    return f"{'take' if tag == 'arg' else 'give'}_{value.name}"


def _piece(value: Value, tag: str) -> list[str]:
    """The function that takes an argument or gives a value by pieces; none for others."""
    if not value.pieces:
        return []
    if tag == "arg":
        parameters, unused = "const uint8_t *octets, uint8_t len", ["args", "octets", "len"]
        body = [f"    return true;    // to be written: keep these, the args->{value.name}_len ones before are kept"]
    else:
        parameters, unused = "uint32_t at, uint8_t *octets, uint8_t len", ["args", "at"]
        body = ["    for (uint8_t i = 0; i < len; i++)", "        octets[i] = 0;    // to be written: that at at + i"]
        body.append(f"    return true;    // of the {value.name}_len that the function says")
    head = f"static bool {_piece_name(value, tag)}(struct args_t *args, {parameters})"
    return [head, "{", *(f"    (void){one};" for one in unused), *body, "}", ""]


def _comment(text: str) -> list[str]:
    """Returns the text as C comments. No line ends in a backslash or its trigraph, which would continue the comment. No
    word begins an element, which the application compiler would read."""
    words = " ".join(text.split()).replace("\\", "/").replace("??/", "?/")
    words = re.sub(r"<(?=[A-Za-z/])", "< ", words)
    return [f"// {line}" for line in textwrap.wrap(words[:1000], _WIDTH, break_on_hyphens=False)]


def _c_name(function: Function) -> str:
    return "call_" + re.sub(r"[^A-Za-z0-9_]", "_", function.name)


def _attributes(line: int, values: dict[str, str]) -> str:
    for value in values.values():
        if "*/" in value:
            raise Outside(line, f"{value!r} has */ in it, which ends a comment of C: expected another name")
    return "".join(f" {key}={quoteattr(value)}" for key, value in values.items())


def _values(values: tuple[Value, ...], indent: int, tag: str) -> list[Line]:
    found: list[Line] = []
    for value in values:
        if value.type != RECORD:
            found.append(_element(tag, value, indent))
            continue
        opened, line = _element("record", value, indent)
        found.append((opened.replace("/>", ">"), line))
        found += _values(value.fields, indent + 2, tag)
        found.append((f"{' ' * indent}</record>", line))
    return found


def _element(tag: str, value: Value, indent: int) -> Line:
    said = {"name": value.name}
    if tag != "record":
        said["type"] = value.type
    if value.pieces:
        said["take" if tag == "arg" else "give"] = _piece_name(value, tag)
    if value.size:
        said["size"] = str(value.size)
    if value.scale:
        said["scale"] = str(value.scale)
    if value.words:
        said["values"] = " ".join(value.words)
    if value.count:
        said["count"] = str(value.count)
    if value.default:
        said["default"] = value.default
    elif value.optional:
        said["optional"] = "true"
    return f"{' ' * indent}<{tag}{_attributes(value.line, said)}/>", value.line


def _code(function: Function) -> list[str]:
    takes = ["struct args_t *args"] * bool(function.arguments) + ["struct result_t *result"] * bool(function.result)
    unused = [f"    (void){one.rpartition('*')[2]};" for one in takes]
    fill = "fill *result, or " if function.result else ""
    return [
        f"static char {_c_name(function)}({', '.join(takes) or 'void'})",
        "{",
        *unused,
        f'    return 1;    // to be written: {fill}return fault("why not")',
        "}",
    ]


def sample(value: Value) -> object:
    """Returns a value that a test can pass for an argument."""
    if value.count:
        return [sample(replace(value, count=0))]
    if value.fields:
        return {field.name: sample(field) for field in value.fields}
    if value.words:
        return value.default or value.words[0]
    if value.type == DATE_TIME:
        return "2026-01-31T12:00:00Z"
    if value.type == "bool":
        return True
    return {"str": "x", "base64": "AAAA"}.get(value.type, 0)
