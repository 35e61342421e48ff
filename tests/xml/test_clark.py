# SPDX-License-Identifier: MIT
"""James Clark's test cases of XML 1.0: malformed input is refused, and the supported subset is read as lxml reads it.
Most begin with a DOCTYPE, which is refused; each is also scanned without it."""

import re
from pathlib import Path

import pytest
from lxml import etree

from tests.crypto.built import had
from tests.xml.support import ENCODING, REFUSED, WELL, lxml_tree, scan, tree_of, xml_parser

VALID, WRONG = "rtests/canonxml/data_jclark_valid", "rtests/negative/data_jclark_notwf"
DOCTYPE = re.compile(rb"<!DOCTYPE[^[>]*(\[.*?\]\s*)?>", re.DOTALL)
STEPS = (1, 3, 1 << 30)


def documents(under: str) -> dict[str, bytes]:
    """Returns the documents by their paths."""
    there = had("clark") / under
    return {str(path.relative_to(there)): path.read_bytes() for path in sorted(there.rglob("*.xml"))}


def whys(octets: bytes) -> set[int]:
    return {scan(octets, step, step).why for step in STEPS}


def accepted(octets: bytes) -> bool:
    """True if lxml accepts it without a message about names or namespaces."""
    parser = xml_parser()
    try:
        etree.fromstring(octets, parser)
    except (etree.XMLSyntaxError, ValueError):
        return False
    return len(parser.error_log) == 0


def outside(octets: bytes) -> set[int]:
    """Returns the reasons to refuse well-formed input: processing instructions, a DOCTYPE, UTF-16."""
    if octets[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return {ENCODING}
    left = re.sub(rb"<!\[CDATA\[.*?\]\]>|<!--.*?-->", b"", octets, flags=re.DOTALL)
    return {REFUSED} if b"<!DOCTYPE" in left or re.search(rb"<\?(?!xml\s)", left) else set()


def agree(octets: bytes, name: str) -> bool:
    """True: it was taken, with lxml's tree."""
    if not accepted(octets):
        assert WELL not in whys(octets), name
        return False
    assert whys(octets) == (outside(octets) or {WELL}), name
    if outside(octets):
        return False
    assert tree_of(scan(octets)) == lxml_tree(octets), name
    return True


def test_not_well_formed() -> None:
    found = documents(WRONG)
    assert len(found) == 199
    for name, octets in found.items():
        entity = Path(name).parent.name in ("ext-sa", "not-sa")  # the mistake is in another file, or in the DTD
        assert WELL not in whys(octets), name
        if not entity:
            agree(DOCTYPE.sub(b"", octets), name)


def test_valid() -> None:
    """Each document is scanned unchanged, without its DOCTYPE, and in the collection's canonical form."""
    found = documents(VALID)
    assert len(found) == 328
    taken = sum(agree(octets, name) for name, octets in found.items())
    assert taken > 100
    assert sum(agree(DOCTYPE.sub(b"", octets), name) for name, octets in found.items()) > taken + 50


@pytest.mark.parametrize("under", [VALID, WRONG])
def test_cut_and_spoilt(under: str) -> None:
    """Each document ends too early at some octet: it is never whole before its last element has ended."""
    for name, octets in documents(under).items():
        plain = DOCTYPE.sub(b"", octets)
        for end in range(0, len(plain.rstrip()), 7):
            if not accepted(plain[:end]):
                assert scan(plain[:end]).why != WELL, (name, end)
