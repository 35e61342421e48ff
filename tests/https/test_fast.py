# SPDX-License-Identifier: MIT
"""HTTPS with the fast kinds of parts and a large shared buffer, as Linux has them."""

from itertools import product
from pathlib import Path
from string import ascii_letters

import pytest

from tests.https.secured import Secured, started
from tests.https.test_strategies import APPLICATION, TARGETS
from tests.strategies.conftest import text
from tests.support import MADE_FILES, get
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

LARGE = 20_000
CHANGING = """// SPDX-License-Identifier: MIT
/* <generator><handlers doGet="write"/><properties persistence="idempotent"/></generator> */
#include <whit/app.h>

static char write(struct args_t *args)
{{
    static uint8_t run;
    static const char said[2][5] = {{"{0}", "{1}"}};
    (void)args;
    out_mem(said[run++ % 2], 4);
    for (uint16_t i = 0; i < 1996; i++)
        out_c('.');
    return 1;
}}
"""


def test_requests_and_parts_of_them_in_records(application: Path) -> None:
    with started(application, heads="code", buffer=LARGE) as engine:
        client = Secured(Net(engine))
        for cut in range(1, 60, 7):
            three = get("/n752.bin") * 3
            client.say(three + get("/n33.bin")[:cut])
            client.say(get("/n33.bin")[cut:])
            assert [len(one.body) for one in client.wait(4)] == [752, 752, 752, 33]
        assert client.get("/n57254.bin").body == MADE_FILES["n57254.bin"]


def test_each_kind_of_generator() -> None:
    with started(APPLICATION, heads="code", buffer=LARGE) as engine:
        bad = Impairment(delay_us=2 * MS, loss=0.1, duplicate=0.05, reorder=0.05)
        client = Secured(Net(engine, up=bad, seed=3))
        for target, length in TARGETS.items():
            assert text(length - 7) in client.get(target).body, target
        _, repeated, broken = engine.nonces
        assert repeated > 0 and broken == 0


def same_short_hash() -> tuple[str, str]:
    """Returns two texts with the same hash of 16 bits, as used without TLS."""
    found: dict[int, str] = {}
    for letters in product(ascii_letters, repeat=4):
        number = 0
        for letter in letters:
            number = (number * 40507 + ord(letter)) & 0xFFFF
        if found.setdefault(number, "".join(letters)) != "".join(letters):
            return found[number], "".join(letters)
    raise AssertionError


@pytest.mark.parametrize("heads", ["", "code"])
def test_a_text_that_changes_is_never_sealed(heads: str) -> None:
    """A changed text must not be sealed with the same nonce; the longer keyed hash of TLS detects the change."""
    files = {"app.toml": 'name = "changing"\n', "changing.c": CHANGING.format(*same_short_hash())}
    with started(files, heads=heads) as engine:
        reset = 0
        for seed in range(6):
            client = Secured(Net(engine, down=Impairment(delay_us=2 * MS, loss=0.3), seed=seed))
            client.say(get("/changing"))
            client.wait()
            reset += client.connection.reset
        assert reset > 0 and engine.nonces[2] == 0
