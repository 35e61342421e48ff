# SPDX-License-Identifier: MIT
"""Every type there and back, held against Python's json, decimal, datetime and base64."""

import base64
import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.harness import engine_of
from tests.services.support import APP, by_form, called, fault, got, result
from whit_testbed.engine import Engine

NUMBERS = {"u8": (0, 255, 0), "u16": (0, 65535, 3), "u32": (0, 2**32 - 1, 0)}
NUMBERS |= {"i8": (-128, 127, 1), "i16": (-32768, 32767, 2), "i32": (-(2**31), 2**31 - 1, 9)}
TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=39).filter(
    lambda text: len(text.encode()) < 40
)


device = engine_of(APP, scope="module")


def decimal(number: int, scale: int) -> Decimal:
    return Decimal(number).scaleb(-scale)


@st.composite
def numbers(draw: st.DrawFn) -> dict[str, Decimal]:
    """Draws some of the numbers, each anywhere in its range, often at an end."""
    names = draw(st.lists(st.sampled_from(sorted(NUMBERS)), unique=True))
    found = {}
    for name in names:
        low, high, scale = NUMBERS[name]
        found[name] = decimal(draw(st.integers(low, high) | st.sampled_from([low, high])), scale)
    return found


def as_json(values: dict[str, Any]) -> bytes:
    pairs = [f"{json.dumps(name)}: {value:f}" for name, value in values.items()]
    return f"{{{', '.join(pairs)}}}".encode()


@settings(max_examples=60, deadline=None)
@given(numbers())
def test_numbers(device: Engine, values: dict[str, Decimal]) -> None:
    expected = {name: Decimal(0) for name in NUMBERS} | {"i16": Decimal("-1.5")} | values
    form = "&".join(f"{name}={value:f}" for name, value in values.items())
    for answer in (called(device, "/every", as_json(values)), got(device, f"/every?{form}")):
        said = json.loads(answer.body, parse_float=Decimal, parse_int=Decimal)
        assert {name: said[name] for name in NUMBERS} == expected


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(NUMBERS)), st.integers(-(2**40), 2**40), st.integers(0, 11))
def test_numbers_out_of_range_or_too_fine(device: Engine, name: str, number: int, digits: int) -> None:
    low, high, scale = NUMBERS[name]
    value = decimal(number, digits)
    fits = low <= value.scaleb(scale) <= high and value.scaleb(scale) % 1 == 0
    # A whole number has no point, and no sign if its type has no negative values.
    spelled = f"{value:f}"
    fits = fits and (scale > 0 or "." not in spelled) and (low < 0 or "-" not in spelled)
    answer = called(device, "/every", f'{{"{name}":{spelled}}}'.encode())
    if fits:
        assert Decimal(json.loads(answer.body, parse_float=str, parse_int=str)[name]) == value
    else:
        assert fault(answer)["argument"] == name


FINE = ["1.5", "-1.5", "0.5", "1.50", "1.500000", "-0.0", "12", "-12.8", "12.7"]
WRONG = [
    "",
    "1.",
    ".5",
    "1..5",
    "1.5.",
    "1.55",
    "1.501",
    "12.8",
    "-12.9",
    "1e1",
    "1,5",
    "--1",
    "1-",
    " 1",
    "0x1",
    "1.5e0",
    "-",
]


@pytest.mark.parametrize("spelled", FINE)
def test_decimals_as_a_form_may_spell_them(device: Engine, spelled: str) -> None:
    assert result(got(device, f"/every?i8={spelled}"))["i8"] == float(spelled)


@pytest.mark.parametrize("spelled", WRONG)
def test_decimals_that_are_none(device: Engine, spelled: str) -> None:
    if spelled == "1.":
        assert result(got(device, "/every?i8=1."))["i8"] == 1
        return
    told = fault(got(device, f"/every?i8={quote_plus(spelled)}"))
    assert told == {"code": "Sender", "argument": "i8", "reason": "i8: expected a number from -12.8 to 12.7"}


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_texts(device: Engine, text: str) -> None:
    for body in (json.dumps({"text": text}), json.dumps({"text": text}, ensure_ascii=False)):
        assert result(called(device, "/every", body.encode()))["text"] == text
    assert result(got(device, f"/every?text={quote_plus(text)}"))["text"] == text
    assert f"\ntext: {text}\n".encode() in by_form(device, "/every", f"text={quote_plus(text)}".encode()).body


@settings(max_examples=40, deadline=None)
@given(st.binary(min_size=1, max_size=7).filter(lambda octets: 0 not in octets))
def test_octets_of_a_form(device: Engine, octets: bytes) -> None:
    """A str is UTF-8, or any octets where declared; JSON has U+FFFD for invalid UTF-8."""
    spelled = quote_plus(octets)
    told = result(got(device, f"/every?raw={spelled}"))["raw"]
    answer = got(device, f"/every?text={spelled}")
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        assert fault(answer)["argument"] == "text"
        assert "\ufffd" in told
    else:
        assert result(answer)["text"] == told == text


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=21))
def test_base64(device: Engine, octets: bytes) -> None:
    spelled = base64.b64encode(octets).decode()
    assert result(called(device, "/every", {"octets": spelled}))["octets"] == spelled
    assert result(got(device, f"/every?octets={quote_plus(spelled)}"))["octets"] == spelled


@pytest.mark.parametrize(
    "spelled", ["a", "ab", "abc", "abc=d", "ab=c", "=abc", "ab==abcd", "abc!", "abd=", "ab-_", "a" * 32]
)
def test_what_is_no_base64(device: Engine, spelled: str) -> None:
    assert fault(called(device, "/every", {"octets": spelled}))["argument"] == "octets"


LAST = 2**32 - 1
TIMES = st.integers(0, LAST) | st.sampled_from([0, 951782399, 951782400, 951868800, 4107542399, 4107542400, LAST])


@settings(max_examples=60, deadline=None)
@given(TIMES, st.integers(-23 * 60 - 59, 23 * 60 + 59), st.sampled_from(["", ".1", ".123456"]))
def test_times(device: Engine, unix_s: int, ahead: int, part: str) -> None:
    there = datetime.fromtimestamp(unix_s, timezone(timedelta(minutes=ahead)))
    spelled = there.isoformat()[:19] + part + there.isoformat()[19:]
    answer = called(device, "/every", {"when": spelled})
    if 1970 <= there.year <= 2105:
        utc = datetime.fromtimestamp(unix_s, UTC).isoformat().replace("+00:00", "Z")
        assert result(answer)["when"] == utc
    else:
        assert fault(answer)["argument"] == "when"


TIME = "2024-02-29T12:30:45Z"
BAD_TIMES = ["", TIME[:-1], TIME + "Z", "2023-02-29T12:30:45Z", "2100-02-29T00:00:00Z", "1969-12-31T23:59:59Z"]
BAD_TIMES += ["1970-01-01T00:00:00+00:01", "2106-01-01T00:00:00Z", "2024-02-29 12:30:45Z", "2024-02-29T24:00:00Z"]
BAD_TIMES += ["2024-02-29T12:60:45Z", "2024-02-29T12:30:61Z", "2024-00-10T12:30:45Z", "2024-13-10T12:30:45Z"]
BAD_TIMES += ["2024-04-31T12:30:45Z", "2024-04-00T12:30:45Z", "2024-02-29T12:30:45.Z", "2024-02-29T12:30:45+1:00"]
# Leap seconds are the last ones of a June or of a December, in UTC.
BAD_TIMES += ["2024-02-29T12:30:60Z", "2024-02-29T23:59:60Z", "2017-03-31T23:59:60Z", "2016-12-31T23:59:60+01:00"]
BAD_TIMES += ["2016-12-30T23:59:60Z", "2016-12-31T23:58:60Z", "2017-01-01T00:59:60Z", "2016-12-31T22:59:60Z"]
BAD_TIMES += ["2016-11-30T23:59:60Z", "2016-12-31T23:59:61Z", "2016-07-01T23:59:60Z", "2017-07-01T00:59:60+02:00"]
BAD_TIMES += [
    "2024-02-29T12:30:45+24:00",
    "2024-02-29T12:30:45+01:60",
    "2024-02-29T12:30:45+0100",
    "+024-02-29T12:30:45Z",
]


@pytest.mark.parametrize("spelled", BAD_TIMES)
def test_what_is_no_time(device: Engine, spelled: str) -> None:
    told = fault(called(device, "/every", {"when": spelled}))
    assert told["reason"] == "when: expected a time as 2026-11-23T15:48:10Z"


@pytest.mark.parametrize(
    ("spelled", "utc"),
    [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00Z"),
        ("2015-06-30T23:59:60Z", "2015-07-01T00:00:00Z"),
        ("2017-01-01T05:29:60+05:30", "2017-01-01T00:00:00Z"),
        ("2015-07-01T00:59:60+01:00", "2015-07-01T00:00:00Z"),
        ("2016-12-31T18:59:60-05:00", "2017-01-01T00:00:00Z"),
        ("1970-01-01T00:59:60+01:00", "1970-01-01T00:00:00Z"),
    ],
)
def test_leap_seconds(device: Engine, spelled: str, utc: str) -> None:
    """RFC 3339 section 5.7: each is the first second of the next day."""
    assert result(called(device, "/every", {"when": spelled}))["when"] == utc


@pytest.mark.parametrize(("zone", "most"), [("Z", 14), ("+01:00", 9)])
def test_parts_of_a_second(device: Engine, zone: str, most: int) -> None:
    """docs/services.md gives the number of digits."""
    for digits in (1, most):
        assert result(called(device, "/every", {"when": f"{TIME[:-1]}.{'9' * digits}{zone}"}))["when"][14:] == "30:45Z"
    assert fault(called(device, "/every", {"when": f"{TIME[:-1]}.{'9' * (most + 1)}{zone}"}))["argument"] == "when"


@pytest.mark.parametrize("spelled", ["1969-12-31T23:59:00-00:01", "2106-01-01T00:00:00+00:01"])
def test_the_year_of_a_time_is_judged_as_written(device: Engine, spelled: str) -> None:
    assert fault(called(device, "/every", {"when": spelled}))["argument"] == "when"
    assert result(called(device, "/every", {"when": "2105-12-31T23:59:59-00:01"}))["when"] == "2106-01-01T00:00:59Z"


@pytest.mark.parametrize("spelled", ["1970-01-01T00:00:00Z", "1990-09-09T09:09:09Z", "2099-12-31T23:59:59Z"])
def test_times_of_each_digit(device: Engine, spelled: str) -> None:
    assert result(called(device, "/every", {"when": spelled}))["when"] == spelled


def test_words_and_booleans(device: Engine) -> None:
    for unit in "cfk":
        assert result(called(device, "/every", {"unit": unit, "on": True}))["unit"] == unit
    assert fault(called(device, "/every", {"unit": "x"}))["reason"] == "unit: expected c, f or k"
    assert result(called(device, "/every", {"on": True}))["on"] is True
    assert result(called(device, "/every", {"on": None}))["on"] is False
    assert fault(called(device, "/every", {"on": 2}))["argument"] == "on"
    assert fault(called(device, "/every", {"u8": True}))["argument"] == "u8"


@pytest.mark.parametrize("spelled", ["true", "1", "false", "0", "%74rue", "on"])
def test_booleans_of_a_query_and_a_form(device: Engine, spelled: str) -> None:
    """A checkbox without a value sends "on"."""
    on = spelled in ("true", "1", "%74rue", "on")
    assert result(got(device, f"/every?on={spelled}"))["on"] is on
    assert f"\non: {str(on).lower()}\n".encode() in by_form(device, "/every", f"on={spelled}".encode()).body


NO_BOOLEANS = ["", "2", "TRUE", "tru", "truee", "true1", "01", "yes", "off", "ON", "onn", "o", "null", "true+"]


@pytest.mark.parametrize("spelled", NO_BOOLEANS)
def test_what_is_no_boolean(device: Engine, spelled: str) -> None:
    told = {"code": "Sender", "argument": "on", "reason": "on: expected true or false"}
    assert fault(got(device, f"/every?on={spelled}")) == told
    assert by_form(device, "/every", f"on={spelled}".encode()).body == b"fault: on: expected true or false\n"


def test_json_has_no_more_escapes_than_it_must(engine: Engine) -> None:
    """RFC 8259 section 7."""
    said = called(engine, "/every", {"text": ' !#[]~\x7fä\x1f\t"\\'})
    assert b'" !#[]~\x7f\xc3\xa4\\u001f\\u0009\\"\\\\"' in said.body
