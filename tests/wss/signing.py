# SPDX-License-Identifier: MIT
"""Signed messages, made with lxml's canonical forms and a key of P-256 or of RSA."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from lxml import etree

from tests.wss.host import NOW, WSSE, WSU, at

DS = "http://www.w3.org/2000/09/xmldsig#"
EXC = "http://www.w3.org/2001/10/xml-exc-c14n#"
SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"
ECDSA = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
RSA = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/"
SOAP12 = "http://www.w3.org/2003/05/soap-envelope"
KEY = 0x123456789ABCDEF0FEDCBA98765432100F1E2D3C4B5A69788796A5B4C3D2E1F


@cache
def key() -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(KEY, ec.SECP256R1())


def point() -> bytes:
    numbers = key().public_key().public_numbers()
    return numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")


@cache
def rsa_key() -> rsa.RSAPrivateKey:
    made = serialization.load_pem_private_key(Path(__file__).with_name("rsa_key.pem").read_bytes(), None)
    assert isinstance(made, rsa.RSAPrivateKey)
    return made


def canonical(element: etree._Element, prefixes: Sequence[str] = ()) -> bytes:
    """`prefixes`: those of its PrefixList that are declared above it are declared on it, too."""
    listed = list(prefixes) or None
    return etree.tostring(
        element, method="c14n", exclusive=True, with_comments=False, inclusive_ns_prefixes=listed, with_tail=False
    )


Signer = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def signature_of(digest: bytes, signer: Signer | None = None) -> bytes:
    if isinstance(signer, rsa.RSAPrivateKey):
        return signer.sign(digest, padding.PKCS1v15(), utils.Prehashed(hashes.SHA256()))
    r, s = utils.decode_dss_signature((signer or key()).sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256()))))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def envelope(
    *,
    soap: str = SOAP11,
    created: float = NOW,
    body: str = "<d:get xmlns:d='urn:whit:device'><d:unit>c</d:unit></d:get>",
) -> etree._Element:
    """Returns an unsigned envelope."""
    times = f"<wsu:Created>{at(created)}</wsu:Created><wsu:Expires>{at(created + 60)}</wsu:Expires>"
    return etree.fromstring(
        f'<s:Envelope xmlns:s="{soap}" xmlns:wsse="{WSSE}" xmlns:wsu="{WSU}"><s:Header>'
        f'<wsse:Security s:mustUnderstand="1"><wsu:Timestamp wsu:Id="TS-1">{times}</wsu:Timestamp></wsse:Security>'
        f'</s:Header><s:Body wsu:Id="B-1">{body}</s:Body></s:Envelope>'
    )


def by_id(root: etree._Element, name: str) -> etree._Element:
    return next(one for one in root.iter(etree.Element) if name in (one.get(f"{{{WSU}}}Id"), one.get("Id")))


def sign(
    root: etree._Element,
    ids: Sequence[str] = ("TS-1", "B-1"),
    *,
    first: bool = False,
    prefix: str = "ds",
    blanks: str = "",
    digests: dict[str, bytes] | None = None,
    signer: Signer | None = None,
    transforms: str = f'<P:Transform Algorithm="{EXC}"/>',
    methods: tuple[str, str, str] = (EXC, "", SHA256),
    info_prefixes: str = "",
    info_blanks: str = "",
    more: str = "",
) -> bytes:
    """The message with a Signature at the end of its Security, or at its beginning."""
    method = methods[1] or (RSA if isinstance(signer, rsa.RSAPrivateKey) else ECDSA)
    listed = f'<e:InclusiveNamespaces xmlns:e="{EXC}" PrefixList="{info_prefixes}"/>' if info_prefixes else ""
    references = ""
    for name in ids:
        digest = (digests or {}).get(name) or hashlib.sha256(canonical(by_id(root, name))).digest()
        references += (
            f'{blanks}<P:Reference URI="#{name}">{blanks}<P:Transforms>{transforms}</P:Transforms>'
            f'<P:DigestMethod Algorithm="{methods[2]}"/>'
            f"<P:DigestValue>{base64.b64encode(digest).decode()}</P:DigestValue></P:Reference>"
        )
    text = (
        f'<P:Signature xmlns:P="{DS}"><P:SignedInfo>{blanks}'
        f'<P:CanonicalizationMethod Algorithm="{methods[0]}">{info_blanks}{listed}</P:CanonicalizationMethod>{blanks}'
        f'<P:SignatureMethod Algorithm="{method}"/>{references}</P:SignedInfo>'
        f"<P:SignatureValue></P:SignatureValue>{more}</P:Signature>"
    )
    colon = f"{prefix}:" if prefix else ""
    text = text.replace("xmlns:P=", f"xmlns{':' * bool(prefix)}{prefix}=").replace("P:", colon)
    security = root.find(f".//{{{WSSE}}}Security")
    assert security is not None
    made = etree.fromstring(text)
    security.insert(0 if first else len(security), made)
    info, value = made.find(f"{{{DS}}}SignedInfo"), made.find(f"{{{DS}}}SignatureValue")
    assert info is not None and value is not None
    digest = hashlib.sha256(canonical(info, info_prefixes.split())).digest()
    value.text = base64.b64encode(signature_of(digest, signer)).decode()
    return etree.tostring(root)
