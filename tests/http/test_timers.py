# SPDX-License-Identifier: MIT
"""The application's timers: their number, the times of their calls, and late calls."""

from tests.harness import engine_of
from whit_testbed.engine import Engine
from whit_testbed.net import Net

APPLICATION = """/* <generator><handlers init="begin" doGet="tell"/></generator> */
#include <whit/app.h>

uint32_t whit_port_now_ms(void);
static uint32_t called_at[64];
static uint8_t who[64], cnt, taken;

static void call(uint8_t timer)
{
    if (cnt < 64) {
        called_at[cnt] = whit_port_now_ms();
        who[cnt++] = timer;
    }
}

static void first(void) { call(1); }
static void second(void) { call(2); }
static void third(void) { call(3); }
static void fourth(void) { call(4); }

static char begin(void)
{
    taken = (uint8_t)(set_timer(first, 100) | set_timer(second, 252) << 1 | set_timer(third, 1012) << 2);
    taken = (uint8_t)(taken | set_timer(fourth, 40) << 3);
    return 1;
}

static char tell(struct args_t *args)
{
    (void)args;
    out_uint(taken);
    for (uint8_t i = 0; i < cnt; i++) {
        out_c(' ');
        out_uint(who[i]);
        out_c('@');
        out_uint((uint16_t)called_at[i]);
    }
    cnt = 0;
    return 1;
}
"""


# Three places for four timers.
engine = engine_of({"tell.c": APPLICATION, "index.html": "x", "app.toml": "timers = 3\n"})


def told(engine: Engine) -> tuple[int, list[tuple[int, int]]]:
    """Returns the timers taken, a bit each, and the calls since the last request: number and time."""
    net = Net(engine)
    words = net.get(net.host().client(), "/tell").body.decode().split()
    calls = [(int(word.partition("@")[0]), int(word.partition("@")[2])) for word in words[1:]]
    return int(words[0]), calls


def test_each_calls_when_it_is_due(engine: Engine) -> None:
    """Only whit_next_ms() wakes the engine, and each timer still fires when due."""
    engine.advance(2100)
    taken, calls = told(engine)
    assert taken == 0b0111  # there is no place for the fourth
    for timer, period in ((1, 100), (2, 252), (3, 1012)):
        assert [at for who, at in calls if who == timer] == list(range(1000 + period, 3101, period))
    assert len(calls) == 21 + 8 + 2


def test_who_comes_late_calls_once_and_keeps_the_beat(engine: Engine) -> None:
    engine.now_ms += 1048
    engine.tick()
    engine.advance(260)
    calls = told(engine)[1]
    assert [at for who, at in calls if who == 1] == [2048, 2100, 2200, 2300]
    assert [at for who, at in calls if who == 2] == [2048, 2260]
    assert [at for who, at in calls if who == 3] == [2048]


def test_a_restart_sets_them_anew(engine: Engine) -> None:
    engine.advance(350)
    engine.reset()
    assert told(engine)[0] == 0b0111
    told(engine)
    begun = engine.now_ms - engine.now_ms % 4
    engine.reset()
    engine.advance(404)
    calls = told(engine)[1]
    assert len([at for who, at in calls if who == 1 and at >= begun + 100]) == 4
