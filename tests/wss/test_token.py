# SPDX-License-Identifier: MIT
"""UsernameToken and Timestamp: accepted ones, and the reason for each refusal."""

import hashlib
import itertools

import pytest

from tests.wss.host import NOW, PROFILE, Device, at, security, timestamp, token

NONCE = bytes(range(16))


@pytest.fixture(params=[1, 1000])
def device(request: pytest.FixtureRequest) -> Device:
    """Gets octets one by one, and all at once."""
    return Device(piece=request.param)


@pytest.mark.parametrize("order", ["".join(one) for one in itertools.permutations("uPnc")])
def test_elements_in_any_order(device: Device, order: str) -> None:
    assert device.ask(security(token(order=order))) == ""


@pytest.mark.parametrize("length", [1, 2, 3, 15, 16, 20, 31, 32])
def test_nonces_of_every_length(device: Device, length: int) -> None:
    assert device.ask(security(token(nonce=bytes(range(length))))) == ""
    assert device.ask(security(token(nonce=bytes(33)))) == "invalid"


def test_others_and_their_spelling(device: Device) -> None:
    assert device.ask(security(token("Zoë", 'päss "word"'))) == ""
    assert device.ask(security(token(nonce=b"a", encoding=""))) == ""
    for created in (at(NOW)[:-1] + ".250Z", at(NOW)[:-1] + "+00:00", at(NOW + 3600)[:-1] + ".123456+01:00"):
        assert device.ask(security(token(created=created))) == ""
    assert device.ask(security(timestamp(), token(nonce=b"b"))) == ""
    assert device.ask(security(token(nonce=b"c"), "<other><wsse:UsernameToken/></other>", timestamp())) == ""


def test_line_breaks_in_base64(device: Device) -> None:
    broken = token().replace('Binary">', 'Binary">\n  ').replace("</wsse:Nonce>", "\n</wsse:Nonce>")
    assert device.ask(security(broken)) == ""


@pytest.mark.parametrize("bit", range(160))
def test_every_bit_of_the_digest(device: Device, bit: int) -> None:
    right = hashlib.sha1(NONCE + at(NOW).encode() + b"secret").digest()
    wrong = bytearray(right)
    wrong[bit // 8] ^= 1 << bit % 8
    assert device.ask(security(token(nonce=NONCE, digest=bytes(wrong)))) == "failed"
    assert device.ask(security(token(nonce=NONCE, digest=right))) == ""


DIGEST = f' Type="{PROFILE}#PasswordDigest"'
REFUSED = [
    ("nobody", security(token("bob")), "failed"),
    ("alic", security(token("alic")), "failed"),
    ("alices", security(token("alices")), "failed"),
    ("blank", security(token("alice ")), "failed"),
    ("another's password", security(token("Zoë")), "failed"),
    ("wrong password", security(token(password="Secret")), "failed"),
    ("no token", security(), "invalid"),
    ("timestamp alone", security(timestamp()), "invalid"),
    ("two tokens", security(token("bob"), token()), "invalid"),
    ("two timestamps", security(timestamp(), timestamp(), token()), "invalid"),
    ("in the clear", security(token(kind=f' Type="{PROFILE}#PasswordText"')), "unsupported"),
    ("of no type", security(token(kind="")), "unsupported"),
    ("a type elsewhere", security(token(kind="").replace("Username>", f"Username{DIGEST}>", 1)), "unsupported"),
    ("longer type", security(token(kind=f' Type="{PROFILE}#PasswordDigests"')), "unsupported"),
    ("encoding", security(token(encoding=' EncodingType="#HexBinary"')), "invalid"),
    ("elsewhere", f"<a>{security(token())}</a>", "invalid"),
    ("inside of another", security(f"<other>{token()}</other>"), "invalid"),
    ("an element inside", security(token().replace("</wsse:Username>", "<x/></wsse:Username>")), "invalid"),
    ("no time", security(token(created="yesterday")), "invalid"),
    ("a long time", security(token(created=at(NOW)[:-1] + "." + "1" * 30 + "Z")), "invalid"),
    ("a long name", security(token("a" * 45)), "invalid"),
    ("expired", security(token(), timestamp(NOW - 60, NOW - 1)), "expired"),
    ("ends before it begins", security(token(), timestamp(NOW + 20, NOW + 10)), "expired"),
    ("old timestamp", security(token(), timestamp(NOW - 301)), "expired"),
    ("old", security(token(created=at(NOW - 301))), "expired"),
    ("of the future", security(token(created=at(NOW + 61))), "expired"),
    *((f"without {one}", security(token(order="uPnc".replace(one, ""))), "invalid") for one in "uPnc"),
    *((f"two of {one}", security(token(order=f"uPnc{one}")), "invalid") for one in "uPnc"),
]


@pytest.mark.parametrize(("message", "fault"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_refused_and_nothing_kept(device: Device, message: str, fault: str) -> None:
    assert device.ask(message) == fault
    assert device.writes == 0
    assert device.ask(security(token())) == ""


def test_bounds_of_time_are_taken(device: Device) -> None:
    assert device.ask(security(token(created=at(NOW + 60)))) == ""
    assert device.ask(security(token(created=at(NOW - 300)))) == ""
    assert device.ask(security(token(nonce=b"x"), timestamp(NOW, NOW))) == ""
