# SPDX-License-Identifier: MIT
"""Reads a foreign XML document: no entities, no network, bounded size."""

from pathlib import Path

from lxml import etree

from .wanted import FILE_MAX, Outside


def read_octets(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            octets = opened.read(FILE_MAX + 1)
    except OSError as error:
        raise Outside(0, f"{error.strerror}; expected the file of a description") from None
    if len(octets) > FILE_MAX:
        raise Outside(0, f"more than {FILE_MAX >> 20} MB: expected a description")
    return octets


def read_xml(file: Path) -> etree._Element:
    octets = read_octets(file)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(octets, parser)
    except etree.XMLSyntaxError as error:
        said = (error.msg or "not well-formed").split(", line ")[0]
        if "XML_PARSE_HUGE" in said:  # the library's advice to programmers
            said = "nested too deeply, or a text too long: expected what a toolkit writes"
        raise Outside(max(1, error.position[0]), f"not XML: {said}") from None
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]
        line = octets.count(b"\n", 0, octets.find(b"<!DOCTYPE")) + 1
        raise Outside(line, "a DOCTYPE: expected none; take it out")
    return root


def line_of(element: etree._Element) -> int:
    line: object = element.sourceline
    return line if isinstance(line, int) else 0
