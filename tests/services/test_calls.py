# SPDX-License-Identifier: MIT
"""One function is called by JSON, by forms and by GET; and its faults."""

import pytest

from tests.bodies.support import FORM, ask, chunked, posted
from tests.services.support import JSON, by_form, called, fault, got, result
from tests.support import exchange
from whit.wire.http import request
from whit_testbed.engine import Engine

NESTED = {
    "squares": [0, 1],
    "points": [
        {"x": -0.3, "names": ["a0"], "inner": {"deep": False}},
        {"x": -0.2, "names": ["b0"], "inner": {"deep": True}},
    ],
    "one": {"last": None},
}
NESTED_TEXT = """\
squares: 0
squares: 1
points:
  x: -0.3
  inner:
    deep: false
one:
  last: null
"""


def test_json_and_get_say_the_same(engine: Engine) -> None:
    answer = called(engine, "/nested", {"points": 2, "each": 1})
    assert answer.body == got(engine, "/nested?points=2&each=1").body
    points = [dict(point, names=["a0", "b0"][i : i + 1]) for i, point in enumerate(NESTED["points"])]  # type: ignore
    assert result(answer) == NESTED | {"squares": [0], "points": points}


def test_arrays_of_every_length(engine: Engine) -> None:
    for points in range(7):
        for each in (0, 1, 2, 3, 5, 12, 13, 255):
            said = result(called(engine, "/nested", {"points": points, "each": each}))
            assert said["squares"] == [i * i for i in range(min(each, 12))]
            assert [point["names"] for point in said["points"]] == [
                [f"{chr(97 + i)}{j}" for j in range(each % 4)] for i in range(points)
            ]
            assert [point["inner"]["deep"] for point in said["points"]] == [i % 2 == 1 for i in range(points)]


def test_a_form_is_answered_in_lines(engine: Engine) -> None:
    answer = by_form(engine, "/nested", b"points=1&each=8")
    assert dict(answer.fields)["content-type"] == "text/plain; charset=utf-8"
    lines = "".join(f"squares: {i * i}\n" for i in range(8))
    assert answer.body.decode() == lines + NESTED_TEXT.partition("1\n")[2]
    refused = by_form(engine, "/nested", b"points=7&each=0")
    assert (refused.status, refused.body) == (400, b'fault: at most "6" points\\\n')
    wrong = by_form(engine, "/nested", b"points=1")
    assert (wrong.status, wrong.body) == (400, b"fault: missing: each: expected a number from 0 to 255\n")


def test_json_under_the_type_of_a_form(engine: Engine) -> None:
    """curl -d sends JSON with the type of a form."""
    assert result(called(engine, "/nested", {"points": 0, "each": 0}, kind=FORM))["points"] == []
    assert result(called(engine, "/plain", b" {}", kind=JSON))["ticks"] == 1
    assert by_form(engine, "/nested", b"points=0&each=0&x={").status == 200
    assert by_form(engine, "/nested", b"points=0&each={").status == 400


def test_a_persistent_one_runs_once_and_has_no_get(engine: Engine) -> None:
    assert result(called(engine, "/once", {"by": 5})) == {"sum": 5}
    assert result(called(engine, "/once", {"by": -7})) == {"sum": -2}
    refused = got(engine, "/once?by=1")
    assert (refused.status, dict(refused.fields)["allow"]) == (405, "POST, PUT")
    assert result(ask(engine, posted("/once", b'{"by":2}', JSON, method="PUT"))) == {"sum": 0}


def test_json_alone_is_taken_where_forms_are_not(engine: Engine) -> None:
    assert by_form(engine, "/once", b"by=1").status == 415
    assert called(engine, "/once", {"by": 1}, kind=FORM).status == 415
    assert called(engine, "/once", {"by": 1}, kind="Content-Type: text/plain").status == 415
    for method in ("POST", "PUT"):  # without a type and a body, as a page of another site can make a browser send
        assert ask(engine, request("/once", method=method)).status == 415
        assert ask(engine, posted("/once", b"", method=method)).status == 415
        empty = request("/once", "Transfer-Encoding: chunked", method=method, body=b"0\r\n\r\n")
        assert ask(engine, empty).status == 415
    assert result(called(engine, "/once", {"by": 0})) == {"sum": 0}


def test_a_volatile_one_runs_once_for_a_request(engine: Engine) -> None:
    for ticks in (1, 2, 3):
        assert result(got(engine, "/plain")) == {"ticks": ticks}
    assert result(called(engine, "/plain", {})) == {"ticks": 4}
    assert result(ask(engine, posted("/plain", b""))) == {"ticks": 5}
    assert by_form(engine, "/plain", b"").body == b"ticks: 6\n"


def test_json_without_an_octet_has_no_members(engine: Engine) -> None:
    """fetch() sends an empty body with the type alone. The call succeeds if no argument is required, else one is
    missing."""
    chunked = "Transfer-Encoding: chunked"
    for ticks, octets in enumerate((posted("/plain", b"", JSON), request("/plain", JSON, method="POST")), 1):
        assert result(ask(engine, octets)) == {"ticks": ticks}
    assert result(ask(engine, request("/plain", JSON, chunked, method="POST", body=b"0\r\n\r\n"))) == {"ticks": 3}
    for method in ("POST", "PUT"):
        refused = ask(engine, posted("/once", b"", JSON, method=method))
        assert refused.status == 400 and b"by: " in refused.body
    assert called(engine, "/once", b"{", kind=JSON).status == 400
    assert result(called(engine, "/once", {"by": 0})) == {"sum": 0}


def test_a_head_has_the_length(engine: Engine) -> None:
    answer = exchange(engine, request("/plain", method="HEAD"), "HEAD").responses[0]
    assert (answer.status, dict(answer.fields)["content-length"], answer.body) == (200, "11", b"")


def test_nothing_taken_and_nothing_given(engine: Engine) -> None:
    assert result(called(engine, "/quiet", {})) == {}
    assert result(called(engine, "/quiet", {"more": 1})) == {}
    assert by_form(engine, "/quiet", b"x=1").body == b""
    assert fault(called(engine, "/quiet", b"{"))["code"] == "Sender"


FAULTS = [
    ("refused", 409, {"code": "Sender", "reason": "not now"}),
    ("badly", 500, {"code": "Receiver", "reason": "the function failed"}),
]


@pytest.mark.parametrize(("how", "status", "told"), FAULTS)
def test_faults_of_the_function(engine: Engine, how: str, status: int, told: dict[str, str]) -> None:
    assert fault(called(engine, "/once", {"by": 1, "how": how}), status) == told
    assert result(called(engine, "/once", {"by": 1})) == {"sum": 2}


def test_a_fault_is_not_kept_for_the_next(engine: Engine) -> None:
    assert fault(called(engine, "/nested", {"points": 7, "each": 0}))["reason"] == 'at most "6" points\\'
    assert fault(called(engine, "/once", {"by": 1, "how": "badly"}), 500)["code"] == "Receiver"


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_chunked_and_with_expectation(engine: Engine, method: str) -> None:
    assert result(ask(engine, chunked("/nested", b'{"points":0,"each":1}', JSON, size=2)))["squares"] == [0]
    answer = ask(engine, posted("/once", b'{"by":1}', JSON, "Connection: close", method=method))
    assert result(answer) == {"sum": 1}
