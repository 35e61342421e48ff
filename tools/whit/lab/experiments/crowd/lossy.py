# SPDX-License-Identifier: MIT
"""57 kB over a wire that loses frames: `./whit run` on a TAP device beside nginx on the kernel's TCP. Real time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from statistics import median

from whit.lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit.lab.instruments.served import BIG, content, files_application
from whit.real import namespace, placed, servers
from whit.real.asking import PATIENCE_S, PYTHON, Asked, Request, ask
from whit.real.hosted import Hosted
from whit.real.placed import Placed
from whit.real.relay import SERVER, Wire
from whit.sim.link import Impairment

CLIENTS = 3
LOSSES = ((0.05, 1.1), (0.2, 1.3))  # with the most that ours may take of nginx' time
ROUNDS, TIMES = 5, 20  # wires with other seeds, in turns, and requests of a client on each
OURS, THEIRS = "Whit", "nginx"
FILE = f"/{BIG}.bin"

Place = Callable[[Wire], AbstractContextManager[tuple[Placed, Hosted]]]


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not() or servers.why_not(THEIRS)
    if lacks:
        yield f"Nothing beside nginx: {lacks}."
        return
    files = files_application()
    places: dict[str, Place] = {OURS: lambda wire: placed.shipped(files, wire), THEIRS: _nginx}
    rounds, times = (1, TIMES // 4) if reduced else (ROUNDS, TIMES)
    found: dict[tuple[float, str], list[Asked]] = {(loss, name): [] for loss, _ in LOSSES for name in places}
    for number in range(rounds):
        for loss, _ in LOSSES:
            progress(f"57 kB at {loss:.0%} loss from {' and '.join(places)}", number / rounds)
            for name, place in places.items():
                found[loss, name] += _asked(place, loss, times, seed=number)
    bars: dict[str, float] = {}
    rows = []
    for loss, limit in LOSSES:
        ours, theirs = (median(one.seconds for one in found[loss, name]) for name in places)
        what = f"57 kB at {loss:.0%} loss both ways, three clients: the median time over that of nginx on the same wire"
        yield Figure(f"loss_{loss * 100:.0f}_over_linux", what, round(ours / theirs, 2), "", limit)
        what, ours, theirs = f"57 kB at {loss:.0%} loss", round(ours, 4), round(theirs, 4)
        yield Row(f"{what}, median of {len(found[loss, OURS])}", ours, theirs, "s", servers.version(THEIRS))
        bars |= {f"{what}, {OURS}": ours, f"{what}, {THEIRS}": theirs}
        rows += [(f"{loss:.0%}", name, *_columns(found[loss, name])) for name in places]
    yield Sheet("57 kB over a wire that loses frames, real time", ("loss", "server", *COLUMNS), rows)
    yield Bars("57 kB over a wire that loses frames", "seconds", bars)


def _asked(place: Place, loss: float, times: int, seed: int) -> list[Asked]:
    """By clients that keep their connections, on a wire of its own."""
    harm = Impairment(loss=loss)
    with place(Wire(harm, harm, seed=seed)) as (there, at), ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, at, {PYTHON: CLIENTS}, [Request(FILE)], times)
        there.relay.run(asked.done, for_s=times * (PATIENCE_S + 1))
        return asked.result()


@contextmanager
def _nginx(wire: Wire) -> Iterator[tuple[Placed, Hosted]]:
    with placed.server(THEIRS, {FILE.removeprefix("/"): content(BIG)}, wire) as there:
        yield there, Hosted(SERVER, 80, there.client, ())


COLUMNS = ("quarter, ms", "median, ms", "three quarters, ms", "longest, ms", "not answered")


def _columns(asked: Sequence[Asked]) -> list[str]:
    times = sorted(one.seconds for one in asked)
    places = (len(times) // 4, len(times) // 2, 3 * len(times) // 4, -1)
    return [*(f"{times[place] * 1000:.1f}" for place in places), str(sum(not one.is_answered for one in asked))]
