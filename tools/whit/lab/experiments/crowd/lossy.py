# SPDX-License-Identifier: MIT
"""57 kB over a wire that loses frames: `./whit run` on a TAP device beside nginx on the kernel's TCP, which has the
congestion control that it has anyway, or Reno. Real time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from statistics import mean, median

from whit.lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit.lab.instruments.served import BIG, content, files_application
from whit.real import namespace, placed, servers
from whit.real.asking import PATIENCE_S, PYTHON, Asked, Request, ask
from whit.real.hosted import Hosted
from whit.real.placed import Placed
from whit.real.relay import SERVER, Wire
from whit.sim.link import Impairment

CONTROL = Path("/proc/sys/net/ipv4/tcp_congestion_control")
CLIENTS = (3, 1)  # at once; bounds are for the first
LOSSES = ((0.05, 1.1), (0.2, 1.3))  # with the most that ours may take of nginx' time
ROUNDS, TIMES = 5, 20  # wires with other seeds, in turns, and requests of a client on each
OURS, THEIRS, RENO = "Whit", "nginx", "reno"
FILE = f"/{BIG}.bin"

Place = Callable[[Wire], AbstractContextManager[tuple[Placed, Hosted]]]


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not() or servers.why_not(THEIRS)
    if lacks:
        yield f"Nothing beside nginx: {lacks}."
        return
    files, usual = files_application(), CONTROL.read_text().strip()
    theirs = {f"{THEIRS}, {control}": partial(_nginx, control) for control in dict.fromkeys((usual, RENO))}
    places: dict[str, Place] = {OURS: lambda wire: placed.shipped(files, wire), **theirs}
    rounds, times = (1, TIMES // 4) if reduced else (ROUNDS, TIMES)
    keys = [
        (loss, clients, name)
        for loss, _ in LOSSES
        for clients in CLIENTS
        for name in places
        if name in (OURS, next(iter(theirs))) or loss == LOSSES[0][0]  # at more loss, Reno takes minutes
    ]
    found: dict[tuple[float, int, str], list[Asked]] = {key: [] for key in keys}
    for number in range(rounds):
        progress(f"57 kB on a wire that loses, from {' and '.join(places)}", number / rounds)
        for loss, clients, name in keys:
            found[loss, clients, name] += _asked(places[name], loss, clients, times, seed=number)
    yield {"the kernel's congestion control": usual}
    middles = {key: median(one.seconds for one in asked) for key, asked in found.items()}
    bars: dict[str, float] = {}
    for loss, limit in LOSSES:
        at, peer = f"57 kB at {loss:.0%} loss", next(iter(theirs))
        ours, other = (middles[loss, CLIENTS[0], name] for name in (OURS, peer))
        what = f"{at} both ways, three clients: the median time over that of nginx on the same wire"
        yield Figure(f"loss_{loss * 100:.0f}_over_linux", what, round(ours / other, 2), "", limit)
        ours, other = round(ours, 4), round(other, 4)
        yield Row(f"{at}, median of {len(found[loss, CLIENTS[0], OURS])}", ours, other, "s", servers.version(THEIRS))
        bars |= {
            f"{at}, {name}": round(middles[loss, CLIENTS[0], name], 4)
            for name in places
            if (loss, CLIENTS[0], name) in middles
        }
    rows = [(f"{loss:.0%}", str(clients), name, *_columns(asked)) for (loss, clients, name), asked in found.items()]
    yield Sheet("57 kB over a wire that loses frames, real time", ("loss", "clients", "server", *COLUMNS), rows)
    yield Bars("57 kB over a wire that loses frames, three clients", "seconds", bars)


def _asked(place: Place, loss: float, clients: int, times: int, seed: int) -> list[Asked]:
    """By clients that keep their connections, on a wire of its own."""
    harm = Impairment(loss=loss)
    with place(Wire(harm, harm, seed=seed)) as (there, at), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, at, {PYTHON: clients}, [Request(FILE)], times)
        there.relay.run(asked.done, for_s=times * (PATIENCE_S + 1))
        return asked.result()


@contextmanager
def _nginx(control: str, wire: Wire) -> Iterator[tuple[Placed, Hosted]]:
    with placed.server(THEIRS, {FILE.removeprefix("/"): content(BIG)}, wire, control) as there:
        yield there, Hosted(SERVER, 80, there.client, ())


COLUMNS = ("quarter, ms", "median, ms", "three quarters, ms", "mean, ms", "longest, ms", "not answered")


def _columns(asked: Sequence[Asked]) -> list[str]:
    times = sorted(one.seconds for one in asked)
    shown = (*(times[part * len(times) // 4] for part in (1, 2, 3)), mean(times), times[-1])
    return [*(f"{one * 1000:.1f}" for one in shown), str(sum(not one.is_answered for one in asked))]
