# SPDX-License-Identifier: MIT
"""Requirements of the SOAP Version 1.2 Test Collection (W3C, second edition) for an ultimate receiver, tested with our
own messages. They cover roles, mandatory headers, versions, and the content of an Envelope."""

import pytest
from lxml import etree

from tests.bodies.support import ask, posted
from tests.harness import engine_of
from tests.services.described import with_soap
from tests.services.soap import SOAP_11, SOAP_12, TYPES, calling, fault, result, sent
from whit.wire.http import request
from whit_testbed.engine import Engine

ROLE = f"{SOAP_12}/role"
ECHO = calling("every", "<text>hello</text>")
DATA = "http://example.org/data"


device = engine_of(with_soap, scope="module")


def block(attributes: str = "", inner: str = "one") -> str:
    return f'<t:note xmlns:t="{DATA}" {attributes}>{inner}</t:note>'


def message(header: str = "", body: str = ECHO, *, prologue: str = "", behind: str = "", on: str = "") -> bytes:
    header = f"<e:Header>{header}</e:Header>" if header else ""
    return (
        f'{prologue}<e:Envelope xmlns:e="{SOAP_12}"{on}>{header}<e:Body>{body}</e:Body>{behind}</e:Envelope>'.encode()
    )


def styled(part: str) -> bytes:
    """SOAP 1.2 part 1, section 5.1.1."""
    octets = message(block()).decode()
    return octets.replace(f"<e:{part}", f'<e:{part} e:encodingStyle="http://example.org/encoding"', 1).encode()


def role(name: str, must: str = "") -> str:
    must = f' e:mustUnderstand="{must}"' if must else ""
    return block(f'e:role="{name}"{must}')


TAKEN = {
    "a header that is unknown": message(block()),
    "two of them": message(block() + block("", "<t:inner/>")),
    "for the next node": message(role(f"{ROLE}/next")),
    "for the last node": message(role(f"{ROLE}/ultimateReceiver")),
    "for the last node, which may forget it": message(role(f"{ROLE}/ultimateReceiver", "false")),
    "for nobody": message(role(f"{ROLE}/none")),
    "for nobody, though it must be understood": message(role(f"{ROLE}/none", "true")),
    "for another": message(role("http://example.org/role")),
    "for another, who must understand it": message(role("http://example.org/role", "1")),
    "need not be understood": message(block('e:mustUnderstand="0"') + block('e:mustUnderstand="false"')),
    "relayed or not": message(block('e:relay="true"') + block('e:relay="0"')),
    "another namespace's attribute of that name": message(block(f'x:mustUnderstand="1" xmlns:x="{SOAP_11}"')),
    "the name without a namespace": message(block('mustUnderstand="1"')),
    "blanks and comments wherever they may be": message(
        " <!-- a --> " + block(), f"\n {ECHO} <!-- b -->\n", prologue='<?xml version="1.0"?>\n<!-- c -->\n', behind="\n"
    ),
    "CDATA and references": message("", calling("every", "<text><![CDATA[hel]]>&#x6C;&#111;</text>")),
    "attributes of namespaces on the Envelope": message("", on=f' xmlns:t="{DATA}" t:any="1"'),
    "an empty Header": message(" "),
    "an encoding of a header and of the operation": message(
        block(f'e:encodingStyle="{DATA}"'), ECHO.replace("<every", f'<every e:encodingStyle="{DATA}"')
    ),
    "another namespace's encoding": message(on=f' encodingStyle="{DATA}"'),
}
MUST = "MustUnderstand"
REFUSED = {
    "must be understood": (message(block('e:mustUnderstand="1"')), MUST),
    "must, by the other word": (message(block('e:mustUnderstand="true"')), MUST),
    "must, by the next node": (message(role(f"{ROLE}/next", "1")), MUST),
    "must, by the last node": (message(role(f"{ROLE}/ultimateReceiver", "true")), MUST),
    "the second one must": (message(block() + block('e:mustUnderstand="1"')), MUST),
    "it must, and the operation is unknown": (
        message(block('e:mustUnderstand="1"'), calling("unknown", "")),
        MUST,
    ),
    **{f"must, by {value!r}": (message(block(f'e:mustUnderstand="{value}"')), MUST) for value in ("9", "", "TRUE")},
    **{f"an encoding of the {part}": (styled(part), "Sender") for part in ("Envelope", "Header", "Body")},
    "no such operation": (message("", calling("unknown", "")), "Sender"),
    "an operation of another namespace": (message("", '<every xmlns="http://example.org/other"/>'), "Sender"),
    "a DOCTYPE": (message(prologue='<!DOCTYPE Envelope SYSTEM "env.dtd">'), "Sender"),
    "a DOCTYPE with a subset": (message(prologue="<!DOCTYPE Envelope [<!ENTITY a 'b'>]>"), "Sender"),
    "a processing instruction before": (message(prologue="<?go on?>"), "Sender"),
    "a processing instruction in the Header": (message(block() + "<?go?>"), "Sender"),
    "a processing instruction in the Body": (message("", "<?go?>" + ECHO), "Sender"),
    "an element behind the Body": (message(behind=block()), "Sender"),
    "a Header behind the Body": (message(behind="<e:Header/>"), "Sender"),
    "two Bodies": (message(behind=f"<e:Body>{ECHO}</e:Body>"), "Sender"),
    "two Headers": (message(block() + "</e:Header><e:Header>"), "Sender"),
    "no Body": (f'<e:Envelope xmlns:e="{SOAP_12}"/>'.encode(), "Sender"),
    "an empty Body": (message("", ""), "Sender"),
    "text in the Envelope": (message(behind="text"), "Sender"),
    "text in the Body": (message("", "text"), "Sender"),
    "another root": (message().replace(b":Envelope", b":Letter"), "Sender"),
    "an argument twice": (message("", calling("every", "<text/><text/>")), "Sender"),
    "an argument that nobody has": (message("", calling("every", "<nothing/>")), "Sender"),
    "of no version": (message().replace(SOAP_12.encode(), b"http://example.org/envelope"), "VersionMismatch"),
    "of a version that was a draft": (
        message().replace(SOAP_12.encode(), b"http://www.w3.org/2001/12/soap-envelope"),
        "VersionMismatch",
    ),
}


@pytest.mark.parametrize("octets", TAKEN.values(), ids=TAKEN.keys())
def test_taken(device: Engine, octets: bytes) -> None:
    assert result(sent(device, octets, SOAP_12), SOAP_12).findtext("{urn:whit:device}text") == "hello"


@pytest.mark.parametrize(("octets", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(device: Engine, octets: bytes, code: str) -> None:
    """A message of no version is answered in that of its media type, or in 1.1."""
    answer = sent(device, octets, SOAP_12)
    version = SOAP_12 if SOAP_12.encode() in answer.body else SOAP_11
    said = fault(answer, version, body_is_why=code != "VersionMismatch")
    assert said.code == code or (version == SOAP_11 and (said.code, code) == ("Client", "Sender")), said
    assert code == "VersionMismatch" or version == SOAP_12 or b":Letter" in octets


def test_a_fault_is_what_the_schema_says(device: Engine) -> None:
    """A fault has its Code before its Reason, both qualified, a Text with a language, and no sibling in the Body."""
    answer = sent(device, message("", calling("unknown", "")), SOAP_12)
    body = etree.fromstring(answer.body).find(f"{{{SOAP_12}}}Body")
    assert body is not None and [etree.QName(one).localname for one in body] == ["Fault"]
    assert [one.tag for one in body[0]] == [f"{{{SOAP_12}}}{name}" for name in ("Code", "Reason")]
    assert [one.tag for one in body[0][0]] == [f"{{{SOAP_12}}}Value"]


def test_by_http(device: Engine) -> None:
    """Status and media type of the binding (part 2, section 7.5); `action` is advice."""
    for parameters in ("", "; charset=utf-8", '; action="http://example.org/action"', ";charset=UTF-8;action=urn:a"):
        octets = posted("/device", message(), f"Content-Type: {TYPES[SOAP_12]}{parameters}")
        answer = ask(device, octets)
        assert answer.status == 200 and dict(answer.fields)["content-type"].startswith(TYPES[SOAP_12])
    assert ask(device, posted("/device", message(), "Content-Type: text/plain")).status == 415
    assert ask(device, request("/device")).status == 405
