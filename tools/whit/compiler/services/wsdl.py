# SPDX-License-Identifier: MIT
"""WSDL 1.1 of one service: document/literal wrapped, a port for SOAP 1.1 and one for SOAP 1.2."""

from collections.abc import Iterable

from lxml import etree

from ..model import ENUM, STR, scaled
from .model import BASE64, DATE_TIME, RECORD, Called, Field, Service, Way

WSDL, XSD = "http://schemas.xmlsoap.org/wsdl/", "http://www.w3.org/2001/XMLSchema"
SOAP_11, SOAP_12 = "http://schemas.xmlsoap.org/wsdl/soap/", "http://schemas.xmlsoap.org/wsdl/soap12/"
HTTP = "http://schemas.xmlsoap.org/soap/http"
VERSIONS = {"Soap11": SOAP_11, "Soap12": SOAP_12}
"""Versions of SOAP by the ending of a binding's name."""
XSD_TYPES = {
    "uint8": "unsignedByte", "uint16": "unsignedShort", "uint32": "unsignedInt",
    "int8": "byte", "int16": "short", "int32": "int", "bool": "boolean",
    DATE_TIME: "dateTime", BASE64: "base64Binary", STR: "string", ENUM: "string",
}  # fmt: skip
_Element = etree._Element


def path_of(service: Service) -> str:
    return f"{service.name}.wsdl"


def asked(service: Service) -> tuple[str, ...]:
    """Returns the URLs at which people and toolkits look for it."""
    return (f"{service.name}?wsdl", f"{service.name}?WSDL")


def has_soap(service: Service) -> bool:
    return any(Way.SOAP in called.operation.ways for called in service.operations)


def document(service: Service, address: str) -> bytes:
    """Returns the document. `address` is a URL without a path: http://10.7.0.2"""
    operations = sorted(
        (called for called in service.operations if Way.SOAP in called.operation.ways),
        key=lambda called: called.operation.name,
    )
    space = {None: WSDL, "s": SOAP_11, "s12": SOAP_12, "x": XSD, "t": service.namespace}
    root = etree.Element(_wsdl("definitions"), {"name": service.name, "targetNamespace": service.namespace}, space)  # type: ignore[arg-type]
    schema = _add(_add(root, _wsdl("types")), _xsd("schema"))
    schema.set("targetNamespace", service.namespace)
    schema.set("elementFormDefault", "qualified")
    for called in operations:
        name = called.operation.name
        _wrapper(schema, name, called.arguments, given=False)
        _wrapper(schema, f"{name}Response", called.operation.result, given=True)
    for called in operations:
        for message in (called.operation.name, f"{called.operation.name}Response"):
            part = _add(_add(root, _wsdl("message"), name=message), _wsdl("part"), name="parameters")
            part.set("element", f"t:{message}")
    _port_type(root, service, operations)
    for suffix, soap in VERSIONS.items():
        _binding(root, service, operations, suffix, soap)
    described = _add(root, _wsdl("service"), name=service.name)
    for suffix, soap in VERSIONS.items():
        port = _add(described, _wsdl("port"), name=f"{service.name}{suffix}", binding=f"t:{service.name}{suffix}")
        _add(port, f"{{{soap}}}address", location=f"{address}/{service.name}")
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _port_type(root: _Element, service: Service, operations: Iterable[Called]) -> None:
    ports = _add(root, _wsdl("portType"), name=service.name)
    for called in operations:
        operation = _add(ports, _wsdl("operation"), name=called.operation.name)
        if called.operation.summary:
            _add(operation, _wsdl("documentation")).text = called.operation.summary
        _add(operation, _wsdl("input"), message=f"t:{called.operation.name}")
        _add(operation, _wsdl("output"), message=f"t:{called.operation.name}Response")


def _binding(root: _Element, service: Service, operations: Iterable[Called], suffix: str, soap: str) -> None:
    binding = _add(root, _wsdl("binding"), name=f"{service.name}{suffix}", type=f"t:{service.name}")
    _add(binding, f"{{{soap}}}binding", style="document", transport=HTTP)
    for called in operations:
        operation = _add(binding, _wsdl("operation"), name=called.operation.name)
        action = f"{service.namespace}#{called.operation.name}"
        _add(operation, f"{{{soap}}}operation", soapAction=action)
        for direction in ("input", "output"):
            _add(_add(operation, _wsdl(direction)), f"{{{soap}}}body", use="literal")


def _wrapper(schema: _Element, name: str, fields: Iterable[Field], *, given: bool) -> None:
    """The element of a request, or of a reply (`given`)."""
    _sequence(_add(schema, _xsd("element"), name=name), fields, given)


def _sequence(element: _Element, fields: Iterable[Field], given: bool) -> None:
    sequence = _add(_add(element, _xsd("complexType")), _xsd("sequence"))
    for field in fields:
        _field(sequence, field, given)


def _field(sequence: _Element, field: Field, given: bool) -> None:
    element = _add(sequence, _xsd("element"), name=field.name)
    if field.optional or field.count:
        element.set("minOccurs", "0" if field.optional or field.counted else str(field.count))
    if field.count:
        element.set("maxOccurs", str(field.count))
    if field.type == ENUM and given:
        element.set("nillable", "true")  # a result without a word
    if field.default is not None:
        element.set("default", _default(field, field.default))
    facets = list(_facets(field))
    if field.type == RECORD:
        _sequence(element, field.fields, given)
    elif not facets:
        element.set("type", f"x:{XSD_TYPES[field.type]}")
    else:
        base = "decimal" if field.scale else XSD_TYPES[field.type]
        restriction = _add(_add(element, _xsd("simpleType")), _xsd("restriction"), base=f"x:{base}")
        for facet, value in facets:
            _add(restriction, _xsd(facet), value=value)


def _facets(field: Field) -> Iterable[tuple[str, str]]:
    if field.scale:
        low, high = field.bounds
        yield "fractionDigits", str(field.scale)
        yield "minInclusive", scaled(low, field.scale)
        yield "maxInclusive", scaled(high, field.scale)
    elif field.type == STR:
        yield "maxLength", str(field.size - 1)
    elif field.type == BASE64 and field.size:
        yield "maxLength", str(field.size)
    for word in field.words:
        yield "enumeration", word


def _default(field: Field, default: int) -> str:
    if field.type == ENUM:
        return field.words[default]
    return str(bool(default)).lower() if field.type == "bool" else scaled(default, field.scale)


def _add(parent: _Element, tag: str, **attributes: str) -> _Element:
    return etree.SubElement(parent, tag, attributes)


def _wsdl(tag: str) -> str:
    return f"{{{WSDL}}}{tag}"


def _xsd(tag: str) -> str:
    return f"{{{XSD}}}{tag}"
