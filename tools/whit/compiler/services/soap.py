# SPDX-License-Identifier: MIT
"""The URL at which SOAP calls the functions of a service, /NAME, and the words of all messages."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import CompileError
from ..heads import generated_head
from ..kinds import Coding, Persistence
from ..model import SOAP_TYPES, STR, Endpoint, Generator, Representation, Resource
from . import read
from .model import BASE64, DATE_TIME, RECORD, Called, Field, Security, Service, Way

FUNCTION = "whit_call"
NAMESPACE = 32  # WHIT_SOAP_URI_SERVICE of engine/core/tables.h: of the first service
URIS = {
    "http://www.w3.org/XML/1998/namespace": "WHIT_SOAP_URI_XML",
    "http://schemas.xmlsoap.org/soap/envelope/": "WHIT_SOAP_URI_11",
    "http://www.w3.org/2003/05/soap-envelope": "WHIT_SOAP_URI_12",
    "http://www.w3.org/2001/XMLSchema-instance": "WHIT_SOAP_URI_XSI",
}
SIGNED_REPLY = 2700  # octets of a reply that is signed, around its result: engine/response/service_signed.c
NUMBER, NIL = 12, 80  # octets of a number, and of an element that is nil, at most
# Octets of a Security header that are buffered: engine/core/tables.h.
SECURITY_KEPT = {Security.DIGEST: 160, Security.SIGNED: 952}
RSA_KEPT, RSA_REPLY = 312, 256  # ... and more with RSA; octets of a reply more
_WSS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
SECURITY_URIS = {f"{_WSS}secext-1.0.xsd": "WHIT_SOAP_URI_WSSE", f"{_WSS}utility-1.0.xsd": "WHIT_SOAP_URI_WSU"}
SECURITY_WORDS = {
    "Security": "SECURITY",
    "UsernameToken": "TOKEN",
    "Timestamp": "TIMESTAMP",
    "Username": "USERNAME",
    "Password": "PASSWORD",
    "Nonce": "NONCE",
    "Created": "CREATED",
    "Expires": "EXPIRES",
    "Type": "TYPE",
    "EncodingType": "ENCODING",
    "PasswordDigest": "DIGEST",
    "Base64Binary": "BASE64",
}  # the last two behind a "#"
# Names of elements and attributes, and values of these: enum whit_soap_word.
WORDS = {
    "Envelope": "ENVELOPE",
    "Header": "HEADER",
    "Body": "BODY",
    "mustUnderstand": "MUST",
    "actor": "ROLE",
    "role": "ROLE",
    "nil": "NIL",
    "encodingStyle": "STYLE",
    "true": "TRUE",
    "1": "TRUE",
    "false": "FALSE",
    "0": "FALSE",
    "http://schemas.xmlsoap.org/soap/actor/next": "OURS",
    "http://www.w3.org/2003/05/soap-envelope/role/next": "OURS",
    "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver": "OURS",
}


def words(spaces: Sequence[str], *, secured: bool) -> dict[str, str]:
    """All that are recognised in a message, by the names that engine/core/tables.h has for them."""
    names = WORDS | (SECURITY_WORDS if secured else {})
    uris = URIS | (SECURITY_URIS if secured else {})
    own = {space: f"WHIT_SOAP_URI_SERVICE + {index}" for index, space in enumerate(spaces)}
    return {word: f"WHIT_SOAP_WORD_{name}" for word, name in names.items()} | uris | own


def representations() -> tuple[Representation, ...]:
    """Returns a representation for each version of SOAP."""
    heads = (generated_head(f"{kind}; charset=utf-8") for kind in SOAP_TYPES)
    return tuple(Representation(Coding.IDENTITY, head, b"", 0) for head in heads)


def with_endpoints(
    app_dir: Path,
    services: Iterable[Service],
    resources: tuple[Resource, ...],
    *,
    signs: bool = False,
    rsa: bool = False,
) -> tuple[Resource, ...]:
    """All resources by path, and the endpoints of these services. `signs`: replies to signed messages are; `rsa`: a
    caller signs by it."""
    by_path = {path: resource for resource in resources for path in resource.paths}
    made = []
    services = list(services)
    secured = {one.operation.security for service in services for one in service.operations}
    kept = sum(SECURITY_KEPT.get(one, 0) for one in secured)
    rsa = rsa and Security.SIGNED in secured
    kept += RSA_KEPT if rsa else 0
    for service in services:
        called = [one for one in service.operations if Way.SOAP in one.operation.ways]
        if called:
            _check(app_dir, service, by_path, called[0])
            endpoint = _endpoint(service, called, by_path, kept + 8 * bool(kept))
            file = app_dir / by_path[called[0].path[1:]].source
            made.append(_with_reply(file, endpoint, called, RSA_REPLY if rsa else 0) if signs else endpoint)
    return tuple(sorted((*resources, *made), key=lambda resource: resource.path))


def _with_reply(file: Path, resource: Resource, called: list[Called], more: int) -> Resource:
    signed = [one.operation for one in called if one.operation.security == Security.SIGNED]
    if not signed or resource.generator is None or resource.generator.endpoint is None:
        return resource
    if (operation := next((one for one in signed if one.gives), None)) is not None:
        message = f"{operation.name} gives bytes by pieces, and its replies are signed: expected base64 with a size,"
        raise CompileError(file, operation.line, f"{message} security none or digest, or no [services] sign")
    longest = SIGNED_REPLY + more + max(2 * len(one.name) + len(one.namespace) + xml_len(one.result) for one in signed)
    endpoint = replace(resource.generator.endpoint, reply_len=longest)
    return replace(resource, generator=replace(resource.generator, endpoint=endpoint))


def xml_len(fields: Iterable[Field]) -> int:
    """Octets of a result, at most, if no character of a text needs more than one."""
    return sum(max(1, one.count) * (2 * len(one.name) + 5 + _value_len(one)) for one in fields)


def _value_len(field: Field) -> int:
    if field.type == RECORD:
        return xml_len(field.fields)
    longest = {STR: field.size, BASE64: 4 * -(-field.size // 3), DATE_TIME: 20}
    return longest.get(field.type, max(NUMBER, NIL if field.words else 0, *map(len, field.words)))


def _check(app_dir: Path, service: Service, by_path: dict[str, Resource], first: Called) -> None:
    other = by_path.get(service.name)
    taken = "which is reserved" if service.name == "whit" else f"where {other.source} is served" if other else ""
    if taken:
        source = by_path[first.path[1:]].source
        message = f"SOAP calls the functions of {service.name} at /{service.name}, {taken}"
        raise CompileError(app_dir / source, first.operation.line, f"{message}: expected another name in <service>")


def _endpoint(service: Service, called: list[Called], by_path: dict[str, Resource], kept: int) -> Resource:
    operations = {one.operation.name: by_path[one.path[1:]].path for one in called}
    sizes = [generator.args_len for path in operations.values() if (generator := by_path[path].generator)]
    generator = Generator(
        line=0,
        get=None,
        init=None,
        persistence=Persistence.PERSISTENT,
        content_type=f"{SOAP_TYPES[0]}; charset=utf-8",
        arguments=(),
        form=FUNCTION,
        answers=read.ANSWERS,
        endpoint=Endpoint(service.name, service.namespace, operations, max(8, *sizes), kept),
    )
    resource = Resource(service.name, f"SOAP of {service.name}", generator.content_type, generator, ())
    return replace(resource, representations=representations())
