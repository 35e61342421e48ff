# SPDX-License-Identifier: MIT
"""The engine's XML scanner as a library of this machine, and the same document as lxml reads it."""

import ctypes
import os
import subprocess
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from lxml import etree

from whit.compiler import automaton
from whit.paths import BUILD, ROOT

HERE = Path(__file__).parent
LIMITS = ROOT / "tests" / "compiler" / "golden" / "out"
XML = "http://www.w3.org/XML/1998/namespace"
# The namespaces that the scanner knows here, by their numbers.
KNOWN = {1: XML, 2: "urn:a", 3: "urn:ab", 4: "http://www.w3.org/2003/05/soap-envelope"}
NUMBERS = {uri: number for number, uri in KNOWN.items()}
MALFORMED, REFUSED, ENCODING, ENTITY, NESTING, TWICE, UNBOUND, TOO_MUCH = range(8)
WELL, CUT = 0xFF, 0xFE
NAME, ATTRIBUTE, VALUE, VALUED, OPENED, TEXT, END_NAME, CLOSED = range(2, 10)
OTHER = 0x8000


@cache
def scanner() -> ctypes.CDLL:
    sanitize = os.environ.get("WHIT_SANITIZE") == "1"
    made = BUILD / ("xml-sanitized" if sanitize else "xml")
    made.mkdir(parents=True, exist_ok=True)
    rows = automaton.build({uri: str(number) for number, uri in KNOWN.items()}).rows
    macros = "#define OCTETS(value) (value) & 0xff, (value) >> 8\n"
    (made / "uris.h").write_text(f"{macros}const uint8_t whit_targets[] = {{\n{chr(10).join(rows)}\n}};\n")
    options = ["-fsanitize=address,undefined"] if sanitize else []
    includes = [f"-I{folder}" for folder in (made, LIMITS, ROOT / "include", ROOT / "ports" / "flat")]
    library = made / f"scan-{os.getpid()}.so"
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-shared", "-fPIC", *options, *includes]
    subprocess.run([*command, "-o", str(library), str(HERE / "driver.c")], check=True)
    loaded = ctypes.CDLL(str(library))
    library.unlink()
    return loaded


@dataclass(frozen=True)
class Found:
    why: int
    events: tuple[tuple[int, bytes], ...]


def scan(octets: bytes, first: int = 1 << 30, step: int = 1 << 30, key: int = 0x9E3779B9) -> Found:
    room = ctypes.create_string_buffer(40 * len(octets) + 100)
    why = ctypes.c_uint8()
    size = ctypes.c_uint32
    given = (size(len(octets)), size(first), size(step), size(key))
    length = scanner().scan(octets, *given, room, size(len(room)), ctypes.byref(why))
    parts = room.raw[:length].split(b"\xff")[1:]
    return Found(why.value, tuple((int(kind), text) for kind, _, text in (part.partition(b":") for part in parts)))


def number(uri: str) -> int:
    return NUMBERS.get(uri, OTHER) if uri else 0


def tree_of(found: Found) -> list[object]:
    """Elements as lists of name, namespace, attributes and children, as `lxml_tree` gives them."""
    name, attributes, stack = b"", dict[bytes, bytes](), [list[object]()]
    last, value = b"", b""
    for kind, text in found.events:
        if kind == NAME:
            name, attributes = text, {}
        elif kind == ATTRIBUTE:
            last, value = text, b""
        elif kind == VALUE:
            value = text
        elif kind == VALUED and text == b"a":
            attributes[last] = value
        elif kind == OPENED:
            uris = [min(int(uri), OTHER) for uri in text.split()]
            named = {
                (uri, key.rpartition(b":")[2]): told
                for uri, (key, told) in zip(uris[1:], attributes.items(), strict=True)
            }
            element: list[object] = [uris[0], name.rpartition(b":")[2], named]
            stack[-1].append(element)
            stack.append(element)
        elif kind == TEXT:
            stack[-1].append(text)
        elif kind == CLOSED:
            stack.pop()
    return stack[0]


def xml_parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, remove_comments=True, no_network=True)


def lxml_tree(octets: bytes) -> list[object]:
    return [_element(etree.fromstring(octets, xml_parser()))]


def _element(element: etree._Element) -> list[object]:
    attributes = {_key(str(key)): str(value).encode() for key, value in element.attrib.items()}
    children: list[object] = [element.text]
    children += chain.from_iterable((_element(child), child.tail) for child in element)
    texts = [child.encode() if isinstance(child, str) else child for child in children if child]
    return [*_key(str(element.tag)), attributes, *texts]


def _key(tag: str) -> tuple[int, bytes]:
    uri, _, local = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    return number(uri), local.encode()
