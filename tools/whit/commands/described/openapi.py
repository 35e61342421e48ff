# SPDX-License-Identifier: MIT
"""Reads OpenAPI 3 as functions: POST with JSON or a form, and GET."""

import re
from pathlib import Path

from .json_file import Node, read_json
from .schema import Schemas
from .wanted import Described, Function, Sizes, Value

JSON, FORM, TEXT = "application/json", "application/x-www-form-urlencoded", "text/plain"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def read(file: Path, sizes: Sizes) -> Described:
    root = read_json(file)
    if not isinstance(root.value, dict):
        raise root.error('expected one object in the file: { "openapi": "3.1.0", "paths": ... }')
    if "swagger" in root:
        raise root.error("OpenAPI 2, which was called Swagger: expected 3.0 or 3.1; editors and toolkits convert it")
    version = root.text("openapi")
    if not re.match(r"3\.[01]\.", version):
        raise root.error(f"openapi is {version!r}: expected 3.0 or 3.1")
    paths = root.at("paths")
    functions = tuple(_Reader(root, sizes).function(path, item) for path, item in paths.items())
    if not functions:
        raise paths.error("expected at least one path")
    return Described(functions, root.at("info").text("title"))


class _Reader:
    def __init__(self, root: Node, sizes: Sizes) -> None:
        self.schemas = Schemas(root, sizes)
        tags = root.get("tags")
        self.tags = {tag.text("name"): tag.text("description") for tag in tags.elements()} if tags else {}

    def function(self, path: str, item: Node) -> Function:
        asked = {method: node for method, node in item.items() if method in METHODS}
        for method, node in asked.items():
            if method not in ("get", "post"):
                raise node.error(f"a function is called by POST, and asked by GET: expected no {method}")
        if not re.fullmatch(r"(/[A-Za-z0-9_][A-Za-z0-9._~-]*)+", path):
            raise item.error("a path is the name of a file: expected letters, digits, _ . ~ - and arguments in no path")
        if not asked:
            raise item.error("expected post in it, or get")
        if (parameters := item.get("parameters")) is not None:
            raise parameters.error("expected parameters in get")
        post, get = asked.get("post"), asked.get("get")
        at = post or get
        assert at is not None
        arguments = self.body(post) if post else self.query(at)
        if get and any(one.count or one.fields for one in arguments):
            raise get.error("arrays or records among the arguments, which a query has not: expected post alone")
        service, name = self.names(at, path)
        ok = self.answer(at)
        known = self.kinds(post.get("requestBody") if post else None) | self.kinds(ok)
        forms = FORM in known or (TEXT in known and not arguments)
        ways = "json form" if forms and JSON in known else "form" if forms else "json" if post else "get"
        return Function(
            service=service,
            namespace=self.tags.get(service) or f"urn:whit:{service}",
            name=name,
            path=path.removeprefix("/"),
            ways=ways,
            line=at.line,
            arguments=arguments,
            result=self.result(ok),
            summary=" ".join(at.text("summary", at.text("description")).split()),
            persistence="volatile" if get else "persistent",
        )

    def names(self, at: Node, path: str) -> tuple[str, str]:
        """Returns the names of the service and of its operation."""
        tags = at.get("tags")
        words = [one.value for one in tags.elements()] if tags else []
        service = words[0] if words and isinstance(words[0], str) else "device"
        name = at.text("operationId", path.rpartition("/")[2])
        for told in (f"{service}.", ".get"):
            name = name.removeprefix(told) if told.endswith(".") else name.removesuffix(told)
        return service, name

    def body(self, post: Node) -> tuple[Value, ...]:
        if (parameters := post.get("parameters")) is not None and parameters.elements():
            raise parameters.error("arguments of a POST are in its body: expected no parameters")
        body = post.get("requestBody")
        if body is None:
            return ()
        content = body.at("content")
        for kind, node in content.items():
            if kind not in (JSON, FORM):
                raise node.error(f"expected {JSON} or {FORM}")
        known = [node for _, node in content.items()]
        if not known:
            raise content.error(f"expected {JSON} or {FORM} in it")
        return self.schemas.members(known[0].at("schema"), is_argument=True)

    def query(self, get: Node) -> tuple[Value, ...]:
        parameters = get.get("parameters")
        values = []
        for one in parameters.elements() if parameters else ():
            parameter = self.schemas.resolved(one)
            if parameter.text("in") != "query":
                raise parameter.error(f"in is {parameter.text('in')!r}: expected query")
            required = parameter.value.get("required", False) is True
            values.append(self.schemas.value(parameter.text("name"), parameter.at("schema"), required, True, 1))
        return tuple(values)

    def answer(self, at: Node) -> Node:
        """Returns the schema of a successful response."""
        responses = at.at("responses")
        for status, _ in responses.items():
            if status in ("200", "201", "204", "2XX"):
                return self.schemas.resolved(responses.at(status))
        raise responses.error("expected the answer 200 in it")

    def kinds(self, of: Node | None) -> set[str]:
        content = of.get("content") if of else None
        return {kind for kind, _ in content.items()} if content else set()

    def result(self, ok: Node) -> tuple[Value, ...]:
        content = ok.get("content")
        if content is None:
            return ()
        return self.schemas.members(content.at(JSON).at("schema"), is_argument=False)
