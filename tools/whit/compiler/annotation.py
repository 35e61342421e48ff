# SPDX-License-Identifier: MIT
"""The <generator> element in a C file's comment: found, checked against the vocabulary, read."""

import re
from collections.abc import Iterator

from lxml import etree

from . import c_source
from .errors import CompileError
from .heads import CONTENT_TYPE_MAX
from .model import ARGS_MAX, ARGUMENTS_MAX, INTEGER_SIZES, STR, Argument, Generator, Persistence

# Elements, their attributes and their children. What stands in _LATER is part of the vocabulary, but of no release yet.
_ATTRIBUTES = {
    "generator": (),
    "handlers": ("init", "initGet", "doGet", "doPost", "doPostIn", "doPostOut"),
    "properties": ("persistence", "interaction", "channel", "content-type"),
    "args": (),
    "arg": ("name", "type", "size", "optional"),
    "content-types": (),
    "content-type": ("type",),
}
_CHILDREN = {
    "generator": ("handlers", "properties", "args", "content-types"),
    "args": ("arg",),
    "content-types": ("content-type",),
}
_LATER = {
    "initGet": "let doGet do it",
    "doPost": "use doGet with arguments",
    "doPostIn": "use doGet with arguments",
    "doPostOut": "use doGet with arguments",
    "interaction": "leave it out",
    "channel": "leave it out",
    "content-types": "it belongs to doPost; the response's type is the attribute content-type of <properties>",
}
_ONCE = ("handlers", "properties", "args", "content-types")
_TAG = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(?=[^/!?])", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:; ?[A-Za-z0-9-]+=[A-Za-z0-9!#$&^_.+-]+)*")
_KEYWORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|"
    "bool|true|false|asm|typeof|NULL"
)


def read(file: object, source: c_source.CSource) -> Generator | None:
    """What the file's <generator> element says; None when it has none."""
    place = _find(file, source)
    if place is None:
        return None
    start, end = place
    line = source.line_at(start)
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    text = source.comments[start:end]
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        said = (error.msg or "not well-formed").split(", line ")[0]
        row = error.position[0]
        raise CompileError(file, line + max(row, 1) - 1, f"the <generator> element is not XML: {said}") from None
    reader = _Reader(file, line, text, root)
    reader.check(root)
    return reader.generator(root, source)


def _find(file: object, source: c_source.CSource) -> tuple[int, int] | None:
    """Where the element stands in the comments."""
    starts = [match.start() for match in re.finditer(r"<generator(?=[\s/>])", source.comments)]
    if not starts:
        return None
    start = starts[0]
    if len(starts) > 1:
        raise CompileError(file, source.line_at(starts[1]), "a second <generator> element: expected one a file")
    line = source.line_at(start)
    closed = re.compile(r"<generator[^<>]*/>|.*?</generator\s*>", re.DOTALL).match(source.comments, start)
    if closed is None or source.code[start : closed.end()].strip():
        raise CompileError(file, line, "<generator> is not closed: expected </generator> in this comment")
    return start, closed.end()


class _Reader:
    """Reads elements of one file; `first` is the line on which its <generator>, `text`, begins."""

    def __init__(self, file: object, first: int, text: str, root: etree._Element) -> None:
        self.file = file
        self.first = first
        self.text = text
        # Where each element's tag begins; lxml only knows where it ends. Values hold no "<".
        tags = [match.start() for match in _TAG.finditer(text) if match[0] == "<"]
        self.tags = dict(zip(root.iter("*"), tags, strict=True))

    def error(self, element: etree._Element, message: str, attribute: str | None = None) -> CompileError:
        return CompileError(self.file, self.line(element, attribute), message)

    def line(self, element: etree._Element, attribute: str | None = None) -> int:
        """Of the element's tag, or of an attribute in it."""
        place = self.tags[element]
        if attribute is not None:
            inside = re.compile(rf"[^>]*?\s{re.escape(attribute)}\s*=").match(self.text, place)
            place = inside.end() if inside else place
        return self.first + self.text.count("\n", 0, place)

    def check(self, element: etree._Element) -> None:
        """Nothing but the vocabulary: elements, attributes, no text."""
        name = str(element.tag)
        for attribute in map(str, element.attrib):
            if attribute not in _ATTRIBUTES[name]:
                message = f"<{name}> has no attribute {attribute!r}{_expected(_ATTRIBUTES[name])}"
                raise self.error(element, message, attribute)
            if attribute in _LATER:
                raise self.error(element, f"{attribute} is not supported yet: {_LATER[attribute]}", attribute)
        children = list(_elements(element))
        seen: set[str] = set()
        for child in children:
            tag = str(child.tag)
            if tag not in _CHILDREN.get(name, ()):
                raise self.error(child, f"<{name}> has no element <{tag}>{_expected(_CHILDREN.get(name, ()))}")
            if tag in _LATER:
                raise self.error(child, f"<{tag}> is not supported yet: {_LATER[tag]}")
            if tag in seen and tag in _ONCE:
                raise self.error(child, f"a second <{tag}>: expected one")
            seen.add(tag)
            self.check(child)
        text = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
        if text:
            raise self.error(element, f"<{name}> holds text, {text[:20]!r}: expected elements only")

    def generator(self, root: etree._Element, source: c_source.CSource) -> Generator:
        handlers = root.find("handlers")
        if handlers is None or "doGet" not in handlers.attrib:
            at = root if handlers is None else handlers
            raise self.error(at, 'a generator needs a handler: expected <handlers doGet="function"/>')
        functions = source.functions()
        for kind in ("init", "doGet"):
            self.handler(handlers, kind, functions)
        persistence, content_type = self.properties(root.find("properties"))
        return Generator(
            line=self.first,
            do_get=str(handlers.attrib["doGet"]),
            init=str(handlers.attrib["init"]) if "init" in handlers.attrib else None,
            persistence=persistence,
            content_type=content_type,
            arguments=self.arguments(root.find("args")),
        )

    def handler(self, handlers: etree._Element, kind: str, functions: dict[str, bool]) -> None:
        name = handlers.get(kind)
        if name is None:
            return
        if not _is_name(name):
            raise self.error(handlers, f"{kind} is {name!r}: expected the name of a C function", kind)
        if name.startswith("whit_"):
            raise self.error(handlers, f"{kind} is {name!r}: names that begin with whit_ are the engine's", kind)
        if name not in functions:
            raise self.error(handlers, f"{kind} is {name!r}: no function of that name is defined in this file", kind)

    def properties(self, element: etree._Element | None) -> tuple[Persistence, str]:
        """Persistence and Content-Type. Unsaid, a generator runs exactly once a request."""
        kind, content_type = Persistence.PERSISTENT.value, "text/plain; charset=utf-8"
        if element is not None:
            kind = str(element.get("persistence", kind))
            content_type = str(element.get("content-type", content_type))
            if kind not in ("persistent", "volatile", "idempotent"):
                message = f"persistence is {kind!r}: expected persistent, volatile or idempotent"
                raise self.error(element, message, "persistence")
            if len(content_type) > CONTENT_TYPE_MAX or not _MEDIA_TYPE.fullmatch(content_type):
                expected = f"expected type/subtype; parameter=value, at most {CONTENT_TYPE_MAX} octets"
                raise self.error(element, f"content-type is {content_type!r}: {expected}", "content-type")
        return Persistence(kind), content_type

    def arguments(self, element: etree._Element | None) -> tuple[Argument, ...]:
        if element is None:
            return ()
        arguments: dict[str, Argument] = {}
        for child in _elements(element):
            argument = self.argument(child)
            if argument.name in arguments:
                first = arguments[argument.name].line
                raise self.error(child, f"a second argument {argument.name!r}: the first is on line {first}")
            arguments[argument.name] = argument
        if not arguments:
            raise self.error(element, "<args> is empty: expected at least one <arg>, or no <args>")
        if len(arguments) > ARGUMENTS_MAX:
            raise self.error(element, f"{len(arguments)} arguments: expected at most {ARGUMENTS_MAX}")
        return tuple(arguments.values())

    def argument(self, element: etree._Element) -> Argument:
        name, kind = element.get("name"), element.get("type")
        if name is None or kind is None:
            missing = "name" if name is None else "type"
            raise self.error(element, f'<arg> without {missing}: expected <arg name="name" type="type"/>')
        if not _is_name(name):
            raise self.error(element, f"argument {name!r}: expected a C identifier of at most 63 characters", "name")
        if kind != STR and kind not in INTEGER_SIZES:
            types = ", ".join((*INTEGER_SIZES, STR))
            raise self.error(element, f"argument {name!r} is of unknown type {kind!r}: expected one of {types}", "type")
        optional = element.get("optional", "false")
        if optional not in ("true", "false"):
            raise self.error(element, f"optional is {optional!r}: expected true or false", "optional")
        return Argument(name, kind, self.size(element, name, kind), optional == "true", self.line(element))

    def size(self, element: etree._Element, name: str, kind: str) -> int:
        said = element.get("size")
        if kind != STR:
            if said is not None:
                raise self.error(element, f"argument {name!r} is {kind}: expected size with str only", "size")
            return INTEGER_SIZES[kind]
        if said is None or not re.fullmatch(r"[0-9]{1,3}", said) or not 2 <= int(said) <= ARGS_MAX:
            was = "has no size" if said is None else f"has size {said!r}"
            raise self.error(
                element, f"argument {name!r} {was}: expected 2 to 255 octets, the closing NUL included", "size"
            )
        return int(said)


def check_args_len(file: object, generator: Generator) -> None:
    """All arguments of a request fit in what the engine has for them."""
    if generator.args_len > ARGS_MAX:
        message = f"the arguments take {generator.args_len} octets: expected at most {ARGS_MAX}; make a str shorter"
        raise CompileError(file, generator.arguments[-1].line, message)


def _elements(element: etree._Element) -> Iterator[etree._Element]:
    return (child for child in element if isinstance(child.tag, str))


def _is_name(name: str) -> bool:
    return _IDENTIFIER.fullmatch(name) is not None and _KEYWORDS.fullmatch(name) is None


def _expected(names: tuple[str, ...]) -> str:
    return f": expected {', '.join(names)}" if names else ": expected none"
