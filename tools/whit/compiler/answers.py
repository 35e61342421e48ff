# SPDX-License-Identifier: MIT
"""Parts of a response's head that handlers choose: calls of answer_status and answer_field in a generator's C file.
Their arguments are constant. The compiler therefore computes the octets and sums of these lines."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

from whit.plain_files import SOURCES_MAX, octets_of

from . import c_source
from .errors import CompileError
from .model import Answer, Generator, Persistence, Writer

# Status codes that a handler may choose (RFC 9110, 4918, 6585).
STATUSES = (
    *(200, 201, 202, 203, 300, 301, 302, 303, 307, 308),
    *(400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 423, 428, 429, 451),
    *(500, 501, 502, 503, 504, 507),
)
# Reasons why a known status or field cannot be chosen.
_CONTENT = "the last one, and has a content"
_OTHERS = dict.fromkeys((100, 101, 102, 103, 204, 205, 304), _CONTENT) | {206: "never a part"}
# Fields that the engine writes itself, or that change how a message is read.
_ENGINE = "the engine writes it"
_FORBIDDEN = {
    "content-length": _ENGINE,
    "transfer-encoding": _ENGINE,
    "connection": _ENGINE,
    "cache-control": _ENGINE,
    "content-type": 'expected <properties content-type="type/subtype"/>',
    **dict.fromkeys(("content-encoding", "content-range", "trailer", "upgrade"), "the content is sent as it is"),
    **dict.fromkeys(("keep-alive", "proxy-connection", "te"), "it belongs to the connection, which is the engine's"),
}
FIELDS_OF_ONE = 2  # that a response may have: engine/core/tables.h
LINE_MAX = 200  # octets of a field line
TEXTS_MAX = 250  # different statuses and field lines of an application

_CALL = re.compile(r"\b(answer_status|answer_field)\s*\(")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define\b(?:\\\n|[^\n])*", re.MULTILINE)
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_STRINGS = re.compile(r'\s*((?:"(?:\\["\\]|[^"\\\n])*"\s*)+)')
_FIELD = re.compile(rf"{_STRINGS.pattern},{_STRINGS.pattern}\Z")


def read(file: object, source: c_source.CSource, generator: Generator | None) -> tuple[Answer, ...]:
    """Returns the calls in a C file, in order. Raises CompileError for a wrong one."""
    answers: list[Answer] = []
    _check_macros(file, source)
    for match in _CALL.finditer(source.statements):
        line = source.line_at(match.start())
        name = match[1]
        if generator is None:
            message = f"{name} in a file without a <generator>: expected it in the handler's own file"
            raise CompileError(file, line, message)
        end = _closing(source.code, match.end())
        answer = _answer(file, name, source.text[match.end() : end].strip(), line, source.line_at(end))
        if complaint := _misplaced(source, generator, match.start()):
            raise CompileError(file, line, f"{name} {complaint}")
        before = answers[-1] if answers else None
        if before and not before.status and not answer.status and before.last >= line:
            raise CompileError(file, line, "two calls of answer_field on one line: expected a line each")
        answers.append(answer)
    return tuple(answers)


def check_header(file: Path) -> None:
    """Raises CompileError if a header has such calls: they are found by their line in the handler's own file."""
    try:
        text = octets_of(file, SOURCES_MAX).decode(errors="replace")
    except OSError as error:
        raise CompileError(file, None, f"cannot be read: {error.strerror}") from None
    if not _CALL.search(text):
        return
    source = c_source.read(file, text)
    _check_macros(file, source)
    if match := _CALL.search(source.statements):
        message = f"{match[1]} in a header: expected it in the handler's own file"
        raise CompileError(file, source.line_at(match.start()), message)


def _check_macros(file: object, source: c_source.CSource) -> None:
    """Raises CompileError if a macro contains such a call."""
    for macro in _MACRO.finditer(source.code):
        if call := _CALL.search(macro[0]):
            line = source.line_at(macro.start() + call.start())
            raise CompileError(file, line, f"{call[1]} in a #define: expected it in the function that answers")


def persistence_of(generator: Generator) -> Persistence:
    """A volatile plain doGet that chooses runs once, as a persistent one: a second run might choose otherwise."""
    chosen = generator.answers and generator.get and generator.get.writer == Writer.PLAIN
    return Persistence.PERSISTENT if chosen and generator.persistence == Persistence.VOLATILE else generator.persistence


def _closing(code: str, start: int) -> int:
    """Returns the position of the parenthesis that closes the one before `start`."""
    depth = 1
    for position in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[position], 0)
        if depth == 0:
            return position
    return len(code)


def _answer(file: object, name: str, arguments: str, first: int, last: int) -> Answer:
    if name == "answer_status":
        status = _status(file, arguments, first)
        return Answer(first, last, f"{status} {HTTPStatus(status).phrase}\r\n", status)
    found = _FIELD.match(arguments)
    if found is None:
        message = f"answer_field({' '.join(arguments.split())[:40]}): expected two constant texts"
        raise CompileError(file, first, f'{message}, answer_field("Location", "/done.html")')
    field, value = (_text(one) for one in found.groups())
    _check_field(file, first, field, value)
    return Answer(first, last, f"{field}: {value}\r\n")


def _status(file: object, argument: str, line: int) -> int:
    if not re.fullmatch(r"[0-9]+", argument):
        shown = " ".join(argument.split())[:40]
        raise CompileError(file, line, f"answer_status({shown}): expected a number, answer_status(303)")
    status = int(argument)
    if status in _OTHERS:
        why = f"a handler's response is {_OTHERS[status]}"
        raise CompileError(file, line, f"answer_status({argument}): {why}; expected one of {_known()}")
    if status not in STATUSES or str(status) != argument:
        raise CompileError(file, line, f"answer_status({argument}): unknown; expected one of {_known()}")
    return status


def _known() -> str:
    return " ".join(map(str, STATUSES))


def _text(strings: str) -> str:
    """Joins adjacent string constants."""
    parts = re.findall(r'"((?:\\["\\]|[^"\\\n])*)"', strings)
    return re.sub(r"\\(.)", r"\1", "".join(parts))


def _check_field(file: object, line: int, field: str, value: str) -> None:
    shown = f"answer_field({field!r}, ...)"
    if not _TOKEN.fullmatch(field):
        raise CompileError(file, line, f"{shown}: expected a field's name, letters, digits and - for instance")
    if why := _FORBIDDEN.get(field.lower()):
        raise CompileError(file, line, f"{shown}: a handler cannot choose {field}; {why}")
    if not all(" " <= character <= "~" for character in value) or value != value.strip() or not value:
        message = f"{shown}: the value is {value!r}; expected printable ASCII without blanks around it"
        raise CompileError(file, line, message)
    if len(field) + len(value) + 4 > LINE_MAX:
        message = f"{shown}: the line has {len(field) + len(value) + 4} bytes; expected at most {LINE_MAX}"
        raise CompileError(file, line, message)


def _misplaced(source: c_source.CSource, generator: Generator, position: int) -> str | None:
    """Returns a complaint if the call is directly in a handler that cannot choose; else None."""
    inside = [one.name for one in source.definitions if one.body <= position < one.end]
    if not inside:
        return None
    name = inside[-1]
    get, parts = generator.get, generator.parts
    plain = get is not None and get.writer == Writer.PLAIN
    form = generator.form if generator.later or not generator.form_thread else None
    may = {form, parts.answer if parts else None, get.name if get and plain else None, generator.call}
    if get is not None and not plain:
        may |= {generator.init_get, get.name if generator.later else None}
    if name in may or name not in generator.handlers:
        return None
    if get is not None and name == get.name:
        kind = "a protothread" if get.writer == Writer.THREAD else "a doGet by index"
        return f"in {name}, {kind}, whose first bytes may have left: expected it in an initGet"
    if name == generator.form:
        return f"in {name}, a protothread, whose first bytes may have left: expected answer_later() before it"
    if name == generator.init_get:
        return f"in {name}, the initGet of a plain doGet: expected it in {get.name if get else 'doGet'}"
    return f"in {name}, which does not answer: expected it in a plain doGet, doPost or doPostOut"


def texts(all_answers: Iterator[Answer]) -> tuple[list[str], list[str]]:
    """The different lines of an application: of statuses, and of fields."""
    answers = list(all_answers)
    statuses = sorted({answer.text for answer in answers if answer.status})
    fields = sorted({answer.text for answer in answers if not answer.status})
    return statuses, fields
