# SPDX-License-Identifier: MIT
"""apps/samples: three ways to send more than the buffer holds, over one log."""

import pytest

from tests.harness import Make, ask
from tests.http.app_client import BAD
from whit.model.policy import Options
from whit.wire.http import Response
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

SAMPLE_CNT = 1024
START_CNT = SAMPLE_CNT // 2


def lines_of(response: Response) -> list[bytes]:
    assert response.status == 200
    lines = response.body.splitlines()
    assert all(len(line) == 4 and 10 <= float(line) < 36 for line in lines)
    return lines


@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_samples_by_index_and_by_rerun_points_are_the_same(make_app: Make, mss: int) -> None:
    engine = make_app("samples")
    by_thread = ask(engine, f"/samples?until={START_CNT}", mss=mss)
    assert len(lines_of(by_thread)) == START_CNT
    assert ask(engine, f"/samples_index?until={START_CNT}", mss=mss).body == by_thread.body


def test_timer_fills_the_log_until_it_is_full(make_app: Make) -> None:
    net = Net(make_app("samples"))
    client = net.host().client()
    before = lines_of(net.get(client, "/samples"))
    net.idle(20)
    after = lines_of(net.get(client, "/samples"))
    assert len(before) + 39 <= len(after) <= len(before) + 41
    assert after[: len(before)] == before
    net.idle(600)
    assert len(lines_of(net.get(net.host().client(), "/samples_index"))) == SAMPLE_CNT


def test_span_of_samples(make_app: Make) -> None:
    engine = make_app("samples")
    every = lines_of(ask(engine, f"/samples?until={START_CNT}"))
    for name in ("samples", "samples_index"):
        for since, until in ((0, 1), (100, 300), (START_CNT - 1, START_CNT), (7, 7), (9, 3)):
            part = ask(engine, f"/{name}?since={since}&until={until}")
            assert lines_of(part) == every[since:until], (name, since, until)
        assert lines_of(ask(engine, f"/{name}?since=4000000000")) == []


@pytest.mark.parametrize("seed", range(4))
def test_samples_over_a_bad_link(make_app: Make, seed: int) -> None:
    """Each response is one that there was, though samples are added while segments are lost."""
    net = Net(make_app("samples"), up=BAD, down=BAD, seed=seed)
    client = net.host().client(Options(mss=300))
    for name in ("samples", "samples_index") * 2:
        said = lines_of(net.get(client, f"/{name}"))
        assert said == lines_of(net.get(client, f"/{name}?until={len(said)}"))


@pytest.mark.parametrize("seed", range(4))
def test_log_is_flushed_once(make_app: Make, seed: int) -> None:
    """Each sample is sent exactly once, whatever is retransmitted."""
    net = Net(make_app("samples"), up=BAD, down=BAD, seed=seed)
    client = net.host().client(Options(mss=536))
    expected = 0
    taken: list[bytes] = []
    every = lines_of(net.get(client, f"/samples?until={START_CNT}"))
    for _ in range(4):
        summary, *samples = net.get(client, "/log_flush").body.splitlines()
        assert summary.startswith(b"%d samples, mean " % len(samples))
        taken += samples
        expected += len(samples)
        net.idle(10)
    assert taken[:START_CNT] == every
    left = net.get(client, f"/samples?since={expected}")
    assert len(lines_of(left)) >= 19
    assert lines_of(net.get(client, f"/samples?until={expected}")) == []


def test_log_is_not_given_to_two(make_app: Make) -> None:
    """Concurrent requests wait for each other: the second gets the later samples."""
    net = Net(make_app("samples"), up=Impairment(delay_us=20 * MS))
    clients = [net.host(f"10.0.0.{i}").client(Options(mss=536)) for i in (2, 3, 4)]
    for client in clients:
        client.ask("/log_flush")
    net.run(*clients)
    bodies = sorted((client.responses[0].body for client in clients), key=len)
    assert lines_of(Response(200, "", "", (), bodies[-1].partition(b"\n")[2], b""))[:START_CNT]
    assert all(len(body.splitlines()) < 10 for body in bodies[:-1])


def test_log_stays_when_the_client_goes_away(make_app: Make) -> None:
    net = Net(make_app("samples"))
    quitter = net.host("10.0.0.9").client(Options(window=1000))
    quitter.connection.pause()
    quitter.ask("/log_flush")
    net.idle(1)
    quitter.connection.abort()
    net.idle(1)
    client = net.host().client()
    assert len(lines_of(net.get(client, f"/samples?until={START_CNT}"))) == START_CNT
