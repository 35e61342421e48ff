# SPDX-License-Identifier: MIT
"""Answers to a nonce agree with independent results: hashlib, RFC 8032's arithmetic, an exchange with a MySQL
server."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from tests.database.exchange import LOGIN, NONCE, Server, asked, greeting, ok, packet, packets, switch
from tests.database.library import FAILED, Database, Query, Settings, ffi

PASSWORDS = ("secret", "x", "a long password of more than one block: " + 200 * "ä", '\\"?' + chr(1) + "0")
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE = (15112221349535400772501151409588531511454012693041857206046113283949847762202, 4 * pow(5, -1, P) % P)


def hashed(name, *parts):
    return hashlib.new(name, b"".join(parts)).digest()


def mixed(one, other):
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def answer_of(database, method, nonce):
    octets = ffi.new("uint8_t[64]")
    len_ = getattr(database.c, f"login_{method}")(octets, nonce)
    return bytes(octets)[:len_]


def plus(a, b):
    """Returns the sum of two points of the curve, by the equation of RFC 8032, 5.1.4."""
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def times(number, point):
    result = (0, 1)
    while number:
        if number & 1:
            result = plus(result, point)
        point, number = plus(point, point), number >> 1
    return result


def encoded(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


@pytest.fixture(params=PASSWORDS, ids=["short", "one", "long", "odd"])
def database(request):
    toml = Settings(("SELECT 1",), password=request.param)
    return Database(toml)


def test_native(database):
    password = database.settings.password.encode()
    expected = mixed(hashed("sha1", password), hashed("sha1", NONCE, hashed("sha1", hashed("sha1", password))))
    assert answer_of(database, "native", NONCE) == expected


@pytest.mark.parametrize("method", ["native", "sha2"])
def test_no_password_is_no_answer(method):
    assert answer_of(Database(Settings(("SELECT 1",))), method, NONCE) == b""


def test_sha2(database):
    password = database.settings.password.encode()
    expected = mixed(hashed("sha256", password), hashed("sha256", hashed("sha256", hashed("sha256", password)), NONCE))
    assert answer_of(database, "sha2", NONCE) == expected


def test_ed25519(database):
    """The answer is the signature of the nonce; the password is the secret key."""
    nonce = bytes(range(100, 132))
    key = hashed("sha512", database.settings.password.encode())
    scalar = int.from_bytes(key[:32], "little") & (1 << 254) - 8 | 1 << 254
    public = encoded(times(scalar, BASE))
    once = int.from_bytes(hashed("sha512", key[32:], nonce), "little") % L
    point = encoded(times(once, BASE))
    challenge = int.from_bytes(hashed("sha512", point, public, nonce), "little") % L
    expected = point + ((once + challenge * scalar) % L).to_bytes(32, "little")
    assert answer_of(database, "ed25519", nonce) == expected


def test_sha2_as_a_mysql_server_took_it():
    """The nonce and the answer come from an exchange with MySQL 8; the password is "secret"."""
    nonce = bytes([90, 105, 74, 126, 30, 48, 37, 56, 3, 23, 115, 127, 69, 22, 41, 84, 32, 123, 43, 118])
    taken = "662005238fa18cf1abe8388b2b0e6bc4f9aa933cdccc78b2d60fb8961a3d39eb"
    database = Database(Settings(("SELECT 1",), password="secret"))
    assert answer_of(database, "sha2", nonce).hex() == taken


@limits(max_examples=20, deadline=None)
@given(nonce=st.binary(min_size=20, max_size=20).filter(lambda one: 0 not in one))
def test_a_server_of_mysql_8(nonce):
    """MySQL 8 uses caching_sha2_password; it knows the hash, and confirms it before its OK."""
    database = Database(Settings(("SELECT 1",), password="secret"))
    server = Server([packet(0, greeting(b"caching_sha2_password", nonce=nonce)), packets(2, b"\1\3", ok())])
    server.until(database, Query(database, 0).begin)
    assert database.events()["CONNECTED"] == 1
    assert b"\x20" + answer_of(database, "sha2", nonce) in bytes(server.heard[0])
    assert bytes(server.heard[0]).endswith(b"whit\0caching_sha2_password\0")


def test_the_server_changes_the_method():
    """The server switches to the user's method, with another nonce. The next answer has the proof only."""
    database = Database(Settings(("SELECT 1",), password="secret"))
    nonce = b"abcdefghijklmnopqrst"
    server = Server([LOGIN[0], packet(2, switch(b"caching_sha2_password", nonce)), packets(4, b"\1\3", ok())])
    server.until(database, Query(database, 0).begin)
    assert database.events()["CONNECTED"] == 1
    assert bytes(server.heard[1]) == packet(3, answer_of(database, "sha2", nonce))


@pytest.mark.parametrize("login", ["mysql_native_password", "caching_sha2_password", "client_ed25519"])
def test_nothing_of_the_password_goes_to_a_method_that_is_not_allowed(login):
    """The first answer, before the server has named the user's method, contains no proof either."""
    database = Database(Settings(("SELECT 1",), password="secret", login=login))
    usual = b"caching_sha2_password" if login == "mysql_native_password" else b"mysql_native_password"
    server = Server([packet(0, greeting(usual)), packet(2, switch(usual))])
    assert asked(database, server, Query(database, 0))[0] == FAILED
    said = bytes(server.heard[0])
    assert said.index(b"whit\0\0whit\0") > 0  # user, an answer of no octets, database
    assert database.events()["METHOD"] == 1
