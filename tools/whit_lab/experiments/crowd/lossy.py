# SPDX-License-Identifier: MIT
"""57 kB over a wire that loses frames, in real time.

`./whit run` on a TAP device is compared with nginx on the kernel's TCP. The kernel uses its default congestion control,
or Reno.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from statistics import mean, median

from whit_lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit_lab.instruments.served import BIG, content, files_application
from whit_lab.real import namespace, placed, servers
from whit_lab.real.asking import PATIENCE_S, PYTHON, Asked, Request, ask
from whit_lab.real.hosted import Hosted
from whit_lab.real.placed import Placed
from whit_lab.real.relay import SERVER, Wire
from whit_testbed.link import Impairment

CONTROL = Path("/proc/sys/net/ipv4/tcp_congestion_control")
CLIENTS = (3, 1)  # at once; bounds hold for the first
LOSSES = ((0.05, 1.1), (0.2, 1.3))  # with the largest allowed ratio to nginx' time
ROUNDS, TIMES = 5, 20  # wires with other seeds, in turn, and requests of a client on each
OURS, THEIRS, RENO = "Whit", "nginx", "reno"
FILE = f"/{BIG}.bin"

Place = Callable[[Wire], AbstractContextManager[tuple[Placed, Hosted]]]
Times = dict[tuple[float, int, str], list[Asked]]  # by loss, clients at once, server


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not() or servers.why_not(THEIRS)
    if lacks:
        yield f"Nothing beside nginx: {lacks}."
        return
    files, usual = files_application(), CONTROL.read_text().strip()
    theirs: dict[str, Place] = {f"{THEIRS}, {usual}": _nginx, f"{THEIRS}, {RENO}": partial(_nginx, control=RENO)}
    places: dict[str, Place] = {OURS: lambda wire: placed.shipped(files, wire), **theirs}
    rounds, times = (1, TIMES // 4) if reduced else (ROUNDS, TIMES)
    compared = list(places)[:2]  # at higher loss, Reno takes minutes
    keys = [
        (loss, clients, name)
        for loss, _ in LOSSES
        for clients in CLIENTS
        for name in (places if loss == LOSSES[0][0] else compared)
    ]
    turns = [(seed, key) for seed in range(rounds) for key in keys]
    found: Times = {key: [] for key in keys}
    for number, (seed, (loss, clients, name)) in enumerate(turns):
        progress(f"57 kB at {loss:.0%} loss from {name}, clients: {clients}", number / len(turns))
        found[loss, clients, name] += _asked(places[name], loss, clients, times, seed)
    yield {"the kernel's congestion control": usual}
    yield from _show(found, compared[1])


def _show(found: Times, peer: str) -> Iterator[Found]:
    """Yields the results. peer: nginx on the default kernel, the reference of the bounds."""
    middles = {key: median(one.seconds for one in asked) for key, asked in found.items()}
    for loss, limit in LOSSES:
        at = f"57 kB at {loss:.0%} loss"
        ours, other = (middles[loss, CLIENTS[0], name] for name in (OURS, peer))
        what = f"{at} both ways, three clients: the median time over that of nginx on the same wire"
        yield Figure(f"loss_{loss * 100:.0f}_over_linux", what, round(ours / other, 2), "", limit)
        cnt = len(found[loss, CLIENTS[0], OURS])
        yield Row(f"{at}, median of {cnt}", round(ours, 4), round(other, 4), "s", servers.version(THEIRS))
    rows = [(f"{loss:.0%}", str(clients), name, *_columns(asked)) for (loss, clients, name), asked in found.items()]
    yield Sheet("57 kB over a wire that loses frames, real time", ("loss", "clients", "server", *COLUMNS), rows)
    bars = {
        f"57 kB at {loss:.0%} loss, {name}": round(middle, 4)
        for (loss, clients, name), middle in middles.items()
        if clients == CLIENTS[0]
    }
    yield Bars("57 kB over a wire that loses frames, three clients", "seconds", bars)


def _asked(place: Place, loss: float, clients: int, times: int, seed: int) -> list[Asked]:
    """Requests from clients that keep their connections, on a wire of its own."""
    harm = Impairment(loss=loss)
    with place(Wire(harm, harm, seed=seed)) as (there, at), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, at, {PYTHON: clients}, [Request(FILE)], times)
        there.relay.run(asked.done, for_s=times * (PATIENCE_S + 1))
        return asked.result()


@contextmanager
def _nginx(wire: Wire, control: str = "") -> Iterator[tuple[Placed, Hosted]]:
    with placed.server(THEIRS, {FILE.removeprefix("/"): content(BIG)}, wire, control) as there:
        yield there, Hosted(SERVER, 80, there.client, ())


COLUMNS = ("quarter, ms", "median, ms", "three quarters, ms", "mean, ms", "longest, ms", "not answered")


def _columns(asked: Sequence[Asked]) -> list[str]:
    times = sorted(one.seconds for one in asked)
    shown = (*(times[part * len(times) // 4] for part in (1, 2, 3)), mean(times), times[-1])
    return [*(f"{one * 1000:.1f}" for one in shown), str(sum(not one.is_answered for one in asked))]
