# SPDX-License-Identifier: MIT
"""Messages of SOAP to tests/apps/services, written by hand and by zeep."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zeep
from lxml import etree

from tests.bodies.support import ask, posted
from whit.wire.http import Response
from whit_testbed.engine import Engine

SOAP_11, SOAP_12 = "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"
TYPES = {SOAP_11: "text/xml", SOAP_12: "application/soap+xml"}
SPACE = "urn:whit:device"
XSI = "http://www.w3.org/2001/XMLSchema-instance"


def envelope(inner: str, version: str = SOAP_11, header: str = "") -> bytes:
    return f'<s:Envelope xmlns:s="{version}">{header}<s:Body>{inner}</s:Body></s:Envelope>'.encode()


def calling(operation: str, arguments: str, space: str = SPACE) -> str:
    return f'<{operation} xmlns="{space}">{arguments}</{operation}>'


def sent(engine: Engine, message: bytes, version: str = SOAP_11, path: str = "/device") -> Response:
    return ask(engine, posted(path, message, f"Content-Type: {TYPES[version]}; charset=utf-8"))


def result(response: Response, version: str = SOAP_11) -> etree._Element:
    """Returns the element in the Body of a successful answer."""
    body = _body(response, version, 200)
    assert len(body) == 1
    return body[0]


def texts(response: Response) -> dict[str, str]:
    return {etree.QName(one).localname: one.text or "" for one in result(response)}


@dataclass(frozen=True)
class Fault:
    code: str
    reason: str
    detail: bool = field(default=False, compare=False)


def fault(response: Response, version: str = SOAP_11, *, body_is_why: bool | None = True) -> Fault:
    """body_is_why: SOAP 1.1 has <detail> where the Body could not be processed, and nowhere else (section 4.4). None:
    the caller looks."""
    body = _body(response, version, 500)
    assert [one.tag for one in body] == [f"{{{version}}}Fault"]
    if version == SOAP_11:
        code, reason = body[0].find("faultcode"), body[0].find("faultstring")
    else:
        code, reason = body[0].find("{*}Code/{*}Value"), body[0].find("{*}Reason/{*}Text")
        assert reason is not None and reason.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    details = [one.tag for one in body[0].iter("detail", "{*}detail", "{*}Detail")]
    assert body_is_why is None or details == (["detail"] if body_is_why and version == SOAP_11 else [])
    assert code is not None and code.text and reason is not None and reason.text
    prefix, _, local = code.text.partition(":")
    assert code.nsmap[prefix] == version
    return Fault(local, reason.text, details == ["detail"])


def _body(response: Response, version: str, status: int) -> etree._Element:
    assert response.status == status, response
    assert dict(response.fields)["content-type"] == f"{TYPES[version]}; charset=utf-8"
    root = etree.fromstring(response.body)
    assert root.tag == f"{{{version}}}Envelope"
    body = root.find(f"{{{version}}}Body")
    assert body is not None
    return body


@dataclass
class Answer:
    """The part of a response that zeep reads from its transport."""

    status_code: int
    content: bytes
    headers: dict[str, str]
    encoding: str = "utf-8"


class IntoTheEngine(zeep.transports.Transport):
    """Posts to the engine of this process."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine

    def post(self, address: str, message: bytes, headers: dict[str, str]) -> Answer:
        fields = [f"{name}: {value}" for name, value in headers.items()]
        response = ask(self.engine, posted(f"/{address.rpartition('/')[2]}", message, *fields))
        return Answer(response.status, response.body, {name.title(): value for name, value in response.fields})


def client(engine: Engine, wsdl: Path, port: str, service: str = "device") -> Any:
    return zeep.Client(str(wsdl), transport=IntoTheEngine(engine)).bind(service, port)
