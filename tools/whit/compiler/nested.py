# SPDX-License-Identifier: MIT
"""Arguments of a service in arrays and records: reads, checks and generates them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from lxml import etree

from .services.model import BASE64, COUNT_MAX, DATE_TIME, DEPTH_MAX, SERVICE_ARGUMENTS_MAX, Way
from .texts import c_text
from .typed import PLACE_LEN, RECORD, Argument, laid_out, levels

Single = Callable[[etree._Element, bool], Argument]
Error = Callable[[etree._Element, str, str | None], Exception]


def check_structs(element: etree._Element, within: str, error: Error) -> None:
    """Each record in <args> or <result> has a struct of its own, named after those around it too: else `error`."""
    structs: set[str] = set()
    for child in element.iter("record"):
        outer = [str(one.get("name")) for one in child.iterancestors("record")]
        struct = "_".join((within, *reversed(outer), str(child.get("name"))))
        if struct in structs:
            raise error(child, f"a second struct {struct}_t: expected another name", "name")
        structs.add(struct)


class Reader:
    """Reads the children of <args>. `single` reads an <arg>, whatever its count is."""

    def __init__(
        self,
        error: Error,
        line: Callable[[etree._Element], int],
        is_name: Callable[[str], bool],
        single: Single,
        *,
        service: bool,
    ) -> None:
        self.error = error
        self.line = line
        self.is_name = is_name
        self.single = single
        self.service = service

    def arguments(self, element: etree._Element, depth: int) -> tuple[Argument, ...]:
        found: dict[str, Argument] = {}
        children = [child for child in element if isinstance(child.tag, str)]
        for child in children:
            argument = self.argument(child, depth)
            if argument.name in found:
                first = found[argument.name].line
                raise self.error(child, f"a second argument {argument.name!r}: the first is on line {first}", None)
            found[argument.name] = argument
        made = {f"{one.name}_cnt": one.name for one in found.values() if one.count}
        made |= {f"{one.name}_len": one.name for one in found.values() if one.text == BASE64}
        made |= {f"{one.name}_ticket": one.name for one in found.values() if one.take}
        if depth == 1:
            check_structs(element, "args", self.error)
        for child in children:
            if owner := made.get(name := str(child.get("name"))):
                message = f"{name!r} is a generated field of {owner!r}: expected another name"
                raise self.error(child, message, "name")
        return tuple(found.values())

    def argument(self, element: etree._Element, depth: int) -> Argument:
        if element.tag == "value":
            raise self.error(element, "<value> among arguments: expected <arg>", None)
        if not self.service and (element.tag == "record" or "count" in element.attrib):
            what = "a <record>" if element.tag == "record" else "count"
            message = f'{what} among arguments of a handler: expected a service, <handlers call="function"/>'
            raise self.error(element, message, None)
        if element.tag == "record":
            return self.record(element, depth)
        argument, count = self.single(element, self.service), self.count(element)
        if depth > 1 and argument.path:
            message = f"source='path' of {argument.name!r}, which is in a record: expected none"
            raise self.error(element, message, "source")
        if not count:
            return argument
        if argument.text in (DATE_TIME, BASE64):
            message = f"{argument.name!r} is an array of {argument.text}: expected one value, or a record of it"
            raise self.error(element, message, "count")
        for attribute in ("optional", "default", "source"):
            if attribute in element.attrib:
                message = f"{attribute} of {argument.name!r}, an array: expected none, as it may be empty"
                raise self.error(element, message, attribute)
        return replace(argument, count=count, optional=True)

    def record(self, element: etree._Element, depth: int) -> Argument:
        name = element.get("name", "")
        if not self.is_name(name):
            message = f"<record> has the name {name!r}: expected a C identifier of at most 63 characters, no keyword"
            raise self.error(element, message, "name")
        if depth == DEPTH_MAX:
            message = f"record {name!r} is number {depth + 1} in one another: expected {DEPTH_MAX}, <args> included"
            raise self.error(element, message, None)
        fields = self.arguments(element, depth + 1)
        if not 1 <= len(fields) <= SERVICE_ARGUMENTS_MAX:
            message = f"record {name!r} has {len(fields)} arguments: expected 1 to {SERVICE_ARGUMENTS_MAX}"
            raise self.error(element, message, None)
        count, said = self.count(element), element.get("optional", "false")
        if said not in ("true", "false"):
            raise self.error(element, f"optional is {said!r}: expected true or false", "optional")
        if count and "optional" in element.attrib:
            message = f"optional of {name!r}, an array: expected none, as it may be empty"
            raise self.error(element, message, "optional")
        optional = count > 0 or said == "true"
        if optional and not count and any(one.default for one in fields):
            message = f"record {name!r} is optional, and has a default in it: expected one of both"
            raise self.error(element, f"{message}, as it is 0 when absent", "optional")
        return Argument(name, RECORD, laid_out(fields, 0), optional, self.line(element), count=count, fields=fields)

    def count(self, element: etree._Element) -> int:
        count = element.get("count")
        if count is None:
            return 0
        if not re.fullmatch(r"[0-9]{1,3}", count) or not 1 <= int(count) <= COUNT_MAX:
            raise self.error(element, f"count is {count!r}: expected 1 to {COUNT_MAX} elements at most", "count")
        return int(count)


def check_ways(ways: Iterable[Way], error: Callable[[str], Exception]) -> None:
    """Names and values of a form are flat, as those of a query are."""
    for way in ways:
        if way in (Way.FORM, Way.GET):
            what = "a form" if way == Way.FORM else "the query of a GET"
            message = f"arrays and records among the arguments, which {what} has not"
            raise error(f'{message}: expected as="json" or as="soap json"')


def struct(arguments: tuple[Argument, ...]) -> list[str]:
    """Lines of struct args_t."""
    head = [
        "struct args_t {",
        "    uint8_t whit_wrong;    // enum whit_wrong",
        "    uint8_t whit_depth;",
        f"    uint16_t whit_places[{PLACE_LEN // 2 * levels(arguments)}];    // struct whit_record_place",
    ]
    return [*head, *_members(arguments, "args", "    "), "};"]


def _members(arguments: tuple[Argument, ...], path: str, indent: str) -> Iterator[str]:
    for one in arguments:
        if one.count:
            yield f"{indent}uint8_t {one.name}_cnt;    // of {one.count}"
        array = f"[{one.count}]" if one.count else ""
        if one.type == RECORD:
            yield f"{indent}struct {path}_{one.name}_t {{    // line {one.line}"
            yield from _members(one.fields, f"{path}_{one.name}", f"{indent}    ")
            yield f"{indent}}} {one.name}{array};"
            continue
        declared = one.declaration.replace(f" {one.name}", f" {one.name}{array}", 1) if array else one.declaration
        words = f": {' '.join(one.words)}" if one.words else ""
        yield f"{indent}{declared};    // line {one.line}{words}"


def tables(
    arguments: tuple[Argument, ...], fallbacks: Mapping[str, int], words: Mapping[str, int], names: Mapping[str, int]
) -> list[str]:
    """Returns whit_arguments, after the tables of its records. The mappings are indices by path."""
    return list(_table(arguments, "args", "", (fallbacks, words, names)))


def _table(
    arguments: tuple[Argument, ...], struct_path: str, path: str, places: tuple[Mapping[str, int], ...]
) -> Iterator[str]:
    fallbacks, words, _ = places
    for one in arguments:
        if one.fields:
            yield from _record(one, f"{struct_path}_{one.name}", f"{path}{one.name}.", places)
    yield f"static const struct whit_argument whit_arguments{_suffix(path)}[] WHIT_FLASH = {{"
    owner = f"struct {struct_path}_t"
    for one in arguments:
        own = f"{path}{one.name}"
        size = f"sizeof(struct {struct_path}_{one.name}_t)" if one.fields else str(one.size)
        row = (
            f"WHIT_{one.type.upper()}",
            f"offsetof({owner}, {one.member})",
            size,
            str(int(one.optional)),
            str(fallbacks.get(own, 0)),
            str(words.get(own, 0) or one.kind),
            str(one.count),
            f"offsetof({owner}, {one.name}_cnt)" if one.count else "0",
            f"&whit_record{_suffix(f'{own}.')}" if one.fields else "NULL",
        )
        yield f"    {{ {', '.join(row)} }},"
    yield "};"


def _record(record: Argument, struct_path: str, path: str, places: tuple[Mapping[str, int], ...]) -> Iterator[str]:
    suffix = _suffix(path)
    yield from _table(record.fields, struct_path, path, places)
    for index, one in enumerate(record.fields):
        text = c_text(f"{one.name}: expected {one.expected}")
        yield f"static const char whit_expected{suffix}_{index}[] WHIT_FLASH = {text};"
    texts = ", ".join(f"whit_expected{suffix}_{index}" for index in range(len(record.fields)))
    yield f"static const char *const whit_expected{suffix}[] WHIT_FLASH = {{ {texts} }};"
    columns = f"whit_arguments{suffix}, whit_expected{suffix}, {places[2][path]}, {len(record.fields)}"
    yield f"static const struct whit_record whit_record{suffix} WHIT_FLASH = {{ {columns} }};"


def _suffix(path: str) -> str:
    """Returns the suffix of a record's C names. It is unique, because names in C have no dot."""
    return "".join(f"_{len(name)}{name}" for name in path.split(".") if name)
