# SPDX-License-Identifier: MIT
"""A status and field lines that handlers choose (answer_status, answer_field)."""

import pytest

from tests.bodies.test_image import found, symbols
from tests.conftest import seed_of_run
from tests.harness import ask, engine_of, opened
from tests.http.app_client import post
from tests.support import exchange
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "answers"
FORM = "application/x-www-form-urlencoded"
LONG = 'a "quoted" value that is longer than a chunk of thirty-two octets, and comes in two strings'


def sums_agree(engine: Engine) -> None:
    assert engine.static_checksum_octets == 0


engine = engine_of(APP, ends=sums_agree)


def head(response: Response) -> tuple[int, str, list[tuple[str, str]]]:
    """Status, reason, and the fields that are not the engine's."""
    engine_own = ("content-type", "cache-control", "content-length", "transfer-encoding", "connection", "keep-alive")
    return response.status, response.reason, [field for field in response.fields if field[0] not in engine_own]


def both(engine: Engine, target: str, mss: int = 1460) -> Response:
    """GET repeats the answer of HEAD."""
    octets = request(target, method="HEAD") + request(target)
    heads, response = exchange(engine, octets, "HEAD", "GET", options=Options(mss=mss)).responses
    assert head(heads) == head(response)
    return response


def test_get(engine: Engine) -> None:
    assert head(both(engine, "/page?what=plain")) == (200, "", [])
    moved = both(engine, "/page?what=moved")
    assert head(moved) == (307, "Temporary Redirect", [("location", "/elsewhere")])
    assert moved.body == b"page" and moved.field("content-length") == "4"
    fields = [("x-first", "1"), ("x-second", LONG)]
    assert head(both(engine, "/page?what=both")) == (200, "OK", fields)
    assert head(both(engine, "/page?what=missing")) == (404, "Not Found", fields)


def test_a_third_field_is_refused(engine: Engine) -> None:
    assert ask(engine, "/page?what=three").status == 500
    assert ask(engine, "/page?what=both").status == 200


def test_redirect_after_a_form(engine: Engine) -> None:
    answer = post(engine, "/page", FORM, b"what=moved")
    assert head(answer) == (303, "See Other", [("location", "/page?what=plain")])
    assert answer.body == b""
    assert post(engine, "/page", FORM, b"what=plain").status == 500
    assert head(ask(engine, "/page?what=plain")) == (200, "", [])


def test_after_any_other_body(engine: Engine) -> None:
    answer = post(engine, "/upload", "text/plain", b"some octets")
    assert head(answer) == (201, "Created", [("location", "/page?what=plain")])
    assert answer.body == b"made"


@pytest.mark.parametrize("path", ["thread_persistent", "thread_volatile", "index_volatile"])
def test_an_init_get_chooses_for_what_is_not_plain(engine: Engine, path: str) -> None:
    chosen = [("x-there", "perhaps")]
    there, missing = both(engine, f"/{path}?there=1"), both(engine, f"/{path}?there=0")
    assert head(there) == (200, "", chosen) and head(missing) == (404, "Not Found", chosen)
    assert len(there.body) == len(missing.body) == 5000


@pytest.mark.parametrize("mss", [88, 100, 536])
@pytest.mark.parametrize("target", ["/page?what=both", "/again?cnt=30", "/thread_volatile?there=0"])
def test_heads_cut_anywhere(engine: Engine, target: str, mss: int) -> None:
    whole, cut = both(engine, target), both(engine, target, mss)
    assert head(cut) == head(whole) and cut.body == whole.body


TARGETS = ("/page?what=missing", "/again?cnt=1", "/again?cnt=400", "/changing", "/thread_persistent?there=0",
           "/thread_volatile?there=0", "/index_volatile?there=1")  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_loss_changes_nothing(engine: Engine, target: str) -> None:
    """Retransmissions repeat the status, the fields and the body; a handler that runs once decides once."""
    with opened(APP) as other:
        expected = ask(other, target)
    bad = Impairment(delay_us=10 * MS, loss=0.15, duplicate=0.2, reorder=0.2)
    net = Net(engine, up=bad, down=bad, seed=seed_of_run())
    client = net.host().client(Options(mss=300))
    for run in range(6):
        response = net.get(client, target)
        if target == "/changing":
            assert (response.status == 503) == (int(response.body) % 2 == 1)
            assert int(response.body) == 1 + run
        else:
            assert head(response) == head(expected) and response.body == expected.body


def test_what_chooses_otherwise_is_reset_and_never_spliced(engine: Engine) -> None:
    """An idempotent one that breaks its word: its fourth run of 409 is one of 410."""
    resets = 0
    for _ in range(8):
        client = exchange(engine, request("/again?cnt=400&changes=1"), options=Options(mss=300), for_s=60)
        for response in client.responses:
            assert response.status in (409, 410) and response.body == b"once more\n" * 400
        resets += client.connection.reset
        assert client.connection.reset or len(client.responses) == 1
    assert resets != 0


def test_the_log_tells_the_status() -> None:
    with opened(APP, log=True) as engine:
        for what in ("plain", "moved", "three"):
            exchange(engine, request(f"/page?what={what}"))
            Net(engine).idle(1)
        lines = [line.partition(" ")[2] for line in engine.take_log().splitlines()]
    assert lines[0].startswith("/page?what=plain 200 ") and lines[1].startswith("/page?what=moved 307 ")
    assert lines[2] == "/page?what=three 500 show(): answer_field more than 2 times"


@pytest.mark.slow
def test_nothing_of_it_where_nobody_chooses() -> None:
    pattern = r"answer_(begin|end|open|close|again|same|piece)|whit_answer|whit_answer_texts"
    assert len(found(pattern, symbols(APP))) >= 6
    assert found(pattern, symbols(ROOT / "tests" / "apps" / "bodies")) == []
