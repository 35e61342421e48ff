# SPDX-License-Identifier: MIT
"""WSDL 1.1, document/literal wrapped, as functions."""

from pathlib import Path

from lxml import etree

from whit.compiler.services.wsdl import HTTP, VERSIONS, WSDL, XSD

from .wanted import Described, Function, Outside, Sizes
from .xml_file import line_of, read_xml
from .xsd import QName, Schemas, local, qname

WSDL_2 = "http://www.w3.org/ns/wsdl"
_SOAP = tuple(VERSIONS.values())
_Element = etree._Element


def read(file: Path, sizes: Sizes) -> Described:
    root = read_xml(file)
    if root.tag != f"{{{WSDL}}}definitions":
        what = "WSDL 2.0" if etree.QName(root).namespace == WSDL_2 else f"<{local(root)}>"
        raise Outside(line_of(root), f"{what}: expected <definitions> of WSDL 1.1")
    return _Reader(root, sizes).described()


class _Reader:
    def __init__(self, root: _Element, sizes: Sizes) -> None:
        self.root = root
        self.space = root.get("targetNamespace", "")
        for one in root.iterchildren(f"{{{WSDL}}}import"):
            raise Outside(line_of(one), "<import>: expected one file; put that description in here")
        self.schemas = Schemas(root.iterfind(f"{{{WSDL}}}types/{{{XSD}}}schema"), sizes)

    def described(self) -> Described:
        services = list(self.root.iterchildren(f"{{{WSDL}}}service"))
        if len(services) != 1:
            at = services[1] if services else self.root
            raise Outside(line_of(at), f"{len(services)} of <service>: expected one")
        service = services[0]
        found: dict[str, _Element] = {}
        for binding in self.bindings(service):
            for operation in self.port_type(binding).iterchildren(f"{{{WSDL}}}operation"):
                name = operation.get("name", "")
                if found.setdefault(name, operation) is not operation:
                    message = f"a second operation {name!r}: the first is on line {line_of(found[name])}"
                    raise Outside(line_of(operation), message)
        if not found:
            raise Outside(line_of(service), "a service without operations: expected a port with some")
        return Described(tuple(self.function(service.get("name", ""), operation) for operation in found.values()))

    def bindings(self, service: _Element) -> list[_Element]:
        """Returns the bindings for SOAP; a service may have others."""
        found = []
        for port in service.iterchildren(f"{{{WSDL}}}port"):
            binding = self.named("binding", port, "binding")
            if any(soap is not None for soap in (binding.find(f"{{{uri}}}binding") for uri in _SOAP)):
                self.check_binding(binding)
                found.append(binding)
        if not found:
            raise Outside(line_of(service), "no port for SOAP: expected a binding with soap:binding or soap12:binding")
        return found

    def check_binding(self, binding: _Element) -> None:
        for element in binding.iter(*(f"{{{uri}}}*" for uri in _SOAP)):
            line, kind = line_of(element), local(element)
            if element.get("style", "document") != "document":
                raise Outside(line, f"style is {element.get('style')!r}: expected document, with elements that wrap")
            if element.get("use", "literal") != "literal":
                raise Outside(line, f"use is {element.get('use')!r}: expected literal")
            if kind == "binding" and element.get("transport", HTTP) != HTTP:
                raise Outside(line, f"transport is {element.get('transport')!r}: expected {HTTP}")
            if kind == "header":
                raise Outside(line, "a header of SOAP: expected a body alone; make it an argument")

    def port_type(self, binding: _Element) -> _Element:
        return self.named("portType", binding, "type")

    def named(self, kind: str, at: _Element, attribute: str) -> _Element:
        """Returns the element to which an attribute refers."""
        said = at.get(attribute, "")
        space, name = qname(at, said)
        for element in self.root.iterchildren(f"{{{WSDL}}}{kind}"):
            if element.get("name") == name and space == self.space:
                return element
        raise Outside(line_of(at), f"{attribute} is {said!r}: expected the name of a <{kind}> of this file")

    def function(self, service: str, operation: _Element) -> Function:
        name, line = operation.get("name", ""), line_of(operation)
        asked, given = (operation.find(f"{{{WSDL}}}{word}") for word in ("input", "output"))
        if asked is None or given is None:
            raise Outside(line, f"operation {name!r}: expected an <input> and an <output>")
        request, reply = self.wrapper(asked), self.wrapper(given)
        for wrapper, expected, at in ((request, name, asked), (reply, f"{name}Response", given)):
            if wrapper[1] != expected:
                raise Outside(line_of(at), f"its element is {wrapper[1]!r}: expected {expected!r}, as it is called")
            if wrapper[0] != self.space:
                raise Outside(line_of(at), f"its namespace is {wrapper[0]!r}: expected the target's, {self.space!r}")
        said = operation.find(f"{{{WSDL}}}documentation")
        return Function(
            service=service,
            namespace=self.space,
            name=name,
            path=name,
            ways="soap json",
            line=line,
            arguments=self.schemas.members(self.schemas.element(request, line_of(asked)), is_argument=True),
            result=self.schemas.members(self.schemas.element(reply, line_of(given)), is_argument=False),
            summary="" if said is None else " ".join("".join(map(str, said.itertext())).split()),
        )

    def wrapper(self, message: _Element) -> QName:
        """The element of a message's one part."""
        parts = list(self.named("message", message, "message").iterchildren(f"{{{WSDL}}}part"))
        if len(parts) != 1 or not parts[0].get("element"):
            at = parts[-1] if parts else message
            raise Outside(line_of(at), "a message of document/literal wrapped: expected one <part> with an element")
        return qname(parts[0], parts[0].get("element", ""))
