# SPDX-License-Identifier: MIT
"""Reads and checks <service> and <result> of a generator whose function is called."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from lxml import etree

from whit.suggest import did_you_mean

from .. import arguments
from ..c_source import CSource, Function
from ..model import ENUM, INTEGER_SIZES, STR, Answer, Area
from ..nested import check_structs
from .model import (
    BASE64,
    COUNT_MAX,
    DATE_TIME,
    DEPTH_MAX,
    RECORD,
    RECORD_MAX,
    RESULT_MAX,
    SERVICE_ARGUMENTS_MAX,
    VALUES_MAX,
    Field,
    Operation,
    Security,
    Way,
    laid_out,
)

WAYS = "some of soap, json and form, or get"
TYPES = (*INTEGER_SIZES, ENUM, STR, DATE_TIME, BASE64)
# Elements inside of <generator> that a service alone has: their attributes and children.
ATTRIBUTES = {
    "service": ("name", "namespace", "operation", "as", "security"),
    "result": ("record",),
    "value": ("name", "type", "size", "values", "scale", "count", "give"),
    "record": ("name", "count", "optional"),
}
CHILDREN = {"result": ("value", "record"), "record": ("value", "record", "arg")}
# Default statuses of a fault: the caller's mistake, and an error of the device.
ANSWERS = (Answer(0, 0, "400 Bad Request\r\n", 400), Answer(0, 0, "500 Internal Server Error\r\n", 500))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,62}")
_NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]{1,120}")
_LATER: dict[str, str] = {}

# Tells a mistake: the element, the message, the attribute that it is about.
Complain = Callable[[etree._Element, str, str | None], Exception]
IsName = Callable[[str], bool]


class Reader:
    """Reads the elements of one file. `line` is of an element or of its attribute."""

    def __init__(
        self,
        error: Complain,
        line: Callable[[etree._Element], int],
        areas: Mapping[str, Area],
        is_name: IsName,
    ) -> None:
        self.error = error
        self.line = line
        self.areas = areas
        self.is_name = is_name

    def operation(self, root: etree._Element, source: CSource, file: object, called: Function) -> Operation:
        """Returns the operation of the <generator> whose function is `called`."""
        element, result = root.find("service"), root.find("result")
        said = {} if element is None else {str(key): str(value) for key, value in element.attrib.items()}
        at = root if element is None else element
        stem = PurePosixPath(str(file)).stem
        name = said.get("name", "device")
        for attribute, default in (("name", name), ("operation", stem)):
            if not is_operation(said.get(attribute, default)):
                message = f"{attribute} is {said.get(attribute, default)!r}: expected a name of letters, digits, _ . -"
                raise self.error(at, message, attribute)
        namespace = said.get("namespace", f"urn:whit:{name}")
        if not _NAMESPACE.fullmatch(namespace):
            raise self.error(at, f"namespace is {namespace!r}: expected an URI, urn:example:device", "namespace")
        gives, takes = "struct result_t *" in called.parameters, "struct args_t *" in called.parameters
        self.check_parameters(root, called, gives, takes)
        return Operation(
            service=name,
            namespace=namespace,
            name=said.get("operation", stem),
            ways=(ways := self.ways(at, said.get("as", "json form"))),
            security=self.security(at, said.get("security", "none"), ways),
            line=self.line(at),
            result=() if result is None else self.result(result),
            record=None if result is None else self.area(result),
            takes_args=takes,
            gives_result=gives,
            summary=summary_of(source),
        )

    def check_parameters(self, root: etree._Element, called: Function, gives: bool, takes: bool) -> None:
        """Checks that the declaration and the function's parameters agree."""
        for element, has, struct in (("args", takes, "args_t"), ("result", gives, "result_t")):
            there = root.find(element)
            if there is not None and not has:
                message = f"<{element}> and {called.name} without struct {struct} *: expected both, or none of them"
                raise self.error(there, message, None)
            if there is None and has:
                message = f"{called.name} takes struct {struct} *: expected <{element}>, which declares its members"
                raise self.error(root, message, None)
        if (args := root.find("args")) is not None and len(args) > SERVICE_ARGUMENTS_MAX:
            raise self.error(args, f"{len(args)} arguments of a service: expected {SERVICE_ARGUMENTS_MAX}", None)

    def ways(self, element: etree._Element, said: str) -> tuple[Way, ...]:
        words = said.split()
        for word in words:
            if word not in tuple(Way):
                raise self.error(element, _not_yet("as", word, WAYS), "as")
        if Way.GET in words and len(words) > 1:
            message = f"as is {said!r}: expected get alone; beside json it is there for what is not persistent"
            raise self.error(element, message, "as")
        if not words or len(set(words)) != len(words):
            raise self.error(element, f"as is {said!r}: expected {WAYS}", "as")
        return tuple(way for way in Way if way in words)

    def security(self, element: etree._Element, said: str, ways: tuple[Way, ...]) -> Security:
        if said not in tuple(Security) or said in _LATER:
            raise self.error(element, _not_yet("security", said, "none, digest or signed"), "security")
        security = Security(said)
        if security != Security.NONE and any(way != "soap" for way in ways):
            message = f'security is "{security}", and as is "{" ".join(ways)}": expected as="soap", '
            raise self.error(element, message + "the other ways carry no token", "security")
        return security

    def area(self, element: etree._Element) -> Area | None:
        """Returns the area of persistent memory whose fields are the result."""
        name = element.get("record")
        if name is None:
            return None
        if name not in self.areas:
            known = f"; there is {', '.join(self.areas)}" if self.areas else ""
            message = f"record is {name!r}: expected a table [persistent.{name}] in app.toml{known}"
            raise self.error(element, message, "record")
        return self.areas[name]

    def result(self, element: etree._Element) -> tuple[Field, ...]:
        if (area := self.area(element)) is not None:
            if len(element):
                message = f"<result> with a record and with values: the result is [persistent.{area.name}]"
                raise self.error(element, f"{message}; leave one of both out", "record")
            return tuple(
                Field(one.name, one.type, one.size, self.line(element), words=one.words, count=one.count, counted=False)
                for one in area.fields
            )
        fields = self.fields(element, 1)
        check_structs(element, "result", self.error)
        if (octets := laid_out(fields)) > RESULT_MAX:
            message = f"the result takes {octets} bytes: expected at most {RESULT_MAX}; it lies on the stack"
            raise self.error(element, message, None)
        return fields

    def fields(self, element: etree._Element, depth: int) -> tuple[Field, ...]:
        found: dict[str, Field] = {}
        for child in _elements(element):
            if child.tag == "arg" or "optional" in child.attrib:
                what = "<arg>" if child.tag == "arg" else "optional"
                raise self.error(child, f"{what} in a result: expected <value> and <record> alone", None)
            field = self.record(child, depth) if child.tag == "record" else self.value(child)
            if field.name in found:
                first = found[field.name].line
                raise self.error(child, f"a second value {field.name!r}: the first is on line {first}", "name")
            found[field.name] = field
        self.check_beside(element, found)
        if not 1 <= len(found) <= VALUES_MAX:
            message = f"<{element.tag}> has {len(found)} values: expected 1 to {VALUES_MAX}"
            raise self.error(element, message, None)
        return tuple(found.values())

    def check_beside(self, element: etree._Element, found: Mapping[str, Field]) -> None:
        """Raises an error if a name is that of a generated field, which arrays and base64 have."""
        made = {f"{one.name}_cnt": one for one in found.values() if one.count}
        made |= {f"{one.name}_len": one for one in found.values() if one.type == BASE64}
        for child in _elements(element):
            if (owner := made.get(name := str(child.get("name")))) is not None:
                message = f"{name!r} is a generated field of {owner.name!r}: expected another name"
                raise self.error(child, message, "name")

    def record(self, element: etree._Element, depth: int) -> Field:
        name = self.name(element)
        if depth == DEPTH_MAX:
            message = f"record {name!r} is number {depth + 1} in one another: expected {DEPTH_MAX}, the result included"
            raise self.error(element, message, None)
        fields = self.fields(element, depth + 1)
        octets = laid_out(fields)
        if octets > RECORD_MAX:
            raise self.error(element, f"record {name!r} takes {octets} bytes: expected at most {RECORD_MAX}", None)
        return Field(name, RECORD, octets, self.line(element), fields=fields, count=self.count(element))

    def value(self, element: etree._Element) -> Field:
        name, kind = self.name(element), element.get("type")
        if "give" in element.attrib and kind != BASE64:
            raise self.error(element, f"value {name!r} has give: expected it with base64 only", "give")
        if kind not in TYPES:
            guess = did_you_mean(str(kind), TYPES)
            message = f"value {name!r} is of unknown type {str(kind)!r}: expected one of {', '.join(TYPES)}{guess}"
            raise self.error(element, message, "type")
        said = {str(key): str(value) for key, value in element.attrib.items() if key != "count"}
        words: tuple[str, ...]
        if kind == DATE_TIME:
            if "size" in said or "values" in said:
                raise self.error(element, f"value {name!r} is date-time: expected no size and no values", None)
            size, words, scale = 4, (), arguments.scale_of(said, self.told(element))
        elif "give" in said:
            size, words, scale = arguments.most_of(said, self.told(element)), (), 0
        elif kind == BASE64:
            size, words, scale = self.octets(element, name), (), 0
        else:
            argument = arguments.read(said, self.line(element), self.told(element), service=True)
            size, words, scale = argument.size, argument.words, argument.scale
        count = self.count(element)
        if count and kind == BASE64:
            raise self.error(element, f"{name!r} is an array of base64: expected one value, or a record of it", "count")
        give = said.get("give", "")
        line = self.line(element)
        return Field(name, kind, size, line, scale=scale, words=words, count=count, pieces=bool(give), give=give)

    def told(self, element: etree._Element) -> Callable[[str, str | None], Exception]:
        return lambda message, attribute: self.error(element, message.replace("argument ", "value ", 1), attribute)

    def octets(self, element: etree._Element, name: str) -> int:
        size = element.get("size", "")
        if not re.fullmatch(r"[0-9]{1,3}", size) or not 1 <= int(size) <= RECORD_MAX:
            raise self.error(element, f"value {name!r} has size {size!r}: expected 1 to {RECORD_MAX} bytes", "size")
        return int(size)

    def name(self, element: etree._Element) -> str:
        name = element.get("name", "")
        if not self.is_name(name):
            message = f"<{element.tag}> has the name {name!r}: expected a C identifier of at most 63 characters"
            raise self.error(element, f"{message}, no keyword", "name")
        return name

    def count(self, element: etree._Element) -> int:
        """Returns the most elements of an array; 0: not an array."""
        count = element.get("count")
        if count is None:
            return 0
        if not re.fullmatch(r"[0-9]{1,3}", count) or not 1 <= int(count) <= COUNT_MAX:
            raise self.error(element, f"count is {count!r}: expected 1 to {COUNT_MAX} elements at most", "count")
        return int(count)


def is_operation(name: str) -> bool:
    """True if a service or an operation may have this name."""
    return _NAME.fullmatch(name) is not None


def summary_of(source: CSource) -> str:
    """The sentence of the comment that follows the <generator>, before any code, for descriptions."""
    closed = re.search(r"</generator\s*>", source.comments)
    start = closed.end() if closed else 0
    code = re.compile(r"\s*").match(source.code, start)
    behind = source.comments[start : code.end() if code else start]
    first = re.match(r"\s*((?:[ \t]*\S[^\n]*\n?)+)", behind)
    text = " ".join(first[1].split()) if first else ""
    return re.split(r"(?<=[.!?]) ", text)[0][:200]


def _not_yet(attribute: str, word: str, expected: str) -> str:
    if _LATER.get(word) == attribute:
        return f"{attribute} is {word!r}, which is not there yet: expected {expected}"
    return f"{attribute} is {word!r}: expected {expected}"


def _elements(element: etree._Element) -> Iterator[etree._Element]:
    return (child for child in element if isinstance(child.tag, str))
