# SPDX-License-Identifier: MIT
"""Compares exclusive canonicalization with published vectors: CPython's of Canonical XML 2.0, whose default form is the
exclusive one, merlin's example, and Santuario's documents."""

import base64
import hashlib
import re

import pytest
from lxml import etree

from tests.crypto.built import had
from tests.wss.host import Device
from tests.wss.signing import DS, EXC
from tests.wss.test_canonical import digest_of, lxml_digest, lxml_form

# Messages have no DTD: lines that a DTD changes are removed from both forms.
CHANGED_BY_DTD = {"inC14N3": rb"<e9[^>]*>", "inC14N4": rb"\n *<norm(Names|Id) [^\n]*"}
OUTSIDE = re.compile(rb"<\?.*?\?>|<!DOCTYPE[^[>]*(\[.*?\]\s*)?>|<!--.*?-->", re.DOTALL)
VECTORS = ["C14N1", "C14N2", "C14N3", "C14N4"]
VECTORS += [f"Ns{name}" for name in ("Content", "Default", "Pushdown", "Redecl", "Sort", "Superfluous", "Xml")]


@pytest.mark.parametrize("name", VECTORS)
def test_default_forms(device: Device, name: str) -> None:
    """The root's form agrees, without the parts outside of it."""
    there = had("c14n")
    octets, form = ((there / file).read_bytes() for file in (f"in{name}.xml", f"out_in{name}_c14nDefault.xml"))
    octets, form = OUTSIDE.sub(b"", octets).strip(), OUTSIDE.sub(b"", form).strip()
    if changed := CHANGED_BY_DTD.get(f"in{name}"):
        octets, form = (re.sub(changed + rb"(</e9>)?", b"", one) for one in (octets, form))
    for step in (1, 5, 1 << 30):
        assert digest_of(device, octets, 0, first=step, step=step) == hashlib.sha256(form).digest()


def test_entities(device: Device) -> None:
    assert digest_of(device, (had("c14n") / "inC14N5.xml").read_bytes(), 0) == 1


def test_encodings(device: Device) -> None:
    """A canonical form is UTF-8, whatever the message is."""
    octets, form = ((had("c14n") / f"{file}.xml").read_bytes() for file in ("inC14N6", "out_inC14N6_c14nDefault"))
    for message in (octets, octets.replace(b"&#169;", b"\xa9")):
        for step in (1, 5, 1 << 30):
            assert digest_of(device, message, 0, first=step, step=step) == hashlib.sha256(form.strip()).digest()


def test_merlin(device: Device) -> None:
    """merlin's digests are SHA-1: a form with the right digest equals ours."""
    octets = (had("merlin") / "exc-signature.xml").read_bytes()
    root = etree.fromstring(octets)
    elements = list(root.iter(etree.Element))
    signed = next(number for number, one in enumerate(elements) if one.get("Id") == "to-be-signed")
    compared = 0
    for reference in root.iter(f"{{{DS}}}Reference"):
        transform = reference.find(f".//{{{DS}}}Transform")
        assert transform is not None
        if str(transform.get("Algorithm")).endswith("WithComments"):
            continue
        listed = transform.find(f"{{{EXC}}}InclusiveNamespaces")
        prefixes = str(listed.get("PrefixList")).split() if listed is not None else []
        form = lxml_form(octets, signed)
        if prefixes:  # lxml passes over #default
            tag, both = b"<dsig:Object", b' xmlns="urn:foo" xmlns:bar="urn:bar"'
            form = form.replace(b' xmlns:bar="urn:bar"', b"").replace(tag, tag + both, 1)
        digest = base64.b64encode(hashlib.sha1(form).digest()).decode()
        assert digest == reference.findtext(f"{{{DS}}}DigestValue")
        ours = ["" if prefix == "#default" else prefix for prefix in prefixes]
        assert digest_of(device, octets, signed, ours) == hashlib.sha256(form).digest()
        compared += 1
    assert compared == 2


def test_santuario(device: Device) -> None:
    """Elements of its tests' documents, of merlin's, Phaos' and the W3C's: the form is lxml's, or over a limit."""
    compared = over = 0
    for file in sorted(had("santuario").rglob("*.xml")):
        octets = file.read_bytes()
        if b"<!DOCTYPE" in octets or b"<!ENTITY" in octets or b"<" not in octets[:4]:
            continue
        octets = OUTSIDE.sub(b"", octets).strip()
        for number in range(min(len(list(etree.fromstring(octets).iter(etree.Element))), 25)):
            said = digest_of(device, octets, number, step=37)
            assert said == 2 or said == lxml_digest(octets, number), (file.name, number)
            compared, over = compared + (said != 2), over + (said == 2)
    assert compared > 4000 and over < compared / 2
