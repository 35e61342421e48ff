# SPDX-License-Identifier: MIT
"""Wrapping of signed messages (McIntosh, Austel 2005; Somorovsky and others 2012): the signed part moves elsewhere, and
another Body takes its effective place."""

import copy
from collections.abc import Callable

from lxml import etree

from tests.wss.host import WSU
from tests.wss.signing import DS

KINDS = range(1, 10)
"""Where the signed Body goes: to the end and the beginning of Header, of Security, into an Object of the Signature, to
the end of Envelope, into the forged Body, into Security as it is, beside the forged one."""


def wrapped(octets: bytes, kind: int, text: str) -> etree._Element:
    """Returns the message with a forged Body, whose first argument is this text, and the Id of the signed one."""
    root = etree.fromstring(octets)
    (body,) = (one for one in root if etree.QName(one).localname == "Body")
    signature = next(root.iter(f"{{{DS}}}Signature"))
    header, security = root[0], signature.getparent()
    assert security is not None
    forged = copy.deepcopy(body)
    forged[0][0].text = text
    root.replace(body, forged)
    holder = etree.Element("wrapper" if kind != 5 else f"{{{DS}}}Object")
    places: dict[int, Callable[[], None]] = {
        1: lambda: header.append(holder),
        2: lambda: header.insert(0, holder),
        3: lambda: security.append(holder),
        4: lambda: security.insert(0, holder),
        5: lambda: signature.append(holder),
        6: lambda: root.append(holder),
        7: lambda: forged.append(holder),
        8: lambda: security.append(body),
        9: lambda: root.insert(root.index(forged), body),
    }
    places[kind]()
    if kind < 8:
        holder.append(body)
    return root


def renamed(root: etree._Element, text: str, name: str | None) -> None:
    """The forged Body gets another Id, or none."""
    (forged,) = (one for one in root if len(one) and len(one[0]) and one[0][0].text == text)
    own = next(word for word in (f"{{{WSU}}}Id", "Id") if word in forged.attrib)
    del forged.attrib[own]
    if name is not None:
        forged.set(own, name)
