# SPDX-License-Identifier: MIT
"""No message runs twice: remembered or forgotten, across restarts, with a clock and without."""

import random

import pytest

from tests.wss.host import NOW, Device, at, security, token

SEEN, STEP_S = 16, 64
BUILT = 1_700_000_000
LAST = 4_291_747_199  # of 2105


def made(number: int, created: float = NOW) -> str:
    return security(token(nonce=number.to_bytes(8, "big"), created=at(created)))


def test_a_message_that_came_before() -> None:
    device = Device()
    for number in range(8):
        assert device.ask(made(number, NOW + number)) == ""
    for number in range(8):
        assert device.ask(made(number, NOW + number)) == "failed"


def test_what_is_forgotten_is_too_old() -> None:
    device = Device()
    for number in range(SEEN + 4):
        assert device.ask(made(number, NOW + number)) == ""
    # The first four are forgotten, and what was made then is refused, were it new or not.
    for number in range(4):
        assert device.ask(made(number, NOW + number)) == "expired"
        assert device.ask(made(100 + number, NOW + number)) == "expired"
    for number in range(4, SEEN + 4):
        assert device.ask(made(number, NOW + number)) == "failed"


def test_more_in_one_second_than_are_remembered() -> None:
    device = Device()
    said = [device.ask(made(number)) for number in range(SEEN + 3)]
    assert said == [""] * SEEN + ["expired"] * 3
    assert device.ask(made(99, NOW + 1)) == ""
    assert all(device.ask(made(number)) != "" for number in range(SEEN + 3))


def test_none_runs_twice_whatever_comes(seed: int) -> None:
    """Messages of some hundred seconds in any order, most of them again, with restarts."""
    rng = random.Random(seed)
    device, taken = Device(), set[tuple[int, float]]()
    for step in range(2000):
        device.set("uint32", "host_unix_s", NOW + step // 4)
        one = (rng.randrange(200), NOW + rng.randrange(-20, 40) + step // 4)
        if rng.random() < 0.3 and taken:
            one = rng.choice(sorted(taken))
        if device.ask(made(*one)) == "":
            assert one not in taken
            taken.add(one)
        if rng.random() < 0.01:
            device.restart()
    assert len(taken) > 100


def test_restart() -> None:
    device = Device()
    assert device.ask(made(1)) == ""
    device.restart()
    assert device.ask(made(1)) == "expired"
    assert device.ask(made(2, NOW + STEP_S)) == "expired"
    device.set("uint32", "host_unix_s", NOW + STEP_S + 1)
    assert device.ask(made(2, NOW + STEP_S + 1)) == ""


def test_memory_is_written_seldom() -> None:
    device = Device()
    for number in range(STEP_S + 1):
        device.set("uint32", "host_unix_s", NOW + number)
        assert device.ask(made(number, NOW + number)) == ""
    assert device.writes == 1
    device.set("uint32", "host_unix_s", NOW + STEP_S + 1)
    assert device.ask(made(0, NOW + STEP_S + 1)) == ""
    assert device.writes == 2


def test_memory_that_fails() -> None:
    device = Device()
    device.set("bool", "host_fails", 1)
    assert device.ask(made(1)) == "broken"
    device.set("bool", "host_fails", 0)
    assert device.ask(made(1)) == ""


def test_without_a_clock() -> None:
    """The time comes from authenticated callers, plus the time passed since then."""
    device = Device(0)
    assert device.ask(made(1, BUILT - 301)) == "expired"
    assert device.ask(security(token(password="wrong", created=at(NOW + 9999)))) == "failed"
    assert device.ask(made(1, NOW)) == ""
    assert device.ask(made(2, NOW - 301)) == "expired"
    assert device.ask(made(2, NOW - 300)) == ""
    device.code.host_pass(100_000)
    assert device.ask(made(3, NOW - 201)) == "expired"
    assert device.ask(made(3, NOW - 200)) == ""
    device.restart()
    assert device.ask(made(3, NOW - 200)) == "expired"
    assert device.ask(made(4, NOW + STEP_S)) == "expired"
    assert device.ask(made(4, NOW + STEP_S + 1)) == ""


@pytest.mark.parametrize("created", [LAST, LAST - 60])
def test_the_end_of_time(created: int) -> None:
    device = Device(0)
    assert device.ask(made(1, created)) == ""
    assert device.ask(made(1, created)) == "failed"
    device.restart()
    assert device.ask(made(2, LAST)) == "expired"
