# SPDX-License-Identifier: MIT
"""57 kB to many kept-alive clients of wrk: `./whit run` on a TAP device beside nginx over a veth pair. Real time."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from statistics import median

from whit_lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit_lab.experiments.crowd.wrk import Load, load
from whit_lab.instruments.served import BIG, content, files_application
from whit_lab.real import namespace, servers
from whit_lab.real.hosted import TAP, Hosted, family, hosted
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER

CLIENTS = (16, 256)
ROUNDS, SECONDS = 3, 4
OURS, THEIRS = "Whit", "nginx"
SETTINGS = {"connections": 64, "idle": 512}
FILE = f"/{BIG}.bin"

Place = Callable[[], AbstractContextManager[Hosted]]


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not() or servers.why_not(THEIRS) or ("" if shutil.which("wrk") else "wrk is not installed")
    if lacks:
        yield f"No load beside nginx: {lacks}."
        return
    places: Mapping[str, Place] = {OURS: _ours, THEIRS: _theirs}
    found: dict[tuple[int, str], list[Load]] = {(clients, name): [] for clients in CLIENTS for name in places}
    rounds = 1 if reduced else ROUNDS
    for number in range(rounds):
        for name, place in places.items():
            with place() as at:
                for clients in CLIENTS:
                    progress(f"57 kB to {clients} clients from {name}", number / rounds)
                    found[clients, name].append(load(at, FILE, clients, 1 if reduced else SECONDS))
    costs = {key: median(one.processor_us for one in loads) for key, loads in found.items()}
    p99s = {key: median(one.p99_ms for one in loads) for key, loads in found.items()}
    cost = min(costs[clients, THEIRS] / costs[clients, OURS] for clients in CLIENTS)
    late = max(p99s[clients, OURS] / p99s[clients, THEIRS] for clients in CLIENTS)
    to = f"57 kB to {' and '.join(map(str, CLIENTS))} clients that keep their connections"
    yield {"load": f"wrk, one thread; slots and idle connections: {SETTINGS}"}
    what = f"{to}: processor time a request, nginx' over ours"
    yield Figure("nginx_over_ours_file", what, round(cost, 2), "", None, 1.2)
    yield Figure("file_p99_over_nginx", f"{to}: the 99th percentile over nginx'", round(late, 2), "", 1.5)
    errors = sum(one.errors for (_, name), loads in found.items() for one in loads if name == OURS)
    yield Figure("file_errors", f"{to}: what wrk calls errors, and statuses other than 200", errors, "", 0)
    rows = [
        (str(clients), name, f"{median(one.rate for one in loads):.0f}", f"{costs[clients, name]:.1f}",
         f"{p99s[clients, name]:.2f}", str(sum(one.errors for one in loads)))
        for (clients, name), loads in found.items()
    ]  # fmt: skip
    columns = ("clients", "server", "requests a second", "processor, µs a request", "99 %, ms", "errors")
    yield Sheet(f"{to}, in one run", columns, rows)
    for clients in CLIENTS:
        ours, theirs = (round(costs[clients, name], 1) for name in places)
        yield Row(f"57 kB, {clients} clients, processor a request", ours, theirs, "µs", servers.version(THEIRS))
    bars = {f"{name}, {clients} clients": round(value, 1) for (clients, name), value in costs.items()}
    yield Bars("57 kB on kept connections", "µs of the processor a request", bars)


@contextmanager
def _ours() -> Iterator[Hosted]:
    with Namespace() as alone, hosted(files_application(), alone, TAP, SETTINGS, quiet=True) as at:
        yield at


@contextmanager
def _theirs() -> Iterator[Hosted]:
    """Starts nginx in a namespace of its own, at the other end of a veth pair."""
    with Namespace() as client, Namespace() as there:
        client.veth(there, "10.7.0.1/24", f"{SERVER}/24")
        with servers.serving(THEIRS, there, {FILE.removeprefix("/"): content(BIG)}) as pid:
            yield Hosted(SERVER, 80, client, family(pid))
