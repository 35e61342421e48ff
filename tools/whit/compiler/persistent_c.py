# SPDX-License-Identifier: MIT
"""whit_persistent.h and whit_persistent.c: each named area as a struct, and the functions that load and save it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import jinja2

from .model import ENUM, INTEGER_SIZES, STR, Area, Field

HEADER, SOURCE = "whit_persistent.h", "whit_persistent.c"


@dataclass(frozen=True)
class _Shown:
    """An area for the templates."""

    area: Area

    def __getattr__(self, name: str) -> object:
        return getattr(self.area, name)

    @property
    def index_type(self) -> str:
        return "uint8_t" if self.area.record_cnt <= 255 else "uint16_t"

    @property
    def ranges(self) -> list[tuple[int, str]]:
        """Conditions under which a field is out of its range, and how many elements it has; 0: it is no array."""
        return [(one.count, text) for one in self.area.fields if one.is_bounded and (text := _out_of_range(one))]

    @property
    def texts(self) -> list[tuple[str, int]]:
        return [(one.name, one.size) for one in self.area.fields if one.type == STR]

    @property
    def defaults(self) -> list[str]:
        """Statements after all octets were cleared."""
        return [statement for one in self.area.fields for statement in _defaults(one)]


def files(environment: jinja2.Environment, areas: Sequence[Area], raw_len: int, layout: int) -> dict[str, str]:
    """Returns the generated files by name; the header exists without areas, too."""
    shown = [_Shown(area) for area in areas]
    texts = {HEADER: environment.get_template("persistent.h.j2").render(areas=shown, raw_len=raw_len, layout=layout)}
    if areas:
        texts[SOURCE] = environment.get_template("persistent.c.j2").render(areas=shown)
    return texts


def _out_of_range(field: Field) -> str:
    if field.type == "bool":
        return f"*(const uint8_t *)&record->{field.name} > 1"
    value = f"record->{field.name}{'[i]' if field.count else ''}"
    unsigned = field.type == ENUM or field.type.startswith("u")
    bits = 8 * field.size
    least, most = (0, (1 << bits) - 1) if unsigned else (-1 << bits - 1, (1 << bits - 1) - 1)
    terms = [f"{value} < {_constant(field, field.low)}"] if field.low != least else []
    terms += [f"{value} > {_constant(field, field.high)}"] if field.high != most else []
    return " || ".join(terms)


def _constant(field: Field, value: int) -> str:
    if value == -1 << 31:
        return "(-2147483647 - 1)"
    return f"{value}u" if field.type.startswith("u") and INTEGER_SIZES[field.type] > 1 else str(value)


def _defaults(field: Field) -> Iterator[str]:
    if field.type == STR:
        octets = field.text.encode()
        if octets:
            text = ", ".join(map(str, octets))
            yield f"static const uint8_t text_{field.name}[] WHIT_FLASH = {{{text}}};    // {field.text!r}"
            yield f"whit_flash_copy(record->{field.name}, text_{field.name}, {len(octets)});"
    elif field.default and field.count:
        yield f"for (uint16_t i = 0; i < {field.count}; i++)"
        yield f"    record->{field.name}[i] = {_constant(field, field.default)};"
    elif field.default:
        yield f"record->{field.name} = {_constant(field, field.default)};"
