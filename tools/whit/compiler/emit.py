# SPDX-License-Identifier: MIT
"""The generated sources: readable C, the same octets for the same application wherever it stands."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import jinja2

from . import answers, automaton, grammar, grammar_code, grammar_octets, persistent, persistent_c, stored, words
from .describe import description
from .device import PLAIN, Board, Https
from .features import features
from .heads import PIECE_MAX
from .model import TAIL, Answer, Argument, Coding, Generator, Limits, Memory, Representation, Resource
from .resources import Directory
from .services import tables as services
from .services.model import Operation
from .sums import prefix_sums, sum_of
from .texts import c_text, spelled

_ROW = 16
_HEX = [f"0x{octet:02x}" for octet in range(256)]
_SHOWN = bytes(octet if 0x20 <= octet <= 0x7E and octet not in b"\\?" else ord(".") for octet in range(256))
# Members of engine/base/tables.h that a generated source names.
_MEMBERS = (
    *("get", "plain", "index", "thread", "writer", "state_len", "init_get", "post", "methods", "arguments"),
    *("fallbacks", "names", "argument_cnt", "args_len", "form", "in", "in_thread", "out", "types", "body_max"),
    *("texts", "handlers"),
)


@dataclass(frozen=True)
class Output:
    """Names and texts of the generated files, and the octets of whit_targets."""

    files: dict[str, str]
    targets_len: int


@dataclass(frozen=True)
class Others:
    """What other modules generate, by the names of files, and what they do it for."""

    database: Mapping[str, str] = field(default_factory=dict)
    certificate: Mapping[str, str] = field(default_factory=dict)
    https: Https | None = None


NONE = Others()


@dataclass(frozen=True)
class _Entry:
    """One element of whit_resources, under the identifier that names its tables."""

    identifier: str
    resource: Resource
    representation: Representation
    url: str
    sum_rows: tuple[str, ...]
    variant_cnt: int  # not 0 in an identity only
    bank: int = 0  # of a stored content, whose second entry shares the tables of the first
    owner: str = ""  # of a service's second entry, which is text: the identifier of the first

    @property
    def head_rows(self) -> list[str]:
        return _head_rows(self.representation)

    @property
    def body_rows(self) -> Iterator[str]:
        return _octet_rows(self.representation.body)

    @property
    def octet_cnt(self) -> int:
        return len(self.representation.head.octets) + len(self.representation.body)

    @property
    def head_sum(self) -> int:
        return sum_of(self.representation.head.octets)

    @property
    def validators_sum(self) -> int:
        return sum_of(self.representation.head.validators)


@dataclass(frozen=True)
class _Wrapper:
    """One generator: its wrapper is generator_<identifier>.c; the others are places in whit_targets, 0 for none."""

    identifier: str
    resource: Resource
    generator: Generator
    names: int  # of its arguments
    words: dict[str, int]  # of an enum, by its name
    types: int  # that doPostIn takes
    texts: tuple[tuple[str, int], ...]  # of calls of answer_status and answer_field: C constants and numbers

    @property
    def page_file(self) -> str:
        """The C of a page template."""
        return f"page_{self.identifier}.h"

    @property
    def arguments(self) -> Iterator[tuple[Argument, int]]:
        """Each with its place in `fallbacks`, from 1 on; 0: it is 0 when absent."""
        number = 0
        for argument in self.generator.arguments:
            number += argument.default != 0
            yield argument, number if argument.default else 0

    @property
    def handlers(self) -> Iterator[tuple[str, str]]:
        """What the request log calls them: enum whit_name without its WHIT_NAME_, and the name."""
        parts = self.generator.parts
        for what, name in (
            ("GET", (self.generator.call or self.generator.get.name) if self.generator.get else None),
            ("INIT_GET", self.generator.init_get),
            ("FORM", self.generator.call or self.generator.form),
            ("IN", parts.take if parts else None),
            ("OUT", parts.answer if parts else None),
        ):
            if name:
                yield what, c_text(f"{name}()")

    @property
    def expected(self) -> list[str]:
        """What the request log says of each argument."""
        return [c_text(f"{argument.name}: expected {argument.expected}") for argument in self.generator.arguments]

    @property
    def expected_types(self) -> str:
        """What it says of the body's type."""
        form = ("application/x-www-form-urlencoded",) if self.generator.form else ()
        return c_text(", ".join(form + self.generator.types))

    @property
    def methods(self) -> str:
        """A C expression of enum whit_methods."""
        get = ["WHIT_METHOD_GET"] if self.generator.get else []
        return " | ".join(get + (["WHIT_METHOD_POST"] if self.generator.has_body else []))

    @property
    def result_struct(self) -> list[str]:
        """Of a service, as the next three."""
        return services.result_struct(self.service)

    @property
    def values(self) -> list[str]:
        return services.values(self.service)

    @property
    def ways(self) -> str:
        return " | ".join(f"WHIT_BY_{way.upper()}" for way in self.service.ways)

    @property
    def call(self) -> str:
        return services.call(self.service, self.generator.call or "")

    @property
    def service(self) -> Operation:
        assert self.generator.service is not None
        return self.generator.service

    @property
    def fallbacks(self) -> list[Argument]:
        return [argument for argument in self.generator.arguments if argument.default]


@dataclass(frozen=True)
class _Text:
    """A line that a handler chooses."""

    octets: bytes
    chunk: int

    @property
    def rows(self) -> Iterator[str]:
        return _octet_rows(self.octets)

    @property
    def sum_rows(self) -> Iterator[str]:
        return _sum_rows(prefix_sums(self.octets, self.chunk))


def emit(
    name: str | None,
    limits: Limits,
    board: Board,
    directory: Directory,
    memory: Memory,
    html_end: bytes = b"",
    others: Others = NONE,
) -> Output:
    """Everything but the writing. `html_end` is what ends the page of an error that has no file."""
    taken: set[str] = set()
    entries = _entries(directory.resources, limits.chunk, taken)
    errors = _entries((resource for _, resource in directory.errors), limits.chunk, taken)
    bodies = any(resource.generator and resource.generator.has_body for resource in directory.resources)
    parts = any(resource.generator and resource.generator.parts for resource in directory.resources)
    asks, tls = bool(others.database), bool(others.https)
    used = features(directory.resources, error_files=bool(directory.errors), database=asks, https=tls)
    uses = _grammar_uses({feature.name for feature in used if feature.used})
    head = grammar_octets.build(uses)
    word_automata = [("a request's head", head.automaton)]
    offsets = [*head.offsets, ("MEDIA", head.automaton.octet_cnt if bodies else 0)]
    if bodies:
        word_automata.append(("media types", automaton.build(words.media(parts))))
    decoded = any(feature.used for feature in used if feature.name == "ARGUMENTS")
    paths = automaton.build(_path_values(entries, str if decoded else spelled))
    statuses, fields = answers.texts(_answers(directory.resources))
    numbers = {text: number for number, text in enumerate((*statuses, *fields))}
    wrappers, other_automata, targets_len = _wrappers(entries, paths.octet_cnt, numbers)
    for entry in entries:
        assert len(entry.representation.head.validators) <= PIECE_MAX
    environment = _environment()
    files = {
        "whit_limits.h": environment.get_template("limits.h.j2").render(
            limits=limits,
            board=board,
            https=others.https,
            plain=PLAIN,
            word_offsets=offsets,
            features=used,
            statuses=len(statuses),
            answer_len=_answer_len(directory.resources),
        ),
        "whit_tables.c": environment.get_template("tables.c.j2").render(
            entries=[*entries, *errors],
            html_end=c_text(html_end.decode().strip()),
            errors=[(name, len(entries) + index) for index, (name, _) in enumerate(directory.errors)],
            wrappers=wrappers,
            words=word_automata,
            paths=paths,
            others=other_automata,
            limits=limits,
            texts=[_Text(text.encode("ascii"), limits.chunk) for text in numbers],
            contents=[entry for entry in entries if entry.resource.stored and entry.bank == 0],
        ),
        "whit_head.h": grammar_code.build(uses),
        "app.json": description(name, limits, directory.resources, memory),
    }
    layout = persistent.layout_of([*persistent.seeds(memory.areas), *stored.seeds(directory.resources)])
    files |= persistent_c.files(environment, memory.areas, memory.raw_len, layout)
    for wrapper in wrappers:
        text = environment.get_template("generator.c.j2").render(
            wrapper=wrapper, generator=wrapper.generator, members=_MEMBERS
        )
        if wrapper.resource.page:
            files[wrapper.page_file] = wrapper.resource.page
        files[f"generator_{wrapper.identifier}.c"] = text
    files |= others.database
    files |= others.certificate
    if contents := stored.stored_of(directory.resources):
        files["whit_stored.h"] = stored.header(contents)
    generated = sorted(file for file in files if file.endswith(".c"))
    files["sources.cmake"] = environment.get_template("sources.cmake.j2").render(
        generated=generated, helpers=directory.helpers, database=bool(others.database)
    )
    lines = [f"generated {file}" for file in generated] + [f"helper {file}" for file in directory.helpers]
    files["sources.txt"] = "".join(f"{line}\n" for line in lines)
    return Output(files, targets_len)


def _answers(resources: Iterable[Resource]) -> Iterator[Answer]:
    for resource in resources:
        if resource.generator:
            yield from resource.generator.answers


def _answer_len(resources: Iterable[Resource]) -> int:
    """Octets that the longest choice adds to a head, at most."""
    longest = 0
    for resource in resources:
        statuses, fields = answers.texts(_answers([resource]))
        lengths = sorted((len(text) for text in fields), reverse=True)
        longest = max(longest, max(map(len, statuses), default=0) + sum(lengths[: answers.FIELDS_OF_ONE]))
    return longest


def _constants(generator: Generator, numbers: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """A compiler may take any line of a call for its line."""
    found: dict[str, int] = {}
    for answer in generator.answers:
        if answer.status:
            found[f"WHIT_STATUS_{answer.status}"] = numbers[answer.text]
        else:
            found |= {f"WHIT_FIELD_{line}": numbers[answer.text] for line in range(answer.first, answer.last + 1)}
    return tuple(found.items())


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _entries(resources: Iterable[Resource], chunk: int, taken: set[str]) -> list[_Entry]:
    """`taken`: identifiers of others, to which these are added."""
    entries = []
    for resource in resources:
        identifier = _identifier(resource.path, taken)
        for representation in resource.representations:
            identity = representation.coding == Coding.IDENTITY
            second = identity and representation is not resource.representations[0]
            own = identifier if not second else _identifier(f"{identifier}.text", taken)
            entries.append(
                _Entry(
                    identifier=own if identity else _identifier(f"{identifier}.{representation.coding}", taken),
                    resource=resource,
                    representation=representation,
                    url=resource.urls[-1],
                    sum_rows=tuple(_sum_rows(prefix_sums(representation.head.octets + representation.body, chunk))),
                    variant_cnt=len(resource.representations) - 1 if identity and not resource.generator else 0,
                    owner=identifier if second else "",
                )
            )
        if resource.stored:
            entries.append(replace(entries[-1], bank=1))
    return entries


def _identifier(path: str, taken: set[str]) -> str:
    """A C identifier's end that no other table has: the path, with a number where two would be the same."""
    plain = re.sub(r"[^A-Za-z0-9]", "_", path)
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}_{number}"
    taken.add(name)
    return name


def _path_values(entries: list[_Entry], spelled: Callable[[str], str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for index, entry in enumerate(entries):
        if entry.representation.coding != Coding.IDENTITY or entry.bank != 0 or entry.owner:
            continue
        values |= {spelled(path): str(index) for path in entry.resource.paths}
        if (place := entry.resource.tail) is not None:
            values[f"{spelled(entry.resource.path)}/"] = str((place + 1) * TAIL + index)
    return values


def _wrappers(
    entries: Iterable[_Entry], start: int, numbers: Mapping[str, int]
) -> tuple[list[_Wrapper], list[tuple[str, automaton.Automaton]], int]:
    """Generators, their automata under what they are, and where the last one of these ends."""
    wrappers: list[_Wrapper] = []
    automata: list[tuple[str, automaton.Automaton]] = []

    def place(what: str, keys: Sequence[str]) -> int:
        nonlocal start
        if not keys:
            return 0
        built = automaton.build({key: str(index) for index, key in enumerate(keys)})
        automata.append((what, built))
        start += built.octet_cnt
        return start - built.octet_cnt

    for entry in entries:
        if (generator := entry.resource.generator) and not entry.owner:
            url, arguments = f'"{entry.url}"', generator.arguments
            names = place(f"arguments of {url}", [argument.name for argument in arguments])
            enums = {one.name: place(f"words of {one.name} of {url}", one.words) for one in arguments if one.words}
            types = place(f"media types for {url}", generator.types)
            texts = _constants(generator, numbers)
            wrappers.append(_Wrapper(entry.identifier, entry.resource, generator, names, enums, types, texts))
    return wrappers, automata, start


def _grammar_uses(used: Set[str]) -> grammar.Uses:
    return grammar.Uses(variants="VARIANTS" in used, bodies="BODY" in used, tags="ETAGS" in used)


def _octet_rows(octets: bytes) -> Iterator[str]:
    """16 octets a row, in hexadecimal and, where they print, as characters."""
    for start in range(0, len(octets), _ROW):
        row = octets[start : start + _ROW]
        yield f"{', '.join([_HEX[octet] for octet in row])},".ljust(6 * _ROW) + f'// "{row.translate(_SHOWN).decode()}"'


def _head_rows(representation: Representation) -> list[str]:
    """A field line a row or more."""
    return [row for line in representation.head.octets.splitlines(keepends=True) for row in _octet_rows(line)]


def _sum_rows(sums: list[int]) -> Iterator[str]:
    for start in range(0, len(sums), _ROW):
        yield ", ".join(f"0x{value:04x}" for value in sums[start : start + _ROW]) + ","
