# SPDX-License-Identifier: MIT
"""Seeds of the fuzzer of signed messages. A hash replaces the signature (see fuzz/signed.c)."""

import hashlib

from cryptography.hazmat.primitives.asymmetric import utils
from lxml import etree

from tests.wss.host import security, timestamp, token
from tests.wss.signing import EXC, SOAP11, SOAP12, envelope, sign

CALL = '<d:get xmlns:d="urn:whit:device"><d:level>5</d:level><d:text>a&lt;b &amp; c</d:text></d:get>'
OTHERWISE = (
    '<get xmlns="urn:whit:device" xmlns:x="urn:whit:device"><!-- c --><text><![CDATA[a<b]]> &#38; c</text>'
    '<x:level x:m="&#13;" m="&quot;">&#x35;</x:level></get>'
)
PASSWORD = "secret"


class Caller:
    """Signs in place of a key."""

    def sign(self, digest: bytes, _: object) -> bytes:
        first = hashlib.sha256(b"of the caller" + digest).digest()
        return utils.encode_dss_signature(int.from_bytes(first, "big"), int.from_bytes(digest, "big"))


def _signed(body: str = CALL, soap: str = SOAP11, **said: object) -> bytes:
    return sign(envelope(soap=soap, body=body), signer=Caller(), **said)  # type: ignore[arg-type]


def signed() -> dict[str, bytes]:
    """Messages for fuzz/signed."""
    listed = f'<e:InclusiveNamespaces xmlns:e="{EXC}" PrefixList="s d"/>'
    transform = f'<P:Transform Algorithm="{EXC}">{listed}</P:Transform>'
    enveloped = '<P:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
    body = '<s:Body><tell xmlns="urn:whit:device"><level>7</level></tell></s:Body>'

    def told(made: str, inner: str = body) -> bytes:
        return f'<s:Envelope xmlns:s="{SOAP11}"><s:Header>{security(made)}</s:Header>{inner}</s:Envelope>'.encode()

    messages = {
        "signed": _signed(),
        "signed_12": _signed(soap=SOAP12, blanks="\n "),
        "signed_otherwise": _signed(OTHERWISE, prefix=""),
        "signed_first": _signed(first=True, prefix="x"),
        "signed_listed": _signed(info_prefixes="ds s"),
        "signed_enveloped": _signed(
            transforms=enveloped + f'<P:Transform Algorithm="{EXC}"/>', more="<P:KeyInfo><a/></P:KeyInfo>"
        ),
        "listed_too_late": _signed(transforms=transform),
        "no_body": _signed(ids=("TS-1",)),
        "not_signed": etree.tostring(envelope(body=CALL)),
        "digest": told(token("bob", PASSWORD) + timestamp()),
        "digest_wrong": told(token("bob", "another")),
        "digest_of_signed": told(token("bob", PASSWORD), f"<s:Body>{CALL}</s:Body>"),
    }
    cuts = (0, 7, 60, 0) * 3
    return {name: bytes((cut,)) + octets for cut, (name, octets) in zip(cuts, messages.items(), strict=True)}
