# SPDX-License-Identifier: MIT
"""The <generator> element in a C file's comment: found, checked against the vocabulary, read."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lxml import etree

from whit.suggest import did_you_mean, expected, meant

from . import arguments, c_source, handlers, nested, words
from .errors import CompileError
from .heads import CONTENT_TYPE_MAX
from .model import (
    ARGS_MAX,
    ARGUMENTS_MAX,
    INTEGER_SIZES,
    JSON,
    STR,
    TAIL_MAX,
    Area,
    Argument,
    Generator,
    Get,
    Persistence,
    Writer,
)
from .services import pieces
from .services import read as services
from .services.model import Way

# Elements, their attributes and their children.
ATTRIBUTES = {
    "generator": (),
    "handlers": handlers.KINDS,
    "properties": ("persistence", "interaction", "channel", "content-type"),
    "args": ("record",),
    "arg": ("name", "type", "size", "values", "optional", "default", "source", "scale", "octets", "count", "take"),
    "content-types": (),
    "content-type": ("type",),
    **services.ATTRIBUTES,
}
_CHILDREN = {
    "generator": ("handlers", "properties", "args", "content-types", "service", "result"),
    "args": ("arg", "record"),
    "content-types": ("content-type",),
    **services.CHILDREN,
}
_ONCE = ("handlers", "properties", "args", "content-types", "service", "result")
_TAG = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(?=[^/!?])", re.DOTALL)
_TYPES_MAX = 64
SERVICE = "whit_call"  # the handlers of a service, which calls its function
# Names of types in C and elsewhere, with the names used here.
_TYPES_OF_OTHERS = {
    "int": "int16", "unsigned": "uint16", "long": "int32", "char": "int8", "string": "str", "boolean": "bool",
    **{f"{kind}_t": kind for kind in INTEGER_SIZES},
}  # fmt: skip
_IDENTIFIER = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,62}")  # two underscores: C11, section 7.1.3
MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:; ?[A-Za-z0-9-]+=[A-Za-z0-9!#$&^_.+-]+)*")
_PLAIN_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,63}/[A-Za-z0-9!#$&^_.+-]{1,63}")
_KEYWORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|"
    "bool|true|false|asm|typeof|NULL|EOF|errno|stdin|stdout|stderr"
)


def read(file: object, source: c_source.CSource, areas: Mapping[str, Area]) -> Generator | None:
    """Returns the generator of the file's <generator> element; None if it has none."""
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
        said = re.sub(r"\bline (\d+)", lambda row: f"line {line + int(row[1]) - 1}", said)  # of the file
        row = error.position[0]
        raise CompileError(file, line + max(row, 1) - 1, f"the <generator> element is not XML: {said}") from None
    reader = _Reader(file, line, text, root, areas)
    reader.check(root)
    return reader.generator(root, source)


def _find(file: object, source: c_source.CSource) -> tuple[int, int] | None:
    """Returns start and end of the element in the comments."""
    starts = [match.start() for match in re.finditer(r"<generator(?=[\s/>])", source.comments)]
    if not starts:
        _check_misspelt(file, source)
        return None
    start = starts[0]
    if len(starts) > 1:
        raise CompileError(file, source.line_at(starts[1]), "a second <generator> element: expected one a file")
    line = source.line_at(start)
    closed = re.compile(r"<generator[^<>]*/>|.*?</generator\s*>", re.DOTALL).match(source.comments, start)
    if closed is None or source.code[start : closed.end()].strip():
        raise CompileError(file, line, "<generator> is not closed: expected </generator> in this comment")
    return start, closed.end()


def _check_misspelt(file: object, source: c_source.CSource) -> None:
    """Raises CompileError if a helper, a file without <generator>, has elements of a <generator> in its comments."""
    for match in re.finditer(r"<(?P<name>[A-Za-z-]+)(?=[\s/>])", source.comments):
        name = match["name"]
        if meant(name, ("generator",)) and re.search(rf"</\s*{name}\s*>", source.comments):
            raise CompileError(file, source.line_at(match.start()), f"<{name}> is unknown: expected <generator>")
        if name == "handlers" and re.search(r"\bdo(?:Get|Post)", source.comments[match.start() :]):
            message = "<handlers> without <generator>: expected <generator> around it"
            raise CompileError(file, source.line_at(match.start()), message)


class _Reader:
    """Reads elements of one file; `first` is the line on which its <generator>, `text`, begins."""

    def __init__(self, file: object, first: int, text: str, root: etree._Element, areas: Mapping[str, Area]) -> None:
        self.file = file
        self.first = first
        self.text = text
        self.areas = areas
        # Positions of the elements' start tags; lxml only knows where a tag ends. Values hold no "<".
        tags = [match.start() for match in _TAG.finditer(text) if match[0] == "<"]
        self.tags = dict(zip(root.iter("*"), tags, strict=True))

    def error(self, element: etree._Element, message: str, attribute: str | None = None) -> CompileError:
        return CompileError(self.file, self.line(element, attribute), message)

    def line(self, element: etree._Element, attribute: str | None = None) -> int:
        """Returns the line of the element's tag, or of one of its attributes."""
        place = self.tags[element]
        if attribute is not None:
            inside = re.compile(rf"[^>]*?\s{re.escape(attribute)}\s*=").match(self.text, place)
            place = inside.end() if inside else place
        return self.first + self.text.count("\n", 0, place)

    def check(self, element: etree._Element) -> None:
        """Checks the vocabulary: known elements and attributes, no text."""
        name = str(element.tag)
        for attribute in map(str, element.attrib):
            if attribute not in ATTRIBUTES[name]:
                message = f"<{name}> has no attribute {attribute!r}{expected(attribute, ATTRIBUTES[name])}"
                raise self.error(element, message, attribute)
        children = list(_elements(element))
        seen: set[str] = set()
        for child in children:
            tag = str(child.tag)
            if tag not in _CHILDREN.get(name, ()):
                raise self.error(child, f"<{name}> has no element <{tag}>{expected(tag, _CHILDREN.get(name, ()))}")
            if tag in seen and tag in _ONCE:
                raise self.error(child, f"a second <{tag}>: expected one")
            seen.add(tag)
            self.check(child)
        text = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
        if text:
            raise self.error(element, f"<{name}> holds text, {text[:20]!r}: expected elements only")

    def generator(self, root: etree._Element, source: c_source.CSource) -> Generator:
        element = root.find("handlers")
        at = root if element is None else element
        said = {} if element is None else {str(kind): str(name) for kind, name in element.attrib.items()}

        def error(message: str, kind: str | None) -> CompileError:
            return self.error(at, message, kind)

        handlers.check_together(said, error)
        self.check_service(root, "call" in said)
        defined = source.functions()
        functions = {
            kind: self.handler(at, kind, said[kind], defined, source) for kind in handlers.KINDS if kind in said
        }
        persistence, content_type = self.properties(root.find("properties"))
        handlers.check_forms(functions, persistence, error)
        types = self.types(root.find("content-types"), said)
        generator = Generator(
            line=self.first,
            get=handlers.get_of(functions),
            init=said.get("init"),
            persistence=persistence,
            content_type=content_type,
            arguments=self.arguments(root.find("args"), service="call" in said),
            record=self.record(root.find("args")),
            init_get=said.get("initGet"),
            form=said.get("doPost"),
            form_thread=handlers.form_thread_of(functions),
            json=bool(types) and "doPost" in said,
            parts=handlers.parts_of(functions, types),
        )
        return self.service(root, generator, functions["call"], source) if "call" in said else generator

    def service(
        self, root: etree._Element, generator: Generator, called: c_source.Function, source: c_source.CSource
    ) -> Generator:
        """The generator that calls a function: its handlers are written by the compiler."""
        reader = services.Reader(self.error, self.line, self.areas, is_name)
        operation = reader.operation(root, source, self.file, called)
        only_soap, only_get = operation.ways == (Way.SOAP,), operation.ways == (Way.GET,)
        if generator.has_records:
            nested.check_ways(operation.ways, lambda message: self.error(root, message))
        by_pieces = pieces.check(root, source.functions(), operation, self.error)
        no_get = only_soap or generator.has_records or generator.persistence == Persistence.PERSISTENT or by_pieces
        get = None if no_get else Get(SERVICE, Writer.PLAIN)
        if only_get and get is None:
            message = 'as is "get", and persistence is persistent: expected volatile, or as="json"'
            raise self.error(root, message)
        if get is None and any(argument.path for argument in generator.arguments):
            what, way = ("SOAP", "as json too") if only_soap else ("persistent", "persistence volatile")
            message = f"source='path' of a {what} service, which has no GET: expected {way}"
            raise self.error(root, message)
        return replace(
            generator,
            call=called.name,
            get=get,
            form=None if only_get else SERVICE,
            form_thread=bool(operation.gives),
            arguments=pieces.placed(generator.arguments),
            json=Way.JSON in operation.ways,
            content_type=JSON,
            service=operation,
        )

    def check_service(self, root: etree._Element, called: bool) -> None:
        """Checks that services and other generators have only the elements that are theirs."""
        for tag in ("service", "result"):
            if not called and (element := root.find(tag)) is not None:
                raise self.error(element, f'<{tag}> without call: expected <handlers call="function"/>')
        types, properties = root.find("content-types"), root.find("properties")
        if called and types is not None:
            raise self.error(types, '<content-types> of a service: expected <service as="json form"/>')
        if called and properties is not None and "content-type" in properties.attrib:
            message = "content-type of a service: expected none; its result is JSON"
            raise self.error(properties, message, "content-type")

    def handler(
        self,
        element: etree._Element,
        kind: str,
        name: str,
        functions: dict[str, c_source.Function],
        source: c_source.CSource,
    ) -> c_source.Function:
        if not is_name(name):
            raise self.error(element, f"{kind} is {name!r}: expected the name of a C function", kind)
        if name.startswith("whit_"):
            raise self.error(element, f"{kind} is {name!r}: names that begin with whit_ are the engine's", kind)
        if name not in functions:
            guess = did_you_mean(name, functions)
            message = f"{kind} is {name!r}: no function of that name is defined in this file{guess}"
            raise self.error(element, message, kind)
        function = functions[name]
        if complaint := handlers.unknown_form(kind, function):
            raise CompileError(self.file, source.line_at(function.start), complaint)
        return function

    def types(self, element: etree._Element | None, said: Mapping[str, str]) -> tuple[str, ...]:
        """The media types of <content-types>, lower case."""
        if element is None:
            return ()
        if "doPostIn" not in said and "doPost" not in said:
            what = "<content-types> are those that doPostIn takes, or application/json for doPost"
            raise self.error(element, f"{what}; the response's is the attribute content-type of <properties>")
        types: list[str] = []
        for child in _elements(element):
            kind = str(child.get("type", "")).lower()
            if not _PLAIN_MEDIA_TYPE.fullmatch(kind):
                message = f"type is {kind!r}: expected a media type without parameters, image/png for instance"
                raise self.error(child, message, "type")
            if kind in words.MEDIA:
                message = f"{kind} is read by the engine itself: expected the types of a form's parts, or other bodies"
                raise self.error(child, message, "type")
            if "doPost" in said and kind != JSON:
                message = f"doPost takes forms, and {JSON} if it is declared: expected that, or doPostIn for {kind}"
                raise self.error(child, message, "type")
            if kind in types:
                raise self.error(child, f"a second {kind}: expected one", "type")
            types.append(kind)
        if not 1 <= len(types) <= _TYPES_MAX:
            raise self.error(element, f"{len(types)} content types: expected 1 to {_TYPES_MAX}, or no <content-types>")
        return tuple(types)

    def properties(self, element: etree._Element | None) -> tuple[Persistence, str]:
        """Persistence and Content-Type. Unsaid, a generator runs exactly once a request."""
        kind, content_type = Persistence.PERSISTENT.value, "text/plain; charset=utf-8"
        if element is not None:
            kind = str(element.get("persistence", kind))
            content_type = str(element.get("content-type", content_type))
            self.interaction(element)
            if kind not in ("persistent", "volatile", "idempotent"):
                guess = did_you_mean(kind, ("persistent", "volatile", "idempotent"))
                message = f"persistence is {kind!r}: expected persistent, volatile or idempotent{guess}"
                raise self.error(element, message, "persistence")
            if len(content_type) > CONTENT_TYPE_MAX or not MEDIA_TYPE.fullmatch(content_type):
                expected = f"expected type/subtype; parameter=value, at most {CONTENT_TYPE_MAX} bytes"
                raise self.error(element, f"content-type is {content_type!r}: {expected}", "content-type")
        return Persistence(kind), content_type

    def interaction(self, element: etree._Element) -> None:
        """Smews' attributes of contents that are pushed to clients, which do not exist here."""
        for attribute in ("interaction", "channel"):
            said = element.get(attribute)
            if said is not None and (attribute, said) != ("interaction", "rest"):
                what = f"{attribute} is {str(said)!r}: nothing is pushed to clients; leave it out"
                raise self.error(element, f"{what}, and let the page ask again", attribute)

    def arguments(self, element: etree._Element | None, *, service: bool) -> tuple[Argument, ...]:
        if element is None:
            return ()
        if record := self.record(element):
            fields = self.fields(element, record)
            return tuple(replace(one, text="utf8") if one.type == STR else one for one in fields)
        found = nested.Reader(self.error, self.line, is_name, self.argument, service=service).arguments(element, 1)
        if not found:
            raise self.error(element, "<args> is empty: expected at least one <arg>, or no <args>")
        if len(found) > ARGUMENTS_MAX:
            raise self.error(element, f"{len(found)} arguments: expected at most {ARGUMENTS_MAX}")
        self.check_tail(element, found)
        return found

    def check_tail(self, element: etree._Element, found: tuple[Argument, ...]) -> None:
        """Checks that at most one argument follows the path, and only of a GET."""
        tails = [index for index, argument in enumerate(found) if argument.path]
        children = list(_elements(element))
        if len(tails) > 1:
            message = "a second argument with source='path': expected one; the others come in the query"
            raise self.error(children[tails[1]], message, "source")
        if tails and tails[0] >= TAIL_MAX:
            message = f"argument number {tails[0] + 1} has source='path': expected one of the first {TAIL_MAX}"
            raise self.error(children[tails[0]], message, "source")
        if tails and not element.xpath("../handlers/@doGet | ../handlers/@call"):
            raise self.error(children[tails[0]], "source='path' without doGet: expected one", "source")

    def record(self, element: etree._Element | None) -> Area | None:
        """Returns the area of persistent memory whose fields are the arguments."""
        name = None if element is None else element.get("record")
        if element is None or name is None:
            return None
        if name not in self.areas:
            known = f"; there is {', '.join(self.areas)}" if self.areas else ""
            message = f"record is {name!r}: expected a table [persistent.{name}] in app.toml{known}"
            raise self.error(element, message, "record")
        if list(_elements(element)):
            message = f"<args> with a record and with <arg>: the arguments are the fields of [persistent.{name}]"
            raise self.error(element, f"{message}; leave one of both out", "record")
        return self.areas[name]

    def fields(self, element: etree._Element, area: Area) -> tuple[Argument, ...]:
        """The fields of an area as arguments: those with a default may be left out, and every bool."""
        found = []
        for field in area.fields:
            what = f"field {field.name} of [persistent.{area.name}]"
            if field.count:
                raise self.error(element, f"{what} is an array: expected single values as arguments", "record")
            if field.text:
                message = f"{what} has the default {field.text!r}: expected an empty one, as that of an argument is"
                raise self.error(element, message, "record")
            optional = field.has_default or field.type == "bool"
            default = field.default if optional else 0
            line = self.line(element, "record")
            found.append(Argument(field.name, field.type, field.size, optional, line, default, field.words))
        if len(found) > ARGUMENTS_MAX:
            message = f"[persistent.{area.name}] has {len(found)} fields: expected at most {ARGUMENTS_MAX} as arguments"
            raise self.error(element, message, "record")
        return tuple(found)

    def argument(self, element: etree._Element, service: bool) -> Argument:
        name, kind = element.get("name"), element.get("type")
        if name is None or kind is None:
            missing = "name" if name is None else "type"
            raise self.error(element, f'<arg> without {missing}: expected <arg name="name" type="type"/>')
        if not is_name(name):
            expected = "expected a C identifier of at most 63 characters, no keyword"
            raise self.error(element, f"argument {name!r}: {expected}", "name")
        known = arguments.SERVICE_TYPES if service else arguments.TYPES
        if kind not in known:
            types = ", ".join(known)
            guess = did_you_mean(_TYPES_OF_OTHERS.get(kind, kind), known)
            message = f"argument {name!r} is of unknown type {kind!r}: expected one of {types}{guess}"
            raise self.error(element, message, "type")
        said = {str(key): str(value) for key, value in element.attrib.items()}
        return arguments.read(
            said, self.line(element), lambda message, key: self.error(element, message, key), service=service
        )


def check_args_len(file: object, generator: Generator) -> None:
    """Checks that a request's arguments fit the engine's bound."""
    if generator.args_len > ARGS_MAX:
        message = f"the arguments take {generator.args_len} bytes: expected at most {ARGS_MAX}; make a str shorter"
        raise CompileError(file, generator.arguments[-1].line, message)


def _elements(element: etree._Element) -> Iterator[etree._Element]:
    return (child for child in element if isinstance(child.tag, str))


def is_name(name: str) -> bool:
    return _IDENTIFIER.fullmatch(name) is not None and _KEYWORDS.fullmatch(name) is None
