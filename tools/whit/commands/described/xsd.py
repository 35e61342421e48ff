# SPDX-License-Identifier: MIT
"""Types of XML Schema as those of annotations."""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation

from lxml import etree

from whit.compiler.model import ENUM
from whit.compiler.services.model import DATE_TIME, RECORD
from whit.compiler.services.wsdl import XSD

from . import wanted
from .wanted import Outside, Sizes, Value
from .xml_file import line_of

INTEGERS: dict[str, tuple[int | None, int | None]] = {
    **{name: (-(1 << bits - 1), (1 << bits - 1) - 1) for name, bits in (("byte", 8), ("short", 16), ("int", 32))},
    "long": (-(1 << 63), (1 << 63) - 1),
    **{f"unsigned{name}": (0, (1 << bits) - 1) for name, bits in (("Byte", 8), ("Short", 16), ("Int", 32))},
    "unsignedLong": (0, (1 << 64) - 1),
    "integer": (None, None),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
}
TABLE = "boolean, dateTime, string, base64Binary, decimal, byte to int and unsignedByte to unsignedInt"
OF_NUMBERS = ("minInclusive", "maxInclusive", "minExclusive", "maxExclusive", "fractionDigits")
IGNORED = ("whiteSpace", "annotation")
QName = tuple[str, str]
_Element = etree._Element


class Schemas:
    """The global declarations of all schemas of a document."""

    def __init__(self, schemas: Iterable[_Element], sizes: Sizes) -> None:
        self.sizes = sizes
        self.declared: dict[tuple[str, QName], _Element] = {}  # by kind and name
        self.form: dict[_Element, str] = {}  # of local elements, by schema
        for schema in schemas:
            self.form[schema] = schema.get("elementFormDefault", "unqualified")
            for child in children(schema):
                kind = local(child)
                if kind in ("include", "redefine") or (kind == "import" and child.get("schemaLocation")):
                    raise Outside(line_of(child), f"xsd:{kind}: expected one file; put that schema in here")
                self.declared.setdefault((kind, (schema.get("targetNamespace", ""), child.get("name", ""))), child)

    def element(self, name: QName, line: int) -> _Element:
        if (found := self.declared.get(("element", name))) is None:
            raise Outside(line, f"no element {name[1]!r} of {name[0]!r} in this file: expected its xsd:element")
        return found

    def members(self, element: _Element, *, is_argument: bool, name: str = "", depth: int = 1) -> tuple[Value, ...]:
        """Returns the values of an element or of a complexType."""
        kind = self._complex(element)
        found: list[_Element] = []
        for child in children(kind) if kind is not None else ():
            if local(child) not in ("sequence", "all"):
                raise _outside(child, "a record has an xsd:sequence or xsd:all of elements only")
            _once(child)
            found += children(child)
        wanted.check_record(name, line_of(element), len(found), depth, is_argument=is_argument)
        return tuple(self._value(child, is_argument, depth) for child in found)

    def _complex(self, element: _Element) -> _Element | None:
        """Returns the element's complexType; None if it is empty."""
        if named := element.get("type"):
            space, name = qname(element, named)
            if (kind := self.declared.get(("complexType", (space, name)))) is None:
                raise Outside(line_of(element), f"type {named!r} is no xsd:complexType of this file: expected one")
            return kind
        inner = list(children(element))
        if inner and local(inner[0]) != "complexType":
            raise _outside(inner[0], "expected an xsd:complexType")
        return inner[0] if inner else None

    def _value(self, element: _Element, is_argument: bool, depth: int) -> Value:
        if local(element) != "element":
            raise _outside(element, "a record has elements only")
        line, occurs = line_of(element), element
        if reference := element.get("ref"):
            element = self.element(qname(element, reference), line)
        else:
            self._check_form(element)
        for attribute in ("fixed", "abstract", "substitutionGroup"):
            if attribute in element.attrib:
                raise Outside(line_of(element), f"{attribute} is not supported: expected an element without")
        name = element.get("name", "")
        value = self._of_type(element, name, is_argument, depth)
        _check_nil(element, name, value, is_argument)
        return self._occurring(value, occurs, element.get("default", ""), line, is_argument)

    def _check_form(self, element: _Element) -> None:
        schema = next(element.iterancestors(f"{{{XSD}}}schema"))
        if element.get("form", self.form[schema]) != "qualified":
            at = element if element.get("form") else schema
            raise Outside(line_of(at), 'elements without a namespace: expected elementFormDefault="qualified"')

    def _occurring(self, value: Value, at: _Element, default: str, line: int, is_argument: bool) -> Value:
        """Returns the value with its number of occurrences."""
        least, most = number_of(at, "minOccurs"), number_of(at, "maxOccurs")
        if most == 0:
            raise Outside(line, f"{value.name!r} is there 0 times: expected it to be left out")
        said = value.__dict__ | {"line": line}
        if most != 1:
            way_out = 'expected maxOccurs="8"'
            count = wanted.count_of(value.name, line, most, self.sizes, way_out=way_out)
            _check_no_default(value.name, default, line)
            notes = (f"{value.name}: {least} at least",) if least else ()
            return Value(**said | {"count": count, "notes": (*value.notes, *notes)})
        optional = is_argument and least == 0
        if value.type == "bool":
            default = {"true": "1", "false": "0"}.get(default, default)
        return Value(**said | {"optional": optional, "default": default if optional else ""})

    def _of_type(self, element: _Element, name: str, is_argument: bool, depth: int) -> Value:
        said = element.get("type")
        if said is not None and (built_in := _built_in(element, said)):
            return self._built_in(name, line_of(element), built_in, {}, is_argument)
        inner = next((child for child in children(element)), None)
        if said is not None:
            named = qname(element, said)
            simple = self.declared.get(("simpleType", named))
            if simple is not None:
                return self._simple(name, simple, is_argument)
        elif inner is None:
            raise Outside(line_of(element), f"{name!r} has no type: expected one of {TABLE}")
        elif local(inner) == "simpleType":
            return self._simple(name, inner, is_argument)
        fields = self.members(element, is_argument=is_argument, name=name, depth=depth + 1)
        if not fields:
            raise Outside(line_of(element), f"record {name!r} is empty: expected elements in it")
        return Value(name, RECORD, line_of(element), fields=fields)

    def _simple(self, name: str, simple: _Element, is_argument: bool) -> Value:
        """Follows nested restrictions to a type of XML Schema."""
        facets: dict[str, list[_Element]] = {}
        first = line_of(simple)
        for _ in range(8):
            inner = next(children(simple), simple)
            if local(inner) != "restriction":
                raise _outside(inner, "expected an xsd:restriction")
            for facet in children(inner):
                facets.setdefault(local(facet), []).append(facet)
            base = inner.get("base", "")
            if built_in := _built_in(inner, base):
                return self._built_in(name, first, built_in, facets, is_argument)
            found = self.declared.get(("simpleType", qname(inner, base))) if base else next(children(inner), None)
            if found is None:
                raise Outside(line_of(inner), f"no simple type {base!r} in this file: expected its xsd:simpleType")
            simple = found
        raise Outside(first, f"the type of {name!r} is a restriction of more than 8 others: expected fewer")

    def _built_in(self, name: str, line: int, kind: str, facets: dict[str, list[_Element]], is_argument: bool) -> Value:
        notes = _notes(name, facets)
        if kind in INTEGERS or kind == "decimal":
            value = _number(name, line, kind, facets)
        elif kind == "string" and "enumeration" in facets:
            words = tuple(facet.get("value", "") for facet in facets["enumeration"])
            value = wanted.enum(name, line_of(facets["enumeration"][0]), words)
        elif kind == "string":
            value = wanted.text(name, line, _longest(facets), self.sizes, "expected an xsd:maxLength of 1 to 254")
        elif kind == "base64Binary":
            value = wanted.base64(name, line, _longest(facets), is_argument=is_argument)
        elif kind in ("boolean", "dateTime"):
            value = Value(name, "bool" if kind == "boolean" else DATE_TIME, line)
        else:
            way_out = "; an xsd:decimal with bounds has digits behind the point" if kind in ("float", "double") else ""
            raise Outside(line, f"{name!r} is xsd:{kind}: expected one of {TABLE}{way_out}")
        return Value(**value.__dict__ | {"notes": (*value.notes, *notes)})


def _number(name: str, line: int, kind: str, facets: dict[str, list[_Element]]) -> Value:
    if "enumeration" in facets:
        raise _outside(facets["enumeration"][0], "expected words of an xsd:string")
    low, high = (None if one is None else Decimal(one) for one in INTEGERS.get(kind, (None, None)))
    scale = 0
    for facet in (one for word in OF_NUMBERS for one in facets.get(word, ())):
        try:
            bound = Decimal(facet.get("value", ""))
        except InvalidOperation:
            bound = Decimal("NaN")
        is_digits = local(facet) == "fractionDigits"
        if not bound.is_finite() or abs(bound) >= 1 << 64 or (is_digits and not 0 <= bound < 100):
            raise Outside(line_of(facet), f"{facet.get('value', '')!r}: expected a number")
        word = local(facet)
        step = 0 if word.endswith("Inclusive") else 1
        if word == "fractionDigits":
            scale = int(bound)
        elif step and kind == "decimal":
            raise _outside(facet, f"expected {word[:3]}Inclusive")
        elif word.startswith("min"):
            low = max(bound + step, bound + step if low is None else low)
        else:
            high = min(bound - step, bound - step if high is None else high)
    if kind == "decimal" and "fractionDigits" not in facets:
        raise Outside(line, f"{name!r} is a decimal of any precision: expected xsd:fractionDigits, and bounds")
    return wanted.number(name, line, low, high, scale, "expected xsd:minInclusive and xsd:maxInclusive")


def _longest(facets: dict[str, list[_Element]]) -> int | None:
    found = [number_of(facet, "value") for word in ("maxLength", "length") for facet in facets.get(word, ())]
    return min((one for one in found if one is not None), default=None)


def _notes(name: str, facets: dict[str, list[_Element]]) -> tuple[str, ...]:
    """Returns facets that the types of annotations cannot express."""
    known = ("enumeration", "maxLength", *OF_NUMBERS, *IGNORED)
    return tuple(
        f"{name}: {word} {facet.get('value', '')}"
        for word, all_of in facets.items()
        if word not in known
        for facet in all_of
    )


def _check_no_default(name: str, default: str, line: int) -> None:
    if default:
        raise Outside(line, f"{name!r} is an array with the default {default!r}: expected none")


def _check_nil(element: _Element, name: str, value: Value, is_argument: bool) -> None:
    if element.get("nillable", "false") in ("true", "1") and (is_argument or value.type != ENUM):
        raise Outside(line_of(element), f"{name!r} is nillable: expected that of an enumeration in a result only")


def _once(element: _Element) -> None:
    if (number_of(element, "minOccurs"), number_of(element, "maxOccurs")) != (1, 1):
        raise Outside(line_of(element), f"xsd:{local(element)} that is there more or less than once: expected once")


def number_of(element: _Element, attribute: str) -> int | None:
    """Returns the attribute's number; None: unbounded."""
    said = element.get(attribute, "1").strip()
    if said == "unbounded":
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Outside(line_of(element), f"{attribute} is {said!r}: expected a number")
    return int(said)


def _built_in(element: _Element, said: str) -> str:
    space, name = qname(element, said) if said else ("", "")
    return name if space == XSD else ""


def qname(element: _Element, said: str) -> QName:
    prefix, colon, name = said.strip().rpartition(":")
    space = element.nsmap.get(prefix if colon else None)
    if colon and space is None:
        raise Outside(line_of(element), f"{said!r}: no namespace is declared for {prefix!r}")
    return space or "", name


def children(element: _Element) -> Iterator[_Element]:
    """Yields the element's children, without documentation."""
    for child in element.iterchildren("*"):
        if local(child) not in ("annotation", "documentation"):
            yield child


def local(element: _Element) -> str:
    return etree.QName(element).localname


def _outside(element: _Element, way_out: str) -> Outside:
    return Outside(line_of(element), f"xsd:{local(element)} is outside the type table: {way_out}")
