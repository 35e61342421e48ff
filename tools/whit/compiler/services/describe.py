# SPDX-License-Identifier: MIT
"""The services of an application, and the files that describe them: OpenAPI, a Thing Description, a page to try."""

from collections.abc import Iterable
from pathlib import Path

from ..coder import Coder
from ..errors import CompileError
from ..model import Generator, Resource
from ..variants import representations
from . import openapi, thing
from .model import Called, Operation, Service, field_of

PAGE = Path(__file__).parent / "page.html"
OPENAPI, THING, TRY = "openapi.json", ".well-known/wot", "services.html"


def services_of(directory: Path, resources: Iterable[Resource]) -> tuple[Service, ...]:
    """By name, their operations by path."""
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
        sources[key] = resource.source
        others.append(_called(resource, resource.generator, operation))
    return tuple(Service(name, found[name][0].operation.namespace, tuple(found[name])) for name in sorted(found))


def _called(resource: Resource, generator: Generator, operation: Operation) -> Called:
    arguments = tuple(map(field_of, generator.arguments))
    return Called(operation, resource.urls[0], generator.persistence, arguments, generator.get is not None)


def described(
    title: str, services: tuple[Service, ...], resources: tuple[Resource, ...], coder: Coder
) -> tuple[Resource, ...]:
    """All resources by path, and those that describe the services. A file of the application stays what it is."""
    taken = {path for resource in resources for path in resource.paths}
    made = {
        OPENAPI: ("application/json", openapi.document(title, services).encode()),
        THING: ("application/td+json", thing.document(title, services).encode()),
        "index.html" if "" not in taken else TRY: ("text/html; charset=utf-8", PAGE.read_bytes()),
    }
    added = [
        Resource(path, path, kind, None, representations(path, kind, content, coder))
        for path, (kind, content) in made.items()
        if path not in taken
    ]
    return tuple(sorted((*resources, *added), key=lambda resource: resource.path))
