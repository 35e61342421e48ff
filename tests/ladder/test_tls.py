# SPDX-License-Identifier: MIT
"""Ladders of HTTPS: the handshake, records, and resealed records."""

from whit.image.build import build
from whit.ladder.records import records, said
from whit.ladder.steps import Ladder
from whit.ladder.text import plain
from whit.paths import ROOT
from whit.wire.units import MS
from whit_lab.instruments import secured
from whit_lab.instruments.secured import Secured
from whit_testbed.engine import Engine
from whit_testbed.ladder_watch import record
from whit_testbed.link import Impairment
from whit_testbed.net import Net

PAGE_RECORD = 400  # octets of a frame that only one of the page's has


def loaded() -> Ladder:
    """A page, of which a record is lost once."""
    image = build(ROOT / "apps" / "contacts", target="inprocess", overrides=secured.settings()).image
    lost: list[bytes] = []
    with Engine(image, key=secured.device_key()) as engine:
        net = Net(engine, up=Impairment(delay_us=10 * MS))
        client: list[Secured] = []

        def drop(frame: bytes) -> bool:
            if len(frame) < PAGE_RECORD or lost or not client or not client[0]._open:
                return False
            lost.append(frame)
            return True

        def act() -> None:
            client.append(Secured(net))
            assert client[0].get("/").status == 200

        net.down.drop = drop
        ladder = record(net, "a page by HTTPS", act)
    assert len(lost) == 1
    return ladder


def test_the_handshake_and_records_are_named() -> None:
    labels = [(step.left_to_right, step.label, step.again) for step in loaded().steps]
    up = [label for is_up, label, again in labels if is_up and not again]
    down = [(label, again) for is_up, label, again in labels if not is_up]
    assert "ClientHello" in up and "CCS, records 1 to 2" in up  # Finished, and the request
    assert any(label.startswith("ServerHello, CCS") for label, _ in down)
    again = [label for label, is_again in down if is_again]
    assert again and all("sealed again" in label for label in again)
    assert not any("sealed again" in label for label, is_again in down if not is_again)
    assert "GET" not in plain(loaded())


def test_what_is_no_tls_has_no_records() -> None:
    assert records(b"GET / HTTP/1.1\r\n\r\n") == [] and records(b"") == [] and records(b"\x16\x03") == []


def test_parts_of_records() -> None:
    octets = (
        b"\x16\x03\x03\0\2\2\0"
        + b"\x14\x03\x03\0\1\1"
        + b"\x17\x03\x03\0\x03abc" * 2
        + b"\x15\x03\x03\0\2\2\x14"
        + b"\x17\x03\x03\0\x09a"
    )
    found = records(octets)
    assert [one.name for one in found] == ["ServerHello", "CCS", "record", "record", "alert", "record"]
    assert said(found, 1, 14) == "ServerHello, CCS" and said(found, 14, 15) == "record 1"
    assert (
        said(found, 8, 30) == "CCS, records 1 to 2" and said(found, 14, 30, again=True) == "records 1 to 2 sealed again"
    )
    assert said(found, 30, 37) == "alert" and said(found, 37, 100) == "record 3" and said(found, 200, 300) == ""


def test_a_hello_retry_request_is_told() -> None:
    random = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
    message = b"\2\0\0\x26\3\3" + random + bytes(4)
    assert [one.name for one in records(b"\x16\3\3" + len(message).to_bytes(2, "big") + message)] == [
        "HelloRetryRequest"
    ]
