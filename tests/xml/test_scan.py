# SPDX-License-Identifier: MIT
"""The scanner against lxml: the same trees, the same documents refused, cut anywhere."""

import random
from xml.sax.saxutils import escape

import pytest
from lxml import etree

from tests.conftest import seed_of_run
from tests.xml.support import (
    ATTRIBUTE,
    CUT,
    ENCODING,
    ENTITY,
    KNOWN,
    MALFORMED,
    NESTING,
    REFUSED,
    TOO_MUCH,
    TWICE,
    UNBOUND,
    VALUE,
    VALUED,
    WELL,
    Found,
    lxml_tree,
    scan,
    scanner,
    tree_of,
    xml_parser,
)

URIS = [uri for number, uri in KNOWN.items() if number > 1] + ["urn:b", "urn:a:longer", "urn:u"]
LOCALS = ["a", "b", "_x-1.y", "Envelope", "ä", "é\u0301", "名", "\U00010400z", "xmlnsx", "xml-a", "x" * 300]
TEXTS = ["", "a", " ", "\n", "\r\n", "\r", "\t", "]", "]]", "]] >", "ä", "€", "\U0001f600", "<", "&", '"', "'", ">"]


class Writer:
    """A random document, spelled in random ways."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = rng.randrange(1, 25)

    def text(self) -> str:
        made = ""
        for _ in range(self.rng.randrange(4)):
            one = self.rng.choice(TEXTS)
            way = self.rng.random()
            if way < 0.15:
                made += f"<![CDATA[{one}]]>" if "]" not in one else f"<![CDATA[{one}x]]>"
            elif way < 0.3 and one and not one.isspace():
                made += "".join(f"&#{ord(c)};" if self.rng.random() < 0.5 else f"&#x{ord(c):X};" for c in one)
            elif way < 0.35:
                made += f"<!--{one.replace('-', '')}- -->"
            else:
                made += escape(one, {">": "&gt;"})
        return made

    def value(self) -> str:
        quote = self.rng.choice("\"'")
        made = "".join(escape(self.rng.choice(TEXTS), {'"': "&quot;", "'": "&apos;"}) for _ in range(3))
        return f"{quote}{made}{quote}"

    def space(self, least: int = 1) -> str:
        return "".join(self.rng.choice(" \n\t\r") for _ in range(self.rng.choice([least, least, 3])))

    def element(self, scope: dict[str, str], depth: int) -> str:
        self.left -= 1
        scope = dict(scope)
        attributes = []
        for prefix in self.rng.sample(["", "p", "q", "pq"], self.rng.choice([0, 0, 1, 2])):
            uri = self.rng.choice(URIS) if prefix or self.rng.random() < 0.8 else ""
            scope[prefix] = uri
            attributes.append(f"xmlns{':' if prefix else ''}{prefix}{self.space(0)}={self.space(0)}'{uri}'")
        seen = set[tuple[str, str]]()
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            prefix = self.rng.choice(["", "xml", *scope])
            local = self.rng.choice(LOCALS[:-1])
            key = scope.get(prefix, "") if prefix else "", local
            if prefix == "xml":
                key = prefix, local
            if key not in seen:
                seen.add(key)
                name = f"{prefix}:{local}" if prefix else local
                attributes.append(f"{name}{self.space(0)}={self.space(0)}{self.value()}")
        self.rng.shuffle(attributes)
        prefix = self.rng.choice([*scope, ""])
        name = f"{prefix}:{self.rng.choice(LOCALS)}" if prefix else self.rng.choice(LOCALS)
        inner = self.text()
        while depth < 12 and self.left > 0 and self.rng.random() < 0.7:
            inner += self.element(scope, depth + 1) + self.text()
        tag = name + "".join(self.space() + one for one in attributes) + self.space(0)
        if not inner and self.rng.random() < 0.5:
            return f"<{tag}/>"
        return f"<{tag}>{inner}</{name}{self.space(0)}>"

    def document(self) -> bytes:
        quote = self.rng.choice("\"'")
        encoding = self.rng.choice(["", f" encoding={quote}utf-8{quote}", '  encoding = "UTF-8" standalone="yes" '])
        begin = self.rng.choice(["", f"<?xml version={quote}1.0{quote}{encoding}?>"])
        begin = self.rng.choice(["", "\ufeff"]) + begin + self.rng.choice(["", "\n", "<!-- a -->\n"])
        return (begin + self.element({}, 1) + self.rng.choice(["", "\r\n", "<!---->"])).encode()


def test_random_documents() -> None:
    """The tree that lxml finds, whole and in pieces."""
    rng = random.Random(seed_of_run())
    for _ in range(200):
        octets = Writer(rng).document()
        expected = lxml_tree(octets)
        whole = scan(octets)
        assert whole.why == WELL, octets
        assert tree_of(whole) == expected, octets
        for step in (1, 2, 3, rng.randrange(4, 40)):
            assert scan(octets, step, step, rng.getrandbits(32)).events == whole.events, octets


def test_cut_at_every_octet() -> None:
    rng = random.Random(seed_of_run() + 1)
    for _ in range(15):
        octets = Writer(rng).document()
        whole = scan(octets)
        for cut in range(1, len(octets)):
            assert scan(octets, cut).events == whole.events
            if octets[cut:].strip() and not octets[cut:].strip().startswith(b"<!--"):
                assert scan(octets[:cut]).why in (CUT, WELL if octets[cut:].lstrip()[:1] in b"->!" else CUT)


def declared(found: Found) -> list[str]:
    """Namespaces that are declared, as they are spelled."""
    events = [event for event in found.events if event[0] in (ATTRIBUTE, VALUE, VALUED)]
    values = [events[i - 1][1] * (events[i - 1][0] == VALUE) for i, one in enumerate(events) if one == (VALUED, b"d")]
    return [value.decode("latin-1") for value in values]


def accepted(octets: bytes) -> bool:
    """True if lxml accepts it without a message about namespaces."""
    parser = xml_parser()
    try:
        etree.fromstring(octets, parser)
    except (etree.XMLSyntaxError, ValueError):
        return False
    return all(entry.level_name == "WARNING" for entry in parser.error_log)


PIECES = [b"<", b">", b"/", b"<a>", b"</a>", b"<a/>", b"&", b"&lt;", b"&#", b";", b"]]>", b"--", b"<!--", b"-->", b"="]
PIECES += [
    b'"',
    b"\n",
    b" xmlns:p='urn:u'",
    b" xmlns='urn:u'",
    b"p:",
    b":",
    b" b='1'",
    b"<![CDATA[",
    b"\x00",
    b"\xff",
    b"\xc3",
]


def test_spoilt_documents() -> None:
    """An octet or a piece is changed: both readers accept the document, or neither does."""
    rng = random.Random(seed_of_run() + 2)
    differ = 0
    for _ in range(1000):
        octets = Writer(rng).document()
        at = rng.randrange(len(octets))
        way = rng.random()
        if way < 0.4:
            spoilt = octets[:at] + bytes([rng.randrange(256)]) + octets[at + 1 :]
        elif way < 0.6:
            spoilt = octets[:at] + octets[at + 1 :]
        else:
            spoilt = octets[:at] + rng.choice(PIECES) + octets[at:]
        found = scan(spoilt)
        # Only the scanner refuses the first two reasons, and only lxml the URIs: "urn|b" is no URI.
        if found.why in (REFUSED, TOO_MUCH) or any(uri not in (*URIS, "") for uri in declared(found)):
            continue
        begins = (
            spoilt.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") and at < spoilt.index(b"?>") + 2
            if b"?>" in spoilt
            else False
        )
        if begins:
            continue  # how the declaration may be spelled is tested below
        assert (found.why == WELL) == accepted(spoilt), (found.why, spoilt, spoilt[max(0, at - 20) : at + 20])
        if found.why == WELL:
            assert tree_of(found) == lxml_tree(spoilt), spoilt
        else:
            differ += 1
    assert differ > 300


WRONG = {
    b"": CUT,
    b" ": CUT,
    b"a": MALFORMED,
    b"<a>": CUT,
    b"<a/><b/>": MALFORMED,
    b"<a/>x": MALFORMED,
    b"<a></b>": NESTING,
    b"<p:a xmlns:p='u'></a>": NESTING,
    b"<p:a xmlns:p='u' xmlns:q='u'></q:a>": NESTING,
    b"<a b='1' b='2'/>": TWICE,
    b"<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>": TWICE,
    b"<a p:b='' q:b='' xmlns:p='urn:a' xmlns:q='urn:a'/>": TWICE,
    b"<a xmlns:p='u' xmlns:p='v'/>": TWICE,
    b"<a xmlns='u' xmlns='u'/>": TWICE,
    b"<p:a/>": UNBOUND,
    b"<a p:b=''/>": UNBOUND,
    b"<a><b xmlns:p='u'/><p:c/></a>": UNBOUND,
    b"<xmlns:a/>": UNBOUND,
    b"<a xmlns:p=''/>": MALFORMED,
    b"<a xmlns:xml='u'/>": MALFORMED,
    b"<a xmlns:xmlns='u'/>": MALFORMED,
    b"<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>": MALFORMED,
    b"<a b=1/>": MALFORMED,
    b"<a b/>": MALFORMED,
    b"<a b='<'/>": MALFORMED,
    b"<a b='1'c='2'/>": MALFORMED,
    b"<a/ >": MALFORMED,
    b"< a/>": MALFORMED,
    b"<a>]]></a>": MALFORMED,
    b"<a>&amp</a>": ENTITY,
    b"<a>&other;</a>": ENTITY,
    b"<a>&;</a>": ENTITY,
    b"<a>&\0gt;</a>": ENTITY,
    b"<a>&aposs;</a>": ENTITY,
    b"<a b='&other;'/>": ENTITY,
    b"<a>&#;</a>": MALFORMED,
    b"<a>&#x;</a>": MALFORMED,
    b"<a>&#0;</a>": ENCODING,
    b"<a>&#xD800;</a>": ENCODING,
    b"<a>&#xFFFF;</a>": ENCODING,
    b"<a>&#x110000;</a>": ENCODING,
    b"<a>&#4294967361;</a>": ENCODING,
    b"<a>\x01</a>": ENCODING,
    b"<a>\xc0\x80</a>": ENCODING,
    b"<a>\xe0\x80\x80</a>": ENCODING,
    b"<a>\xed\xa0\x80</a>": ENCODING,
    b"<a>\xf4\x90\x80\x80</a>": ENCODING,
    b"<a>\xef\xbf\xbe</a>": ENCODING,
    b"<a>\xe4</a>": ENCODING,
    b"<a b='\xe4'/>": ENCODING,
    b"<\xe4/>": ENCODING,
    b"<!-- \xff --><a/>": ENCODING,
    b"\xff\xfe<\0a\0/\0>\0": ENCODING,
    b"\xfe\xff\0<\0a\0/\0>": ENCODING,
    b"<\0a\0/\0>\0": ENCODING,
    b"\0<\0a\0/\0>": ENCODING,
    b"<?xml version='1.0' encoding='latin-1'?><a/>": ENCODING,
    b"<?xml version='1.0' encoding='utf-16'?><a/>": ENCODING,
    b"<?xml version='2.0'?><a/>": MALFORMED,
    b"<?xml encoding='utf-8'?><a/>": MALFORMED,
    b"<?xml version='\x11.\x10'?><a/>": ENCODING,
    b"<?xml version='1.0' encoding='utf\r8'?><a/>": ENCODING,
    b"<?xml version='1.0' standalone='YES'?><a/>": MALFORMED,
    b"<?xml version='1.0' standalone='maybe'?><a/>": MALFORMED,
    b"<?xml version='1.0' encoding='utf-8' version='1.0'?><a/>": MALFORMED,
    b"<?xml version='1.0'encoding='utf-8'?><a/>": MALFORMED,
    b" <?xml version='1.0'?><a/>": REFUSED,
    b"<a/><?xml version='1.0'?>": REFUSED,
    b"<?xml-stylesheet href='a'?><a/>": REFUSED,
    b"<a><?b?></a>": REFUSED,
    b"<!DOCTYPE a><a/>": REFUSED,
    b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>": REFUSED,
    b"<!ELEMENT a ANY><a/>": MALFORMED,
    b"<![CDATA[]]><a/>": MALFORMED,
    b"<a><![cdata[]]></a>": MALFORMED,
    b"<!-- -- --><a/>": MALFORMED,
    b"<!--a---><a/>": MALFORMED,
    b"</a>": MALFORMED,
    b"<:a/>": MALFORMED,
    b"<a:/>": MALFORMED,
    b"<a:b:c xmlns:a='u'/>": MALFORMED,
    b"<1/>": MALFORMED,
    b"<-a/>": MALFORMED,
    "<\u0301a/>".encode(): MALFORMED,
    "<a\u00d7/>".encode(): MALFORMED,
    b"\xef\xbb\xbf\xef\xbb\xbf<a/>": ENCODING,
}


@pytest.mark.parametrize("octets", WRONG, ids=lambda octets: octets.decode("latin-1"))
def test_what_is_refused(octets: bytes) -> None:
    for step in (1, 1000):
        assert scan(octets, step, step).why == WRONG[octets]


def test_limits() -> None:
    for depth, why in ((16, WELL), (17, TOO_MUCH), (100000, TOO_MUCH)):
        assert scan(b"<a>" * depth + b"</a>" * depth).why == why
    for count, why in ((20, WELL), (21, TOO_MUCH)):
        assert scan(b"<a " + b" ".join(b"xmlns:p%d='u'" % i for i in range(count)) + b"/>").why == why
    for count, why in ((10, WELL), (11, TOO_MUCH)):
        assert scan(b"<a " + b" ".join(b"p%d='u'" % i for i in range(count)) + b"/>").why == why
    within = b"".join(b"<b xmlns:p='u' xmlns:q='v'/>" for _ in range(100))
    assert scan(b"<a>" + within + b"</a>").why == WELL
    long = b"<" + b"a" * 70000 + b" b='" + b"c" * 70000 + b"'>" + b"d" * 70000 + b"</" + b"a" * 70000 + b">"
    assert scan(long, 999, 999).why == WELL
    assert scanner().scanner_octets() <= 340


def test_names_that_only_the_key_tells_apart() -> None:
    """Many pairs of names, keys of all kinds: one that is another's end is noticed."""
    rng = random.Random(seed_of_run() + 3)
    for _ in range(3000):
        one, other = ("".join(rng.choice("ab") for _ in range(rng.randrange(1, 9))).encode() for _ in range(2))
        found = scan(b"<" + one + b"></" + other + b">", key=rng.getrandbits(32))
        assert (found.why == WELL) == (one == other), (one, other)
