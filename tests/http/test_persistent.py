# SPDX-License-Identifier: MIT
"""Named areas of persistent memory: load returns valid data, saved by the same layout, or the defaults."""

import json
import random
import re

import pytest

from tests.conftest import seed_of_run
from tests.harness import Make, ask, maker_of, opened, written
from tests.http.app_client import post
from tests.support import built
from whit.compiler import compile_application
from whit.compiler.model import Area
from whit.compiler.persistent import seal_of
from whit.paths import ROOT
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "persistent"
FORM = "application/x-www-form-urlencoded"
DEFAULTS = '00 -3 4000000000 -2147483648 0 2 1 7 7 7 lä"\\'


make = maker_of(APP)


@pytest.fixture(scope="module")
def areas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Area]:
    application = compile_application(APP, tmp_path_factory.mktemp("compiled") / "out")
    return {area.name: area for area in application.memory.areas}


def said(engine: Engine, path: str = "/all") -> str:
    response = ask(engine, path)
    assert response.status == 200
    return response.body.decode()


def sent(engine: Engine, path: str, form: str) -> str:
    response = post(engine, path, FORM, form.encode())
    return response.body.decode() if response.status == 200 else str(response.status)


def size(areas: dict[str, Area]) -> int:
    return max(area.address + area.len for area in areas.values())


def test_defaults_until_something_is_saved(make: Make, areas: dict[str, Area]) -> None:
    engine = make()
    assert said(engine) == DEFAULTS
    assert sent(engine, "/all", "small=-5&level=9&name=abc") == "11"
    assert said(engine) == "11 -5 4000000000 -2147483648 0 2 1 7 7 9 abc"
    assert said(make(persistent=engine.persistent(size(areas)))) == "11 -5 4000000000 -2147483648 0 2 1 7 7 9 abc"


def test_text_is_closed(make: Make) -> None:
    engine = make()
    assert sent(engine, "/all", "small=1&level=1&name=abcdefgh") == "11"
    assert said(engine).endswith(" abcde")


@pytest.mark.parametrize("form", ["small=6&level=1", "small=-6&level=1", "small=1&level=0", "small=1&level=10"])
def test_value_out_of_its_range_is_not_saved(make: Make, form: str) -> None:
    engine = make()
    assert sent(engine, "/all", form) == "00"
    assert engine.persistent_writes == 0


def test_write_that_fails(make: Make) -> None:
    engine = make()
    assert sent(engine, "/all", "small=2&level=1") == "11"
    engine.persistent_fail_after(0)
    assert sent(engine, "/all", "small=3&level=1") == "10"
    assert said(engine).startswith("11 2 ")


def place_of(area: Area, field: str) -> int:
    """Returns the address of a field, computed from the struct's members."""
    at = area.address + 2
    for member in area.members:
        kind, name, cnt = re.fullmatch(r"(\w+) (\w+)(?:\[(\d+)\])?", member).groups()  # type: ignore[union-attr]
        if name == field:
            return at
        at += {"uint16_t": 2, "int16_t": 2, "uint32_t": 4, "int32_t": 4}.get(kind, 1) * int(cnt or 1)
    raise AssertionError(field)


def sealed(area: Area, memory: bytearray) -> bytes:
    record = memory[area.address : area.address + area.record_len]
    memory[area.address : area.address + 2] = seal_of(area.seed, bytes(record[2:])).to_bytes(2, "little")
    return bytes(memory)


@pytest.mark.parametrize(
    ("field", "octets"),
    [
        ("small", b"\x06"),
        ("small", b"\xfa"),
        ("wide", (4_000_000_002).to_bytes(4, "little")),
        ("mode", b"\x03"),
        ("lamp", b"\x02"),
        ("levels", b"\x01\x00\x01\x00\x0a\x00"),
        ("levels", b"\x00\x00\x01\x00\x09\x00"),
    ],
)
def test_each_range_is_checked_where_the_seal_holds(
    make: Make, areas: dict[str, Area], field: str, octets: bytes
) -> None:
    engine, area = make(), areas["all"]
    assert sent(engine, "/all", "small=1&level=1&name=x") == "11"
    memory = bytearray(engine.persistent(size(areas)))
    assert sealed(area, bytearray(memory)) == bytes(memory)
    place = place_of(area, field)
    memory[place : place + len(octets)] = octets
    assert said(make(persistent=sealed(area, memory))) == DEFAULTS.replace("00", "01", 1)


def test_every_octet_of_a_record_is_under_its_seal(make: Make, areas: dict[str, Area]) -> None:
    engine, area = make(), areas["all"]
    assert sent(engine, "/all", "small=1&level=1&name=x") == "11"
    memory = engine.persistent(size(areas))
    for at in range(area.address, area.address + area.record_len):
        damaged = bytearray(memory)
        damaged[at] ^= 0x10
        assert said(make(persistent=bytes(damaged))) == DEFAULTS
    for blank in (b"\x00", b"\xff"):
        assert said(make(persistent=blank * size(areas))) == DEFAULTS


def test_records_by_index_and_a_form_of_their_fields(make: Make) -> None:
    engine = make()
    assert said(engine, "/entry?number=9&text=abc") == "9abc 001 001 001 001"
    assert sent(engine, "/entry", "number=2&text=two") == "1"
    assert sent(engine, "/entry", "number=4&text=x") == "0"  # no such record, and nothing after it is written
    assert said(engine, "/entry?number=0&text=") == "0 001 112twot 001 001"
    assert sent(engine, "/entry", "text=x") == sent(engine, "/entry", "number=1&text=four") == "400"


def test_octets_without_a_name_do_not_reach_the_areas(make: Make) -> None:
    engine = make()
    assert sent(engine, "/all", "small=1&level=1&name=x") == "11"
    for address, cnt in ((0, 6), (5, 1), (4, 2), (65535, 2)):
        assert said(engine, f"/raw?address={address}&cnt={cnt}") == "011"
    assert said(engine).startswith("11 1 ")


def test_random_octets_are_the_defaults(make: Make, areas: dict[str, Area]) -> None:
    chance = random.Random(seed_of_run())
    for _ in range(20):
        engine = make(persistent=chance.randbytes(size(areas)))
        assert said(engine) == DEFAULTS
        assert said(engine, "/entry?number=1&text=") == "1 001 001 001 001"


URLS = {
    "form": {"/settings": {"interval": 60, "mode": "auto", "lamp": False, "name": ""}},
    "contacts": {"/cb_extract": [], "/cb_get?id=0": None},
    "plain": {"/visits": 1},
}


@pytest.mark.parametrize("app", sorted(path.parent.name for path in (ROOT / "apps").glob("*/app.toml")))
def test_applications_bear_random_octets(make_app: Make, app: str) -> None:
    """Each answers as with memory that was never written, and does not crash."""
    chance = random.Random(seed_of_run())
    length = built(ROOT / "apps" / app).application.limits.persistent_size
    for _ in range(8 if length else 1):
        engine = make_app(app, persistent=chance.randbytes(length))
        for url, expected in URLS.get(app, {}).items():
            assert json.loads(ask(engine, url).body) == expected
        # Pages of the catalogue that ask a database fail: this test has no database.
        assert ask(engine, "/about.html" if app == "catalogue" else "/").status in (200, 404)
        if app == "upload":
            assert ask(engine, "/picture.png").status == 404


def test_two_examples_in_one_application() -> None:
    """The counter of apps/plain and the settings of apps/form do not overwrite each other."""
    files, text = {}, ""
    for name, file in (("plain", "visits.c"), ("form", "settings.c")):
        files[file] = (ROOT / "apps" / name / file).read_bytes()
        toml = (ROOT / "apps" / name / "app.toml").read_text()
        text += "".join(re.findall(r"^\[persistent\.(?:.+\n)+", toml, re.MULTILINE))
    app = written({**files, "app.toml": text})
    engine = opened(app)
    for visit in range(1, 5):
        assert ask(engine, "/visits").body == b"%d" % visit
    assert json.loads(ask(engine, "/settings").body) == URLS["form"]["/settings"]
    assert sent(engine, "/settings", "interval=3600&name=me") == "303"
    saved = json.loads(ask(engine, "/settings").body)
    assert saved == {"interval": 3600, "mode": "auto", "lamp": False, "name": "me"}
    assert ask(engine, "/visits").body == b"5"
    size = built(app).application.limits.persistent_size
    again = opened(app, persistent=engine.persistent(size))
    assert json.loads(ask(again, "/settings").body) == saved
    assert ask(again, "/visits").body == b"6"
    engine.close()
    again.close()
