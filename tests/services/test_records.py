# SPDX-License-Identifier: MIT
"""Arrays and records as arguments, both ways by JSON and SOAP; an error names its place."""

import base64
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from zeep.exceptions import Fault as ZeepFault
from zeep.helpers import serialize_object

from tests.bodies.support import ask, posted
from tests.harness import engine_of
from tests.services import soap
from tests.services.described import files
from tests.services.support import by_form, called, fault, got, result
from whit.commands.described.wanted import Sizes
from whit.commands.new import new_of
from whit.compiler import CompileError, compile_application
from whit.paths import ROOT
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "records"


device = engine_of(APP, scope="module")


EMPTY = {"title": "", "weights": [], "tags": [], "marks": [], "points": [], "origin": {"z": 0}}
INK = {"colour": "green", "at": "1970-01-01T00:00:00Z", "key": ""}
INKS = st.fixed_dictionaries(
    {},
    optional={
        "colour": st.sampled_from(["red", "blue"]),
        "at": st.just("2026-11-25T12:00:00Z"),
        "key": st.just("AQID"),
    },
)
POINTS = st.fixed_dictionaries(
    {"x": st.integers(-32768, 32767), "ink": INKS},
    optional={"y": st.integers(0, 255), "ends": st.lists(st.booleans(), max_size=2)},
)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "title": st.text("abc", max_size=7),
        "weights": st.lists(st.integers(-32768, 32767).map(lambda one: one / 10), max_size=4),
        "tags": st.lists(st.text('ab"\\é', max_size=1), max_size=3),
        "marks": st.lists(st.sampled_from("xo"), max_size=2),
        "points": st.lists(POINTS, max_size=3),
        "origin": st.fixed_dictionaries({"z": st.integers(-(2**31), 2**31 - 1)}),
    },
)


def given_back(arguments: dict[str, Any]) -> dict[str, Any]:
    plain = {"x": 0, "y": 7, "ends": []}
    points = [plain | one | {"ink": INK | one["ink"]} for one in arguments.get("points", [])]
    points = [{name: one[name] for name in (*plain, "ink")} for one in points]
    return EMPTY | arguments | {"points": points}


def xml_of(name: str, value: Any) -> str:
    if isinstance(value, list):
        return "".join(xml_of(name, one) for one in value)
    inner = "".join(xml_of(*one) for one in value.items()) if isinstance(value, dict) else None
    spelled = str(value).lower() if isinstance(value, bool) else str(value)
    return f"<{name}>{spelled if inner is None else inner}</{name}>"


@settings(max_examples=60, deadline=None)
@given(ARGUMENTS)
def test_there_and_back(device: Engine, arguments: dict[str, Any]) -> None:
    expected = given_back(arguments)
    assert result(called(device, "/draw", arguments)) == expected
    inner = "".join(xml_of(*one) for one in arguments.items())
    answer = soap.result(soap.sent(device, soap.envelope(soap.calling("draw", inner))))
    wanted = etree.fromstring(soap.calling("drawResponse", "".join(xml_of(*one) for one in expected.items())))
    assert etree.tostring(answer, method="c14n", exclusive=True) == etree.tostring(
        wanted, method="c14n", exclusive=True
    )


def test_elements_of_arrays_may_stand_among_others(device: Engine) -> None:
    inner = "<weights>1</weights><points><x>1</x><ink/></points><weights> 2.5 </weights><points><ink/><x>2</x></points>"
    answer = soap.result(soap.sent(device, soap.envelope(soap.calling("draw", inner))))
    assert [one.text for one in answer.iterfind("{*}weights")] == ["1.0", "2.5"]
    assert [one.text for one in answer.iterfind("{*}points/{*}x")] == ["1", "2"]


POINT = {"x": 1, "ink": {}}
WRONG: list[tuple[Any, str]] = [
    ({"weights": [1, 2, 3276.8]}, "weights[2]: expected at most 4, each a number from -3276.8 to 3276.7"),
    ({"weights": [1] * 5}, "weights[4]: expected at most 4, each a number from -3276.8 to 3276.7"),
    ({"tags": ["a", "long"]}, "tags[1]: expected at most 3, each at most 3 bytes of UTF-8"),
    ({"marks": ["x", "y"]}, "marks[1]: expected at most 2, each x or o"),
    ({"points": [POINT, {"y": 1}]}, "missing: points[1].x: expected a number from -32768 to 32767"),
    ({"points": [POINT | {"x": "a"}]}, "points[0].x: expected a number from -32768 to 32767"),
    ({"points": [POINT] * 4}, "points[3]: expected at most 3, each a record of x, y, ends, ink"),
    ({"points": [{"x": 1}]}, "missing: points[0].ink: expected a record of colour, at, key"),
    ({"points": [POINT, {"x": 1, "ink": {"colour": "x"}}]}, "points[1].ink.colour: expected red, green or blue"),
    ({"points": [POINT | {"ends": [True] * 3}]}, "points[0].ends[2]: expected at most 2, each true or false"),
    ({"origin": {}}, "missing: origin.z: expected a number from -2147483648 to 2147483647"),
]  # fmt: skip
WRONG_IN_JSON: list[tuple[Any, str]] = [
    ({"weights": 1}, "weights: expected at most 4, each a number from -3276.8 to 3276.7"),
    ({"weights": {}}, "weights: expected at most 4, each a number from -3276.8 to 3276.7"),
    ({"weights": [None]}, "weights[0]: expected at most 4, each a number from -3276.8 to 3276.7"),
    ({"weights": [[1]]}, "weights[0]: expected at most 4, each a number from -3276.8 to 3276.7"),
    ({"points": [1]}, "points[0]: expected at most 3, each a record of x, y, ends, ink"),
    ({"points": POINT}, "points: expected at most 3, each a record of x, y, ends, ink"),
    ({"points": [None]}, "points[0]: expected at most 3, each a record of x, y, ends, ink"),
    ({"origin": [{"z": 1}]}, "origin: expected a record of z"),
    ({"title": ["a"]}, "title: expected at most 7 bytes of UTF-8"),
    (b'{"points":[{"x":1,"x":1}]}', "given twice: points[0].x: expected a number from -32768 to 32767"),
    (b'{"weights":[],"weights":[]}', "given twice: weights: expected at most 4, each a number from -3276.8 to 3276.7"),
]


@pytest.mark.parametrize(("arguments", "reason"), WRONG + WRONG_IN_JSON)
def test_the_place_is_told(device: Engine, arguments: Any, reason: str) -> None:
    told = fault(called(device, "/draw", arguments))
    place = reason.removeprefix("missing: ").removeprefix("given twice: ").partition(":")[0]
    assert told == {"code": "Sender", "argument": place, "reason": reason}
    assert result(called(device, "/draw", {})) == EMPTY


@pytest.mark.parametrize(("arguments", "reason"), WRONG)
def test_the_place_is_told_by_soap(device: Engine, arguments: Any, reason: str) -> None:
    """The fault names the place, whatever follows."""
    for more in ("", "<title>a</title>", "<nobody><knows/></nobody>"):
        inner = "".join(xml_of(*one) for one in arguments.items()) + more
        answer = soap.sent(device, soap.envelope(soap.calling("draw", inner)))
        assert soap.fault(answer) == soap.Fault("Client", reason)


def test_what_is_absent(device: Engine) -> None:
    """An absent record has its arguments' defaults, or 0; earlier values are cleared."""
    assert (
        result(called(device, "/draw", {"points": [POINT | {"y": 1, "ends": [True, True]}] * 3}))["points"][2]["y"] == 1
    )
    assert result(called(device, "/draw", {"points": None, "origin": None, "weights": None})) == EMPTY
    assert result(called(device, "/draw", {"points": [POINT]}))["points"] == [POINT | {"y": 7, "ends": [], "ink": INK}]
    assert ask(device, posted("/draw", b"")).status == 415  # a form of another site, for all we know
    assert result(called(device, "/draw", {})) == EMPTY
    nil = f'<origin xmlns:i="{soap.XSI}" i:nil="true"/>'
    answer = soap.result(soap.sent(device, soap.envelope(soap.calling("draw", nil))))
    assert [one.text for one in answer.iter("{*}z")] == ["0"]


@pytest.mark.parametrize(
    "body",
    [
        '{"weights":[1,]}', '{"weights":[,1]}', '{"weights":[1 2]}', '{"weights":[1}', '{"weights":]}',
        '{"points":[{"x":1,"ink":{}}}', '{"points":[{,}]}', '{"origin":{"z":1}]', '{"origin":{"z":1', '{"nobody":[1]}',
        '{"weights":[1]', '{"points":[{"x":1]}',
    ],
)  # fmt: skip
def test_what_is_no_json(device: Engine, body: str) -> None:
    assert fault(called(device, "/draw", body.encode()))["reason"] in (
        "expected one JSON object of the arguments",
        "weights: expected at most 4, each a number from -3276.8 to 3276.7",
    )


def test_cut_at_every_octet(device: Engine) -> None:
    """Each beginning of a message is refused, and the whole of it taken, in two segments wherever it is cut."""
    whole = json.dumps({"weights": [1.5, 2], "points": [POINT | {"ends": [True]}], "origin": {"z": 3}}).encode()
    for length in range(1, len(whole)):
        assert called(device, "/draw", whole[:length]).status == 400
    assert result(called(device, "/draw", whole))["origin"] == {"z": 3}


JSON_TOKENS = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"x"',
    '"ink"',
    '"points"',
    '"weights"',
    "1",
    "null",
    "true",
    '"key"',
    '"a',
    " ",
]
XML_TOKENS = [f"<{slash}{name}>" for name in ("points", "ink", "x", "weights", "origin", "draw") for slash in ("", "/")]
FULL = {"weights": [1.5, 2], "points": [POINT | {"ends": [True]}, {"x": 2, "ink": {"key": "AQID"}}], "origin": {"z": 3}}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_spoilt(device: Engine, data: st.DataObject) -> None:
    """Tokens lost, repeated and strange: an answer in any case, and the next call is as the first one."""
    by_soap = data.draw(st.booleans())
    whole = "".join(xml_of(*one) for one in FULL.items()) if by_soap else json.dumps(FULL)
    parts = [one for one in re.split(r"(<[^>]*>|[][{},:])", whole) if one]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(parts) - 1))
        new = data.draw(st.lists(st.sampled_from(XML_TOKENS if by_soap else JSON_TOKENS), max_size=2))
        parts[place : place + data.draw(st.integers(0, 2))] = new or [parts[-1]]
    body = "".join(parts)
    if by_soap:
        answer = soap.sent(device, soap.envelope(soap.calling("draw", body)))
        assert answer.status in (200, 500), (body, answer)
    else:
        answer = called(device, "/draw", body.encode())
        assert answer.status in (200, 400), (body, answer)
        if answer.status == 200:
            assert isinstance(json.loads(body), dict)
    assert result(called(device, "/draw", {})) == EMPTY


def test_as_many_octets_as_there_can_be(device: Engine) -> None:
    """Base64 is decoded as it comes, so that its text needs no room."""
    for length in (0, 1, 2, 3, 249, 250, 251, 252, 253, 255):
        spelled = base64.b64encode(bytes(range(length))).decode()
        answer = called(device, "/blob", {"octets": spelled})
        by_soap = soap.sent(
            device, soap.envelope(soap.calling("blob", f"<octets> {spelled[:9]}\n{spelled[9:]}</octets>"))
        )
        if length <= 252:
            assert result(answer) == {"octets": spelled}
            assert soap.texts(by_soap) == {"octets": spelled}
        else:
            assert fault(answer)["reason"] == "octets: expected at most 252 bytes in base64"
            assert soap.fault(by_soap).reason == "octets: expected at most 252 bytes in base64"
    for spelled in ("AAAAA", "AA==AAAA", "AA=A", "A" * 337, "AAA"):
        assert fault(called(device, "/blob", {"octets": spelled}))["argument"] == "octets"


def test_other_ways(device: Engine) -> None:
    assert by_form(device, "/draw", b"title=a").status == 415
    assert by_form(device, "/draw", b"weights=1&weights=2").status == 415
    assert got(device, "/draw?title=a").status == 405
    assert result(got(device, "/flat?n=3")) == result(called(device, "/flat", {"n": 3})) == {"n": 3, "m": 3}
    assert fault(called(device, "/flat", {"n": [3]}))["reason"] == "n: expected a number from 0 to 255"


@pytest.mark.parametrize("port", ["deviceSoap11", "deviceSoap12"])
def test_zeep(device: Engine, tmp_path: Path, port: str) -> None:
    made = files(APP, tmp_path / "out")
    (tmp_path / "device.wsdl").write_bytes(made["device.wsdl"])
    client = soap.client(device, tmp_path / "device.wsdl", port)
    points = [{"x": 4, "ink": {"colour": "red"}}, {"x": -5, "y": 2, "ends": [True, False], "ink": {}}]
    answer = serialize_object(client.draw(weights=["1.5", "-2"], tags=["a", "b"], points=points, origin={"z": 9}), dict)
    assert [str(one) for one in answer["weights"]] == ["1.5", "-2.0"] and answer["tags"] == ["a", "b"]
    assert [(one["x"], one["y"], one["ends"], one["ink"]["colour"]) for one in answer["points"]] == [
        (4, 7, [], "red"),
        (-5, 2, [True, False], "green"),
    ]
    assert answer["origin"] == {"z": 9}
    with pytest.raises(ZeepFault, match=r"points\[0\].ink.colour: expected red"):
        client.draw(points=[{"x": 1, "ink": {"colour": "pink"}}])


def test_descriptions_are_fixed_points(tmp_path: Path) -> None:
    made = files(APP, tmp_path / "out")
    for path, kind in (("device.wsdl", "wsdl"), ("openapi.json", "openapi")):
        file = tmp_path / path
        file.write_bytes(made[path])
        again = new_of(
            str(tmp_path / kind), file if kind == "wsdl" else None, file if kind == "openapi" else None, Sizes()
        )
        assert files(again, tmp_path / f"{kind}-out")[path] == made[path]
        assert (again / "draw.c").read_text().count("<record") == 6
        assert "'points': [{'x': 0, 'y': 0, 'ends': [True], 'ink': {" in (again / "test.py").read_text()
    thing = json.loads(made[".well-known/wot"])
    assert thing["actions"]["draw"]["input"]["properties"]["points"]["items"]["properties"]["ends"]["maxItems"] == 2
    assert b"JSON is expected" in made["index.html"] and b"// records" not in made["index.html"]


def test_the_test_that_is_made_gives_them(device: Engine, tmp_path: Path) -> None:
    """The generated test's calls go to the engine of this process."""
    (tmp_path / "device.wsdl").write_bytes(files(APP, tmp_path / "out")["device.wsdl"])
    script = runpy.run_path(str(new_of(str(tmp_path / "made"), tmp_path / "device.wsdl", None, Sizes()) / "test.py"))

    def into_the_engine(url: str, body: str, kind: str, action: str = "") -> str:
        answer = ask(device, posted(url, body.encode(), f"Content-Type: {kind}"))
        assert answer.status == 200, answer
        return answer.body.decode()

    script["by_soap"].__globals__["posted"] = into_the_engine
    for call in script["CALLS"]:
        came = script[f"by_{call[0]}"](call[1], call)
        assert came >= {"octets"} if call[3] == "blob" else came == set(EMPTY), call


ERRORS = [
    ('<arg name="a" type="int8" count="0"/>', "count is '0': expected 1 to 255 elements at most"),
    ('<arg name="a" type="int8" count="2" default="1"/>',
     "default of 'a', an array: expected none, as it may be empty"),
    ('<arg name="a" type="date-time" count="2"/>',
     "'a' is an array of date-time: expected one value, or a record of it"),
    ('<arg name="a" type="int8" count="2"/><arg name="a_cnt" type="int8"/>',
     "'a_cnt' is a generated field of 'a': expected another name"),
    ('<arg name="a_len" type="int8"/><arg name="a" type="base64" size="3"/>',
     "'a_len' is a generated field of 'a': expected another name"),
    ('<record name="r"><arg name="a" type="base64" size="3"/><arg name="a_len" type="int8"/></record>',
     "'a_len' is a generated field of 'a': expected another name"),
    ('<value name="a" type="int8"/>', "<args> has no element <value>"),
    ('<record name="r"/>', "record 'r' has 0 arguments: expected 1 to 15"),
    ('<record name="r"><value name="a" type="int8"/></record>', "<value> among arguments: expected <arg>"),
    ('<record name="r"><record name="s"><record name="t"><arg name="a" type="int8"/></record></record></record>',
     "record 't' is number 4 in one another: expected 3, <args> included"),
    ('<record name="r" optional="true"><arg name="a" type="int8" default="1"/></record>',
     "record 'r' is optional, and has a default in it: expected one of both, as it is 0 when absent"),
    ('<record name="r"><record name="s"><arg name="a" type="int8"/></record></record>'
     '<record name="r_s"><arg name="a" type="int8"/></record>',
     "a second struct args_r_s_t: expected another name"),
    ('<record name="r" count="50"><arg name="a" type="int32"/><arg name="b" type="int8"/></record>',
     "the arguments take 412 bytes: expected at most 255; make a str shorter"),
]  # fmt: skip


def refused(directory: Path, args: str, ways: str = "json", handler: str = "call") -> str:
    takes = "struct args_t *args" + (", struct result_t *result" if handler == "call" else "")
    result = '<result><value name="v" type="int8"/></result>' if handler == "call" else ""
    service = f'<service as="{ways}"/>' if handler == "call" else ""
    (app := directory / "app").mkdir(exist_ok=True)
    (app / "get.c").write_text(
        f'/* <generator><handlers {handler}="f"/>{service}\n<args>{args}</args>{result}</generator> */\n'
        f"#include <whit/app.h>\nstatic char f({takes})\n{{\n    return 1;\n}}\n"
    )
    with pytest.raises(CompileError) as told:
        compile_application(app, directory / "out")
    assert told.value.line == 2 or told.value.message.startswith("arrays")
    return str(told.value.message)


@pytest.mark.parametrize(("args", "message"), ERRORS)
def test_what_cannot_be_had(tmp_path: Path, args: str, message: str) -> None:
    assert refused(tmp_path, args).startswith(message)


def test_forms_and_handlers_have_none(tmp_path: Path) -> None:
    array = '<arg name="a" type="int8" count="2"/>'
    told = refused(tmp_path, array, "json form")
    assert told == 'arrays and records among the arguments, which a form has not: expected as="json" or as="soap json"'
    told = refused(tmp_path, array, "get")
    assert told.startswith("arrays and records among the arguments, which the query of a GET has not")
    told = refused(tmp_path, array, handler="doGet")
    assert told == 'count among arguments of a handler: expected a service, <handlers call="function"/>'
