# SPDX-License-Identifier: MIT
"""Signed messages: accepted ones, refused ones, each changed bit, and wrapping (McIntosh, Austel 2005)."""

import copy
import ctypes
import random
import re

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from lxml import etree

from tests.wss.host import FAULTS, NOW, WSSE, WSU, Device
from tests.wss.signing import EXC, SOAP11, SOAP12, by_id, envelope, sign
from tests.wss.wrapping import KINDS, renamed, wrapped

ROOM = 1 << 30


def ask(device: Device, octets: bytes, *, first: int = ROOM, step: int = ROOM) -> str:
    size = ctypes.c_uint32()
    said = device.code.host_signed(octets, len(octets), first, step, ctypes.byref(size))
    return "document" if said == 100 else FAULTS[said]


@pytest.mark.parametrize("soap", [SOAP11, SOAP12])
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("prefix", ["ds", "", "dsig"])
@pytest.mark.parametrize("blanks", ["", "\n  "])
def test_taken_once(soap: str, first: bool, prefix: str, blanks: str) -> None:
    device = Device()
    octets = sign(envelope(soap=soap), first=first, prefix=prefix, blanks=blanks)
    assert ask(device, octets) == ""
    assert ask(device, octets) == "failed"
    device.restart()
    assert ask(device, octets) == "expired"


def test_cut_at_every_octet() -> None:
    octets = sign(envelope())
    for first in range(1, len(octets), 41):
        assert ask(Device(), octets, first=first) == ""
    assert ask(Device(), octets, step=1, first=1) == ""


def unsigned_edit(**said: object) -> bytes:
    return sign(envelope(), **said)  # type: ignore[arg-type]


TRANSFORM = f'<P:Transform Algorithm="{EXC}"/>'
ENVELOPED = '<P:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
LISTED = f'<P:Transform Algorithm="{EXC}"><e:InclusiveNamespaces xmlns:e="{EXC}" PrefixList="PREFIX"/></P:Transform>'
TAKEN = [
    ("enveloped", {"transforms": ENVELOPED + TRANSFORM}),
    ("a list that changes nothing", {"transforms": LISTED.replace("PREFIX", "nobody"), "first": True}),
    ("a list of SignedInfo", {"info_prefixes": "ds"}),
    ("key info", {"more": "<P:KeyInfo><a><b/></a></P:KeyInfo>"}),
]


@pytest.mark.parametrize("said", [one[1] for one in TAKEN], ids=[one[0] for one in TAKEN])
def test_taken(said: dict[str, object]) -> None:
    assert ask(Device(), unsigned_edit(**said)) == ""


INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
SHA1 = "http://www.w3.org/2000/09/xmldsig#sha1"
REFUSED = [
    ("body alone", {"ids": ["B-1"]}, "check"),
    ("timestamp alone", {"ids": ["TS-1"]}, "check"),
    ("another's key", {"signer": ec.derive_private_key(7, ec.SECP256R1())}, "check"),
    ("a wrong digest", {"digests": {"B-1": bytes(32)}}, "check"),
    ("twice", {"ids": ["TS-1", "B-1", "B-1"]}, "invalid"),
    ("no transform", {"transforms": ""}, "invalid"),
    ("inclusive form of parts", {"transforms": f'<P:Transform Algorithm="{INCLUSIVE}"/>'}, "algorithm"),
    ("two transforms", {"transforms": TRANSFORM + TRANSFORM}, "invalid"),
    (
        "an XPath",
        {"transforms": '<P:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/>'},
        "algorithm",
    ),
    (
        "inclusive form",
        {"methods": (INCLUSIVE, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", "")},
        "algorithm",
    ),
    ("SHA-1", {"methods": (EXC, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", SHA1)}, "algorithm"),
    ("an object", {"more": "<P:Object><x/></P:Object>"}, "invalid"),
    ("a list that comes too late", {"transforms": LISTED.replace("PREFIX", "nobody")}, "invalid"),
]


@pytest.mark.parametrize(("said", "fault"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_refused(said: dict[str, object], fault: str) -> None:
    assert ask(Device(), unsigned_edit(**said)) == fault


@pytest.mark.parametrize(("created", "fault"), [(NOW - 301, "expired"), (NOW + 61, "expired"), (NOW - 61, "expired")])
def test_times(created: int, fault: str) -> None:
    assert ask(Device(), sign(envelope(created=created))) == fault


def test_every_bit_of_what_is_signed() -> None:
    octets = sign(envelope())
    device, rng = Device(), random.Random(1)
    spans = [
        re.search(pattern, octets, re.DOTALL)
        for pattern in (b"<wsu:Timestamp.*</wsu:Timestamp>", b"<s:Body.*</s:Body>")
    ]
    spans += [re.search(b"<ds:SignedInfo>.*</ds:SignatureValue>", octets, re.DOTALL)]
    for span in spans:
        assert span is not None
        for place in range(span.start(), span.end()):
            wrong = bytearray(octets)
            wrong[place] ^= 1 << rng.randrange(8)
            assert ask(device, bytes(wrong)) != "", (place, octets[place : place + 1], wrong[place : place + 1])
    assert ask(device, octets) == ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["B-1", "B-2", None])
def test_wrapping(kind: int, name: str | None) -> None:
    """The forged Body has the Id of the one that is signed, another, or none."""
    root = wrapped(sign(envelope()), kind, "f")
    renamed(root, "f", name)
    assert ask(Device(), etree.tostring(root)) in ("check", "invalid")


def test_wrapping_of_the_timestamp() -> None:
    """An old message gets a new time, the old one goes elsewhere."""
    for to in (0, 1):
        root = etree.fromstring(sign(envelope(created=NOW - 1000)))
        security = root[0][0]
        old = security[0]
        new = copy.deepcopy(by_id(envelope(), "TS-1"))
        new.set(f"{{{WSU}}}Id", "TS-2")
        security.replace(old, new)
        etree.SubElement(root[0] if to else security, "wrapper").append(old)
        assert ask(Device(), etree.tostring(root)) == "check"


def test_without_a_signature() -> None:
    assert ask(Device(), etree.tostring(envelope())) == "invalid"
    assert ask(Device(), f'<s:Envelope xmlns:s="{SOAP11}"><s:Body/></s:Envelope>'.encode()) == "invalid"
    moved = sign(envelope()).replace(f'xmlns:wsse="{WSSE}"'.encode(), b'xmlns:wsse="urn:a"')
    assert ask(Device(), moved) == "invalid"


def test_many_of_what_waits() -> None:
    """Each SignedInfo and its method would wait for a PrefixList: nothing is kept of more than one."""
    octets = sign(envelope())
    info = re.search(rb"<ds:SignedInfo>", octets)
    assert info is not None
    method = b'<ds:CanonicalizationMethod Algorithm="%s">' % EXC.encode()
    for name, more in ((b"SignedInfo", b""), (b"CanonicalizationMethod", method[26:-1])):
        tag = b"<ds:%s%s></ds:%s>" % (name, more, name)
        for place in (info.start(), info.end()):
            for count in (1, 2, 60):
                assert ask(Device(), octets[:place] + tag * count + octets[place:]) == "invalid"


def test_random_damage(seed: int) -> None:
    """A damaged message is refused, and no memory is read or written out of bounds."""
    rng, octets, device = random.Random(seed), sign(envelope(), info_prefixes="ds"), Device()
    for _ in range(3000):
        wrong = bytearray(octets)
        for _ in range(rng.choice((1, 1, 2, 4))):
            place, other = rng.randrange(len(wrong)), rng.randrange(len(wrong))
            length = rng.randrange(1, 60)
            match rng.randrange(4):
                case 0:
                    wrong[place] = rng.choice(b"<>/\"'&;:= aB#1\n")
                case 1:
                    del wrong[place : place + length]
                case 2:
                    wrong[place:place] = wrong[other : other + length]
                case 3:
                    wrong[place : place + length] = wrong[other : other + length]
        if bytes(wrong) == octets:
            continue
        said = ask(device, bytes(wrong), step=rng.choice((1, 50, ROOM)))
        assert said != "" or is_same(bytes(wrong), octets), bytes(wrong)


def is_same(one: bytes, other: bytes) -> bool:
    """Body and Timestamp are the same, in canonical form."""
    roots = etree.fromstring(one), etree.fromstring(other)
    forms = [
        [etree.tostring(by_id(root, name), method="c14n", exclusive=True) for name in ("TS-1", "B-1")] for root in roots
    ]
    return forms[0] == forms[1]
