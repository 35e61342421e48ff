# SPDX-License-Identifier: MIT
"""Objects for the templates of generated C: an element of whit_resources, a generator, a text of a head."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from . import nested
from .model import Argument, Generator, Representation, Resource
from .services import tables as services
from .services.model import Operation
from .sums import prefix_sums, sum_of
from .texts import c_text
from .typed import every

_ROW = 16
_HEX = [f"0x{octet:02x}" for octet in range(256)]
_SHOWN = bytes(octet if 0x20 <= octet <= 0x7E and octet not in b"\\?" else ord(".") for octet in range(256))


@dataclass(frozen=True)
class Entry:
    """An element of whit_resources, with the identifier that names its tables."""

    identifier: str
    resource: Resource
    representation: Representation
    url: str
    sum_rows: tuple[str, ...]
    variant_cnt: int  # not 0 in an identity only
    bank: int = 0  # of a stored content; its second entry shares the tables of the first
    owner: str = ""  # of a service's further entries: the identifier of the first
    shared: str = ""  # the identifier of an earlier entry with the same octets

    @property
    def tables(self) -> str:
        return self.shared or self.identifier

    @property
    def head_rows(self) -> list[str]:
        return head_rows(self.representation)

    @property
    def body_rows(self) -> Iterator[str]:
        return octet_rows(self.representation.body)

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
class Wrapper:
    """A generator; its wrapper is generator_<identifier>.c; other fields are offsets in whit_targets, 0 for none."""

    identifier: str
    resource: Resource
    generator: Generator
    names: int  # of its arguments
    words: dict[str, int]  # of an enum or a bool, by its name
    types: int  # that doPostIn takes
    texts: tuple[tuple[str, int], ...]  # of calls of answer_status and answer_field: C constants and numbers
    record_names: Mapping[str, int] = field(default_factory=dict)  # of arguments in a record, by its path: points.
    records: bool = False  # arguments of any generator are arrays or records
    space: int | None = None  # index of its namespace, if SOAP calls it
    form_data: bool = False  # forms are multipart/form-data as well
    json_errors: str = ""  # the member of struct whit_generator; "": it is not there

    @property
    def page_file(self) -> str:
        """The C of a page template."""
        return f"page_{self.identifier}.h"

    @property
    def arguments(self) -> Iterator[tuple[Argument, int]]:
        """Each with its place in `fallbacks`, from 1 on; 0: it is 0 when absent."""
        places = self.fallback_places
        for argument in self.generator.arguments:
            yield argument, places.get(argument.name, 0)

    @property
    def fallback_places(self) -> dict[str, int]:
        """Indices of defaults, by the paths of arguments."""
        paths = [path for path, one in every(self.generator.arguments) if one.default]
        return {path: index + 1 for index, path in enumerate(paths)}

    @property
    def args_struct(self) -> list[str]:
        """Fields of struct args_t, including arrays and records."""
        return nested.struct(self.generator.arguments)

    @property
    def argument_tables(self) -> list[str]:
        return nested.tables(self.generator.arguments, self.fallback_places, self.words, self.record_names)

    @property
    def handlers(self) -> Iterator[tuple[str, str]]:
        """Yields the handlers for the request log: enum whit_name without its WHIT_NAME_, and the function's name."""
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
        """Texts of the request log, one for each argument."""
        return [c_text(f"{argument.name}: expected {argument.expected}") for argument in self.generator.arguments]

    @property
    def expected_types(self) -> str:
        """Text of the request log about the body's type."""
        form: tuple[str, ...] = ()
        if self.generator.form and not self.generator.endpoint:
            form = ("application/x-www-form-urlencoded",) + (("multipart/form-data",) if self.form_data else ())
        return c_text(", ".join(form + self.generator.types))

    @property
    def methods(self) -> str:
        """A C expression of enum whit_methods."""
        get = ["WHIT_METHOD_GET"] if self.generator.get else []
        return " | ".join(get + (["WHIT_METHOD_POST"] if self.generator.has_body else []))

    @property
    def result_struct(self) -> list[str]:
        """Fields of a service's struct result_t."""
        return services.result_struct(self.service)

    @property
    def values(self) -> list[str]:
        return services.values(self.service)

    @property
    def pieces(self) -> list[str]:
        return list(services.pieces(self.service, self.generator.arguments))

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
        return [argument for _, argument in every(self.generator.arguments) if argument.default]


@dataclass(frozen=True)
class Text:
    """A line that a handler chooses."""

    octets: bytes
    chunk: int

    @property
    def rows(self) -> Iterator[str]:
        return octet_rows(self.octets)

    @property
    def sum_rows(self) -> Iterator[str]:
        return sum_rows(prefix_sums(self.octets, self.chunk))


def octet_rows(octets: bytes) -> Iterator[str]:
    """16 octets a row, in hexadecimal and, where they print, as characters."""
    for start in range(0, len(octets), _ROW):
        row = octets[start : start + _ROW]
        yield f"{', '.join([_HEX[octet] for octet in row])},".ljust(6 * _ROW) + f'// "{row.translate(_SHOWN).decode()}"'


def head_rows(representation: Representation) -> list[str]:
    """A field line a row or more."""
    return [row for line in representation.head.octets.splitlines(keepends=True) for row in octet_rows(line)]


def sum_rows(sums: list[int]) -> Iterator[str]:
    for start in range(0, len(sums), _ROW):
        yield ", ".join(f"0x{value:04x}" for value in sums[start : start + _ROW]) + ","
