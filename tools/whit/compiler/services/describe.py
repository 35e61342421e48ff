# SPDX-License-Identifier: MIT
"""The services of an application, and the files that describe them: WSDL, OpenAPI, a Thing Description, a page
to try."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..coder import Coder
from ..errors import CompileError
from ..model import Generator, Resource
from ..variants import representations
from . import openapi, thing, wsdl
from .model import BASE64, Called, Operation, Service, Way, field_of

PAGE = Path(__file__).parent / "page.html"
OPENAPI, THING, TRY = "openapi.json", ".well-known/wot", "services.html"


def services_of(directory: Path, resources: Iterable[Resource]) -> tuple[Service, ...]:
    """Returns the services by name, their operations by path."""
    found: dict[str, list[Called]] = {}
    sources: dict[tuple[str, str], str] = {}
    for resource in resources:
        if resource.generator is None or (operation := resource.generator.service) is None:
            continue
        others = found.setdefault(operation.service, [])
        file = directory / resource.source
        if others and others[0].operation.namespace != operation.namespace:
            message = f"namespace of {operation.service} is {operation.namespace!r}"
            raise CompileError(file, operation.line, f"{message}: expected {others[0].operation.namespace!r} as before")
        key = operation.service, operation.name
        if key in sources:
            message = f"a second operation {operation.name!r} of {operation.service}: {sources[key]} is the first"
            raise CompileError(file, operation.line, f"{message}; name it, operation='...'")
        for other in (one.operation for one in others):
            if Way.SOAP in operation.ways and Way.SOAP in other.ways and _is_answer(operation.name, other.name):
                message = f"operations {other.name!r} and {operation.name!r}: one is the answer of the other in SOAP"
                raise CompileError(file, operation.line, f"{message}; expected another name, operation='...'")
        sources[key] = resource.source
        others.append(_called(resource, resource.generator, operation))
    return tuple(Service(name, found[name][0].operation.namespace, tuple(found[name])) for name in sorted(found))


def _is_answer(one: str, other: str) -> bool:
    return f"{one}Response" == other or one == f"{other}Response"


def _called(resource: Resource, generator: Generator, operation: Operation) -> Called:
    arguments = tuple(map(field_of, generator.arguments))
    return Called(operation, resource.urls[0], generator.persistence, arguments, generator.get is not None)


def described(
    title: str, origin: str, services: tuple[Service, ...], resources: tuple[Resource, ...], coder: Coder
) -> tuple[Resource, ...]:
    """Returns all resources by path, with the ones that describe the services. A file of the application has priority.
    `origin` is the URL in front of their paths."""
    taken = {path for resource in resources for path in resource.paths}
    made = {
        wsdl.path_of(service): ("text/xml; charset=utf-8", wsdl.document(service, origin))
        for service in services
        if wsdl.has_soap(service)
    }
    if plain := _without_soap(services):
        made |= {
            OPENAPI: ("application/json", openapi.document(title, plain).encode()),
            THING: ("application/td+json", thing.document(title, plain).encode()),
            "index.html" if "" not in taken else TRY: ("text/html; charset=utf-8", _page(plain)),
        }
    asked = {wsdl.path_of(service): wsdl.asked(service) for service in services}
    added = [
        Resource(
            path,
            path,
            kind,
            None,
            representations(path, kind, content, coder),
            asked=asked.get(path, ()),
            describes=True,
        )
        for path, (kind, content) in made.items()
        if path not in taken
    ]
    return tuple(sorted((*resources, *added), key=lambda resource: resource.path))


def paths(services: tuple[Service, ...], resources: Iterable[Resource]) -> set[str]:
    """Returns the paths that described() makes, without making them."""
    taken = {path for resource in resources for path in resource.paths}
    plain = {OPENAPI, THING, "index.html" if "" not in taken else TRY} if _without_soap(services) else set()
    return plain | {wsdl.path_of(service) for service in services if wsdl.has_soap(service)}


def _page(services: tuple[Service, ...]) -> bytes:
    """Returns the page. Some of its lines end with a mark and are for services with that feature alone."""
    arguments = [one for service in services for called in service.operations for one in called.arguments]
    nested, octets = any(one.count or one.fields for one in arguments), any(one.type == BASE64 for one in arguments)
    has = {"records": nested, "flat": not nested, "octets": octets}
    made = []
    for line in PAGE.read_text().splitlines():
        plain, _, word = line.rpartition(" // ")
        if has.get(word, True):
            made.append(plain if word in has else line)
    return "\n".join([*made, ""]).encode()


def _without_soap(services: tuple[Service, ...]) -> tuple[Service, ...]:
    """Returns the operations with URLs of their own, which are called by JSON or forms."""
    plain = (
        replace(one, operations=tuple(called for called in one.operations if set(called.operation.ways) - {Way.SOAP}))
        for one in services
    )
    return tuple(service for service in plain if service.operations)
