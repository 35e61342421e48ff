# SPDX-License-Identifier: MIT
"""Generates the sources: readable C, the same octets for the same application in any directory."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from xml.sax.saxutils import escape

import jinja2

from . import (
    answers,
    automaton,
    grammar,
    grammar_code,
    grammar_octets,
    json_errors,
    persistent,
    persistent_c,
    stored,
    words,
)
from .describe import description
from .device import PLAIN, Board, Https
from .emitted import Entry, Text, Wrapper, octet_rows, sum_rows
from .features import features
from .heads import PIECE_MAX, keep_alive
from .model import TAIL, Answer, Coding, Generator, Limits, Memory, Resource
from .resources import Directory
from .services import soap
from .services.model import Way
from .services.security import Secured
from .sums import prefix_sums
from .texts import c_text, spelled
from .typed import BOOL_WORDS, Argument, every

# Members of engine/core/tables.h that a generated source names.
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
    """Files that other modules generate, by name, and the settings that they depend on."""

    database: Mapping[str, str] = field(default_factory=dict)
    certificate: Mapping[str, str] = field(default_factory=dict)
    https: Https | None = None
    replies: bool = False  # are signed
    secured: Secured | None = None
    charsets: bool = False  # SOAP is in ISO-8859-1 and US-ASCII as well
    json_errors: bool = False  # refusals in JSON name the wrong argument


NONE = Others()


def emit(
    name: str | None,
    limits: Limits,
    board: Board,
    directory: Directory,
    memory: Memory,
    html_end: bytes = b"",
    others: Others = NONE,
) -> Output:
    """Generates all sources without writing them. `html_end` ends the page of an error that has no file."""
    taken: set[str] = set()
    entries = entries_of(directory.resources, limits.chunk, taken)
    errors = entries_of((resource for _, resource in directory.errors), limits.chunk, taken)
    bodies = any(resource.generator and resource.generator.has_body for resource in directory.resources)
    parts = any(resource.generator and resource.generator.parts for resource in directory.resources)
    asks, tls = bool(others.database), bool(others.https)
    used = features(
        directory.resources,
        error_files=bool(directory.errors),
        database=asks,
        https=tls,
        replies=others.replies,
        signers=others.secured,
        form_data=limits.form_data,
        charsets=others.charsets,
        told_in_json=others.json_errors,
    )
    form_parts = any(feature.used for feature in used if feature.name == "FORM_PARTS")
    spaces = _spaces(entries)
    uses = _grammar_uses({feature.name for feature in used if feature.used})
    head = grammar_octets.build(uses)
    word_automata = [("a request's head", head.automaton)]
    offsets = [*head.offsets, ("MEDIA", head.automaton.octet_cnt if bodies else 0)]
    if bodies:
        word_automata.append(
            ("media types", automaton.build(words.media(parts, form_parts, others.charsets and bool(spaces))))
        )
    decoded = any(feature.used for feature in used if feature.name == "ARGUMENTS")
    paths = automaton.build(_path_values(entries, str if decoded else spelled))
    statuses, fields = answers.texts(_answers(directory.resources))
    numbers = {text: number for number, text in enumerate((*statuses, *fields))}
    soap_words = _soap_automata(spaces, any(one.used for one in used if one.name == "DIGEST"))
    soap_places = _places(paths.octet_cnt, soap_words)
    wrappers, other_automata, targets_len = _wrappers(entries, soap_places[-1], numbers, spaces)
    told = json_errors.texts((one.generator for one in wrappers if others.json_errors), limits.chunk)
    wrappers = [replace(wrapper, form_data=form_parts) for wrapper in wrappers]
    for index, place in enumerate(told.places):
        wrappers[index] = replace(wrappers[index], json_errors=json_errors.member(wrappers[index].generator, place))
    for entry in entries:
        assert len(entry.representation.head.validators) <= PIECE_MAX
    environment = _environment()
    files = {
        "whit_limits.h": environment.get_template("limits.h.j2").render(
            limits=limits,
            board=board,
            keep_alive=keep_alive(limits, board, https=tls),
            https=others.https,
            plain=PLAIN,
            word_offsets=offsets,
            features=used,
            statuses=len(statuses),
            soap_words=soap_places[0] if spaces else 0,
            answer_len=_answer_len(directory.resources),
        ),
        "whit_tables.c": environment.get_template("tables.c.j2").render(
            entries=[*entries, *errors],
            html_end=c_text(html_end.decode().strip()),
            errors=[(name, len(entries) + index) for index, (name, _) in enumerate(directory.errors)],
            wrappers=wrappers,
            words=word_automata,
            paths=paths,
            others=[*soap_words, *other_automata],
            spaces=[escape(space) for space in spaces],
            limits=limits,
            told=told,
            octet_rows=octet_rows,
            sum_rows=sum_rows,
            texts=[Text(text.encode("ascii"), limits.chunk) for text in numbers],
            contents=[entry for entry in entries if entry.resource.stored and entry.bank == 0],
        ),
        "whit_head.h": grammar_code.build(uses),
        "app.json": description(name, limits, directory.resources, memory),
    }
    layout = persistent.layout_of([*persistent.seeds(memory.areas), *stored.seeds(directory.resources), *memory.more])
    files |= persistent_c.files(environment, memory.areas, memory.raw_len, layout)
    for wrapper in wrappers:
        template = "endpoint.c.j2" if wrapper.generator.endpoint else "generator.c.j2"
        members = _MEMBERS + (("json_errors",) if wrapper.json_errors else ())
        text = environment.get_template(template).render(wrapper=wrapper, generator=wrapper.generator, members=members)
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


def entries_of(resources: Iterable[Resource], chunk: int, taken: set[str]) -> list[Entry]:
    """The elements of whit_resources. `taken`: identifiers of others, to which these are added."""
    entries: list[Entry] = []
    heads: dict[bytes, str] = {}  # of generated contents
    for resource in resources:
        identifier = _identifier(resource.path, taken)
        for representation in resource.representations:
            identity = representation.coding == Coding.IDENTITY
            second = identity and representation is not resource.representations[0]
            way = "text" if b"text/plain" in representation.head.content else "soap"
            own = identifier if not second else _identifier(f"{identifier}.{way}", taken)
            octets = representation.head.octets + representation.body
            entries.append(
                Entry(
                    identifier=own if identity else _identifier(f"{identifier}.{representation.coding}", taken),
                    resource=resource,
                    representation=representation,
                    url=resource.urls[-1],
                    sum_rows=tuple(sum_rows(prefix_sums(octets, chunk))),
                    variant_cnt=len(resource.representations) - 1 if identity and not resource.generator else 0,
                    owner=identifier if second else "",
                    shared=heads.get(octets, "") if resource.generator else "",
                )
            )
            if resource.generator:
                heads.setdefault(octets, entries[-1].identifier)
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


def _path_values(entries: list[Entry], spelled: Callable[[str], str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for index, entry in enumerate(entries):
        if entry.representation.coding != Coding.IDENTITY or entry.bank != 0 or entry.owner:
            continue
        values |= {spelled(path): str(index) for path in entry.resource.paths}
        for path, _, query in (asked.partition("?") for asked in entry.resource.asked):
            values[f"{spelled(path)}?{query}"] = str(index)
        if (place := entry.resource.tail) is not None:
            values[f"{spelled(entry.resource.path)}/"] = str((place + 1) * TAIL + index)
    return values


def _spaces(entries: Iterable[Entry]) -> list[str]:
    """Namespaces of services that SOAP calls."""
    generators = (entry.resource.generator for entry in entries)
    return sorted({one.endpoint.namespace for one in generators if one and one.endpoint})


def _soap_automata(spaces: Sequence[str], secured: bool) -> list[tuple[str, automaton.Automaton]]:
    """Returns the automata for SOAP if the application has such services: words of messages, and namespaces."""
    if not spaces:
        return []
    return [("words of SOAP", automaton.build(soap.words(spaces, secured=secured)))]


def _places(start: int, automata: Iterable[tuple[str, automaton.Automaton]]) -> list[int]:
    """Returns the start of each automaton, and the end of the last one."""
    return list(accumulate((one.octet_cnt for _, one in automata), initial=start))


def _wrappers(
    entries: Sequence[Entry], start: int, numbers: Mapping[str, int], spaces: Sequence[str]
) -> tuple[list[Wrapper], list[tuple[str, automaton.Automaton]], int]:
    """Returns the generators, their automata with names, and the end of the last automaton."""
    wrappers: list[Wrapper] = []
    automata: list[tuple[str, automaton.Automaton]] = []

    booleans = 0  # the place of their words, which all have
    any_records = any(one.resource.generator and one.resource.generator.has_records for one in entries)
    resources = {entry.url: index for index, entry in reversed(list(enumerate(entries)))}

    def place(what: str, keys: Sequence[str], values: Sequence[int] = range(0xFFFF)) -> int:
        nonlocal start
        if not keys:
            return 0
        built = automaton.build({key: str(value) for key, value in zip(keys, values, strict=False)})
        automata.append((what, built))
        start += built.octet_cnt
        return start - built.octet_cnt

    def words_of(what: str, one: Argument) -> int:
        nonlocal booleans
        if one.type != "bool":
            return place(what, one.words)
        booleans = booleans or place("words of bool", list(BOOL_WORDS), list(BOOL_WORDS.values()))
        return booleans

    for entry in entries:
        if (generator := entry.resource.generator) and not entry.owner:
            url, arguments = f'"{entry.url}"', generator.arguments
            if endpoint := generator.endpoint:
                called = [resources[f"/{path}"] for path in endpoint.operations.values()]
                names = place(f"operations of {url}", list(endpoint.operations), called)
            else:
                names = place(f"arguments of {url}", [argument.name for argument in arguments])
            deep = list(every(arguments))
            enums = {path: words_of(f"words of {path} of {url}", one) for path, one in deep}
            records = {
                f"{path}.": place(f"arguments of {path} of {url}", [inner.name for inner in one.fields])
                for path, one in deep
                if one.fields
            }
            types = place(f"media types for {url}", generator.types)
            texts = _constants(generator, numbers)
            space = spaces.index(named) if (named := _space(generator)) is not None else None
            of_records = (records, any_records)
            wrappers.append(
                Wrapper(entry.identifier, entry.resource, generator, names, enums, types, texts, *of_records, space)
            )
    return wrappers, automata, start


def _space(generator: Generator) -> str | None:
    """The namespace under which SOAP calls it."""
    if generator.endpoint:
        return generator.endpoint.namespace
    service = generator.service
    return service.namespace if service and Way.SOAP in service.ways else None


def _grammar_uses(used: Set[str]) -> grammar.Uses:
    return grammar.Uses(variants="VARIANTS" in used, bodies="BODY" in used, tags="ETAGS" in used)
