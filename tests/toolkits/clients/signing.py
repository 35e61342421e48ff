# SPDX-License-Identifier: MIT
"""signing.py ORIGIN KEY CERTIFICATE VERSION [DEVICE]: calls get of tests/apps/signed by zeep; xmlsec signs by ECDSA or
RSA. Prints the results as JSON, with the octets of the last message, for a replay."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import xmlsec
from lxml import etree
from zeep import Client
from zeep.exceptions import Fault, SignatureVerificationFailed
from zeep.plugins import HistoryPlugin
from zeep.wsse.signature import BinarySignature, Signature, _make_verify_key, _verify_envelope_with_key
from zeep.wsse.utils import WSU, get_security_header

WAYS = {"certificate": Signature, "token": BinarySignature}
SIGNATURE = "{http://www.w3.org/2000/09/xmldsig#}Signature"
METHODS = {False: xmlsec.Transform.ECDSA_SHA256, True: xmlsec.Transform.RSA_SHA256}


class Stamped:
    """A Timestamp before it is signed. zeep verifies no reply that is not signed."""

    def __init__(self, way: str, key: str, certificate: str, device: str, lasts_s: int = 60) -> None:
        method = METHODS["BEGIN RSA" in Path(key).read_text()]
        self.signature = WAYS[way](key, certificate, None, method, xmlsec.Transform.SHA256)
        self.device, self.lasts_s = device, lasts_s

    def apply(self, envelope: Any, headers: Any) -> Any:
        now = datetime.now(UTC)
        times = WSU.Timestamp()
        times.append(WSU.Created(now.strftime("%Y-%m-%dT%H:%M:%SZ")))
        times.append(WSU.Expires((now + timedelta(seconds=self.lasts_s)).strftime("%Y-%m-%dT%H:%M:%SZ")))
        get_security_header(envelope).append(times)
        return self.signature.apply(envelope, headers)

    def verify(self, envelope: Any) -> Any:
        if self.device and get_security_header(envelope).find(SIGNATURE) is not None:  # a refusal has none
            verified(envelope, self.device)
        return envelope


def verified(envelope: Any, device: str) -> None:
    """Verifies as zeep does, with a certificate that is not the caller's own."""
    _verify_envelope_with_key(envelope, _make_verify_key(Path(device).read_bytes()))


def body_of(envelope: Any) -> bytes:
    """Returns the canonical form of the body, independent of its spelling."""
    return etree.tostring(envelope[1], method="c14n", exclusive=True, with_tail=False)


def changed(octets: bytes, device: str) -> tuple[int, list[int]]:
    """Returns the changed bits of the Body, and the undetected ones among them that change its meaning."""
    wanted = body_of(etree.fromstring(octets))
    begin, end, unseen = octets.index(b"<s:Body"), octets.index(b"</s:Body>") + 9, []
    for bit in range(8 * begin, 8 * end):
        other = bytearray(octets)
        other[bit // 8] ^= 1 << bit % 8
        try:
            envelope = etree.fromstring(bytes(other))
            verified(envelope, device)
        except (etree.XMLSyntaxError, etree.C14NError, SignatureVerificationFailed, IndexError, xmlsec.Error):
            continue
        if body_of(envelope) != wanted:
            unseen.append(bit - 8 * begin)
    return 8 * (end - begin), unseen


def main(origin: str, key: str, certificate: str, version: str, device: str = "") -> None:
    told: dict[str, Any] = {"levels": [], "calls": [], "faults": []}
    history = HistoryPlugin()

    def service(way: str, lasts_s: int = 60) -> Any:
        proof = Stamped(way, key, certificate, device, lasts_s)
        client = Client(f"{origin}/device?wsdl", wsse=proof, plugins=[history])
        return client.create_service(sorted(client.wsdl.bindings)[int(version == "1.2")], f"{origin}/device")

    for level, way in enumerate(WAYS, start=40):
        answer = service(way).get(level=level)
        told["levels"].append(answer.level)
        told["calls"].append(answer.calls)
    told["sent"] = etree.tostring(history.last_sent["envelope"]).decode()
    received = etree.tostring(history.last_received["envelope"])
    try:
        service("token", -5).get(level=1)
    except Fault as fault:
        told["faults"].append(str(fault.code) + " ".join(str(one) for one in fault.subcodes or ()))
    if device:
        told["changed"], told["unseen"] = changed(received, device)
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
