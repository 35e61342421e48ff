# SPDX-License-Identifier: MIT
"""Exclusive canonicalization, held against lxml's: elements of random documents, cut at every octet."""

import ctypes
import hashlib
import random
import re
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from lxml import etree

from tests.wss.host import WSSE, WSU, Device

URIS = ("urn:whit:device", "urn:a", WSSE, WSU, "http://www.w3.org/2003/05/soap-envelope")
PREFIXES = ("", "a", "b", "soap-env", "ns0", "aa")
TEXTS = (
    "",
    "x",
    " y ",
    "&lt;&amp;&gt;",
    "&#13;\r\n\n\t",
    "\"'",
    "<![CDATA[<a>&]]>",
    "é\u20ac\U0001f600",
    "<!-- no -->",
    "]]",
)
VALUES = ("", "v", "a  b", "&lt;&amp;&quot;&gt;", "&#9;&#10;&#13; \t\n", "'", "é€")


def digest_of(
    device: Device,
    octets: bytes,
    wanted: int,
    prefixes: Sequence[str] = (),
    *,
    first: int = 1 << 30,
    step: int = 1 << 30,
) -> bytes | int:
    """Returns an element's digest; or 1 or 2, the reason of its absence."""
    digest = ctypes.create_string_buffer(32)
    listed = b"".join(prefix.encode() + b"\0" for prefix in prefixes)
    said = device.code.host_canonical(octets, len(octets), first, step, wanted, listed, len(prefixes), digest)
    return digest.raw if said == 0 else int(said)


def lxml_digest(octets: bytes, wanted: int, prefixes: Sequence[str] = ()) -> bytes:
    return hashlib.sha256(lxml_form(octets, wanted, prefixes)).digest()


def lxml_form(octets: bytes, wanted: int, prefixes: Sequence[str] = ()) -> bytes:
    element = list(etree.fromstring(octets).iter(etree.Element))[wanted]
    # Serialized alone, so that no text follows, with all namespaces in scope: lxml drops unused ones.
    text = etree.tostring(element, with_tail=False, encoding="unicode")
    there = etree.fromstring(text).nsmap
    missing = {prefix: uri for prefix, uri in element.nsmap.items() if prefix not in there}
    more = "".join(f' xmlns{":" + prefix if prefix else ""}="{uri}"' for prefix, uri in missing.items())
    root = etree.fromstring(re.sub(r"^<[^\s/>]+", lambda match: match[0] + more, text))
    listed = list(prefixes) or None
    return etree.tostring(root, method="c14n", exclusive=True, with_comments=False, inclusive_ns_prefixes=listed)


def element(rng: random.Random, scope: dict[str, str], depth: int) -> str:
    """Returns a random element whose prefixes are bound."""
    declared = {}
    for prefix in rng.sample(PREFIXES, rng.choice((0, 0, 1, 1, 2, 3))):
        declared[prefix] = rng.choice((*URIS, "") if prefix == "" else URIS)
    scope = scope | declared
    bound = [prefix for prefix in scope if prefix != ""]
    name = f"{prefix}:e" if bound and rng.random() < 0.6 and (prefix := rng.choice(bound)) else "e"
    attributes, seen = [f'xmlns{":" * bool(prefix)}{prefix}="{uri}"' for prefix, uri in declared.items()], set()
    for _ in range(rng.choice((0, 0, 1, 2, 4))):
        prefix, local = rng.choice(["", "xml", *bound]), rng.choice("mnop") if rng.random() < 0.9 else "lang"
        if (scope.get(prefix, prefix) if prefix else "", local) in seen:
            continue
        seen.add((scope.get(prefix, prefix) if prefix else "", local))
        attributes.append(f'{prefix + ":" if prefix else ""}{local}="{rng.choice(VALUES)}"')
    rng.shuffle(attributes)
    inner = rng.choice(TEXTS)
    for _ in range(rng.choice((0, 1, 1, 2)) if depth < 5 else 0):
        inner += element(rng, scope, depth + 1) + rng.choice(TEXTS)
    tag = " ".join([name, *attributes])
    return f"<{tag}>{inner}</{name}>" if inner or rng.random() < 0.5 else f"<{tag}/>"


def test_random_documents(device: Device, seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    for _ in range(1500):
        octets = element(rng, {}, 0).encode()
        wanted = rng.randrange(len(list(etree.fromstring(octets).iter(etree.Element))))
        prefixes = rng.sample(PREFIXES[1:], rng.choice((0, 0, 1, 2, 4)))
        cut = rng.choice((1, 2, 5, 1 << 30))
        got = digest_of(device, octets, wanted, prefixes, first=rng.randrange(1, len(octets) + 1), step=cut)
        assert got == 2 or got == lxml_digest(octets, wanted, prefixes), (octets.decode(), wanted, prefixes)
        compared += got != 2
    assert compared > 1300


def test_the_default_namespace_in_the_list(device: Device) -> None:
    """A prefix list may name the default namespace, which lxml ignores."""
    octets = b'<e xmlns="urn:a" xmlns:b="urn:whit:device"><b:f><b:g xmlns=""/></b:f></e>'
    form = b'<b:f xmlns="urn:a" xmlns:b="urn:whit:device"><b:g xmlns=""></b:g></b:f>'
    assert digest_of(device, octets, 1, [""]) == hashlib.sha256(form).digest()


def test_a_namespace_with_a_reference(device: Device) -> None:
    """A namespace keeps its reference; libxml2 writes it without one, which is no XML."""
    octets = b"""<a:e xmlns:a="urn:a&amp;b'c"/>"""
    form = ElementTree.canonicalize(octets.decode()).encode()
    assert b"urn:a&amp;b'c" in form and digest_of(device, octets, 0) == hashlib.sha256(form).digest()


def test_cut_at_every_octet(device: Device) -> None:
    octets = b'<?xml version="1.0"?>\n'
    octets += f'<a:x xmlns:a="urn:a" xmlns="{WSU}"><y b="&#13;&amp;é" a:c="1">t&#38;</y></a:x>'.encode()
    for wanted in (0, 1):
        for first in range(1, len(octets)):
            assert digest_of(device, octets, wanted, first=first) == lxml_digest(octets, wanted)


@pytest.mark.parametrize(
    "octets",
    [
        b'<e xmlns="urn:unknown"/>',
        b'<a:e xmlns:a="urn:unknown"/>',
        b'<e xmlns:a="urn:unknown" a:b="c"/>',
        b"<e " + b" ".join(b'a%d="b"' % i for i in range(9)) + b"/>",
        b'<e a="' + b"x" * 400 + b'"/>',
        b"<e xmlns:" + b"p" * 128 + b'="urn:a"/>',
    ],
)
def test_more_than_the_limits(device: Device, octets: bytes) -> None:
    assert digest_of(device, octets, 0) == 2


def test_an_unknown_namespace_elsewhere(device: Device) -> None:
    octets = b'<e xmlns:u="urn:unknown" u:v="w"><u:g/><f/></e>'
    assert digest_of(device, octets, 2) == lxml_digest(octets, 2) == hashlib.sha256(b"<f></f>").digest()
