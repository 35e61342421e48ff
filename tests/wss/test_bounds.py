# SPDX-License-Identifier: MIT
"""Messages that just fit into the buffers, and messages with one octet or one item more."""

from collections.abc import Callable

import pytest
from lxml import etree

from tests.wss.host import NOW, WSU, Device, at, security, token
from tests.wss.signing import EXC, by_id, envelope, sign
from tests.wss.test_canonical import digest_of, lxml_digest
from tests.wss.test_signed import ask

# The bounds of engine/wss/wss.h, wss_signed.h and wss.h.
TAG, NAMESPACES, ATTRIBUTES, TEXTS, LISTED = 320, 16, 8, 124, 8
PARTS, BLANKS, TEXT = 4, 24, 44
STEPS = (1, 1 << 30)


def declarations(count: int) -> str:
    return " ".join(f'xmlns:p{number}="urn:a"' for number in range(count))


CANONICAL = [
    ("attributes", ATTRIBUTES, lambda count: "<e " + " ".join(f'a{i}="b"' for i in range(count)) + "/>"),
    ("declarations", NAMESPACES, lambda count: f"<e {declarations(count)}/>"),
    ("an octet of a prefix", TEXTS - 1, lambda count: f'<{"p" * count}:e xmlns:{"p" * count}="urn:a"/>'),
    # "e", NUL, "a", NUL, the value, NUL
    ("an octet of a value", TAG - 5, lambda count: f'<e a="{"x" * count}"/>'),
    ("an octet of an attribute's name", TAG - 4, lambda count: f'<e {"x" * count}=""/>'),
    ("an octet of a name", TAG - 1, lambda count: f"<{'e' * count}/>"),
]


@pytest.mark.parametrize(("most", "made"), [one[1:] for one in CANONICAL], ids=[one[0] for one in CANONICAL])
def test_a_canonical_form(most: int, made: Callable[[int], str]) -> None:
    device = Device()
    for step in STEPS:
        fits, more = made(most).encode(), made(most + 1).encode()
        assert digest_of(device, fits, 0, first=step, step=step) == lxml_digest(fits, 0)
        assert digest_of(device, more, 0, first=step, step=step) == 2


def test_namespaces_that_end_give_their_place_back() -> None:
    device = Device()
    many = f"<p0:f {declarations(NAMESPACES)} " + " ".join(f'p{i}:a{i}=""' for i in range(1, ATTRIBUTES)) + "/>"
    octets = f"<e>{many * 3}<g/></e>".encode()
    for wanted in range(5):
        assert digest_of(device, octets, wanted) == lxml_digest(octets, wanted)


def with_parts(count: int) -> etree._Element:
    """The Timestamp, the Body, and more elements of Security that have an Id."""
    root = envelope()
    for number in range(count - 2):
        etree.SubElement(root[0][0], "other").set(f"{{{WSU}}}Id", f"X-{number}")
    return root


def test_parts() -> None:
    for count, fault in ((PARTS, ""), (PARTS + 1, "invalid")):
        names = ["TS-1", *(f"X-{number}" for number in range(count - 2)), "B-1"]
        assert ask(Device(), sign(with_parts(count), names)) == fault
        assert ask(Device(), sign(with_parts(count))) == fault, "they have an Id and are not signed"
    octets = sign(with_parts(PARTS), ["TS-1", "X-0", "B-1"])
    for name in (b"other", b"wrong"):
        changed = octets.replace(b"<other wsu", b"<%s wsu" % name, 1)
        assert ask(Device(), changed) == ("" if name == b"other" else "check")


def test_an_id_without_a_namespace() -> None:
    root = envelope()
    body = by_id(root, "B-1")
    del body.attrib[f"{{{WSU}}}Id"]
    body.set("Id", "B-1")
    octets = sign(root)
    assert ask(Device(), octets) == ""
    assert ask(Device(), octets.replace(b' Id="B-1"', b' Id="B-2"')) == "check"


LISTED_BY = '<P:Transform Algorithm="{}"><e:InclusiveNamespaces xmlns:e="{}" PrefixList="{}"/></P:Transform>'
LISTS = [
    (" ".join("abcdefghi"[:LISTED]), ""),
    (" ".join("abcdefghi"[: LISTED + 1]), "invalid"),
    (" ".join("abcdefgh" * 3), ""),
    ("p" * 60, ""),
    ("p" * 120, "invalid"),
    ("#default", ""),
    ("  a  b  c  d  ", ""),
]


@pytest.mark.parametrize(("listed", "fault"), LISTS)
def test_lists_of_prefixes(listed: str, fault: str) -> None:
    """Lists of prefixes are bounded, in a Reference and in SignedInfo."""
    assert ask(Device(), sign(envelope(), first=True, transforms=LISTED_BY.format(EXC, EXC, listed))) == fault
    assert ask(Device(), sign(envelope(), info_prefixes=listed)) == fault


def test_lists_of_all_have_room_together() -> None:
    """Each prefix counts once, of whichever list it is."""
    for first, second, fault in (("abcdef", "efgh", ""), ("abcdef", "efghi", "invalid")):
        transforms = LISTED_BY.format(EXC, EXC, " ".join(first))
        octets = sign(envelope(), first=True, transforms=transforms, info_prefixes=" ".join(second))
        assert ask(Device(), octets) == fault


@pytest.mark.parametrize(("said", "fault"), [(9, ""), (60, ""), (TEXTS, "invalid")])
def test_the_prefix_of_signed_info(said: int, fault: str) -> None:
    for step in STEPS:
        assert ask(Device(), sign(envelope(), prefix="p" * said), first=step, step=step) == fault


def test_a_value_before_what_it_signs() -> None:
    """XML Signature defines their order."""
    octets = sign(envelope())
    value = octets[octets.index(b"<ds:SignatureValue") : octets.index(b"</ds:SignatureValue>") + 20]
    assert ask(Device(), octets) == ""
    assert ask(Device(), octets.replace(value, b"").replace(b"<ds:SignedInfo", value + b"<ds:SignedInfo")) == "invalid"


def test_blanks_before_the_list_is_known() -> None:
    for count, fault in ((BLANKS, ""), (BLANKS + 1, "invalid")):
        for step in STEPS:
            assert ask(Device(), sign(envelope(), blanks=" " * count), first=step, step=step) == fault
            for listed in ("", "ds"):
                within = sign(envelope(), info_blanks="\n" * count, info_prefixes=listed)
                assert ask(Device(), within, first=step, step=step) == fault


@pytest.mark.parametrize("length", [31, 33, 66, 67])
def test_digests_of_another_length(length: int) -> None:
    assert ask(Device(), sign(envelope(), digests={"B-1": bytes(length)})) == "invalid"


@pytest.mark.parametrize("uri", ["", "#", "B-1", "xB-1", "#B-9"])
def test_what_a_reference_names(uri: str) -> None:
    for octets in (sign(envelope()), sign(envelope(), ["B-1"], first=True)):
        other = octets.replace(b'URI="#B-1"', f'URI="{uri}"'.encode())
        assert ask(Device(), other) == ("check" if uri == "#B-9" else "invalid")
        assert ask(Device(), octets.replace(b' URI="#B-1"', b"")) == "invalid"


@pytest.mark.parametrize(("created", "fault"), [(NOW - 60, ""), (NOW + 60, ""), (NOW - 61, "expired")])
def test_the_time_of_a_signed_message(created: int, fault: str) -> None:
    assert ask(Device(), sign(envelope(created=created))) == fault


@pytest.mark.parametrize(("created", "fault"), [(NOW - 300, ""), (NOW - 301, "expired")])
def test_a_signed_message_without_expires(created: int, fault: str) -> None:
    root = envelope(created=created)
    times = by_id(root, "TS-1")
    times.remove(times[1])
    assert ask(Device(), sign(root)) == fault


def test_a_name_and_a_time_that_just_fit() -> None:
    device = Device(piece=3)
    assert device.ask(security(token("a" * TEXT))) == "failed"
    assert device.ask(security(token("a" * (TEXT + 1)))) == "invalid"
    for digits, fault in ((TEXT - 21, ""), (TEXT - 20, "invalid")):
        assert device.ask(security(token(created=at(NOW)[:-1] + "." + "1" * digits + "Z"))) == fault


TIMES = [
    ("", ""),
    (f"<wsu:Expires>{at(NOW)}</wsu:Expires>", ""),
    (f"<wsu:Expires>{at(NOW - 1)}</wsu:Expires>", "expired"),
    (f"<wsu:Created>{at(NOW + 60)}</wsu:Created>", ""),
    (f"<wsu:Created>{at(NOW + 61)}</wsu:Created>", "expired"),
    (f"<wsu:Created>{at(NOW)}</wsu:Created><other/>", "invalid"),
]


@pytest.mark.parametrize(("inner", "fault"), TIMES)
def test_a_timestamp_of_which_less_is_said(inner: str, fault: str) -> None:
    assert Device().ask(security(f"<wsu:Timestamp>{inner}</wsu:Timestamp>", token())) == fault


def test_memory_that_cannot_be_read() -> None:
    """A restart with unreadable memory refuses messages: the earlier ones are unknown."""
    device = Device()
    assert device.ask(security(token())) == ""
    device.set("bool", "host_is_unreadable", 1)
    device.restart()
    assert device.ask(security(token(nonce=b"new", created=at(NOW + 60)))) == "expired"
