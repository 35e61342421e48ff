# SPDX-License-Identifier: MIT
"""A large file over a slow serial line, by the size of segments: INRIA RT-0349 (dynaWeb), section 3 and 5.1."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from whit.image.build import BuildResult, build
from whit.ladder.steps import Ladder
from whit.model.policy import AckPolicy, Options, windows_xp
from whit.wire.packet import slip_encode
from whit.wire.units import SECOND
from whit_lab import papers
from whit_lab.experiment import Figure, Found, Line, Lines, Progress, Row, against
from whit_lab.instruments import models
from whit_lab.instruments.exchange import Exchange, Visitor
from whit_lab.instruments.instructions import REQUEST_LEN, request
from whit_lab.instruments.served import BIG, content, files_application
from whit_lab.model import dynaweb
from whit_testbed.classic import Classic
from whit_testbed.engine import Engine
from whit_testbed.ladder_watch import record
from whit_testbed.link import Impairment
from whit_testbed.net import Net

LINE, UART = 14_400, 11_520  # bytes a second: the paper's rate, and that of 115 200 baud with 8N1
RATES = {LINE: "14.4 kB/s", UART: "11.52 kB/s"}
MSS = (200, 300, 400, 536, 700, 900, 1100, 1280, 1460)
ENDS = (200, 1460)
CHUNK = 32  # bytes, the paper's
SEED = 1
MSS_LABEL, LINE_LABEL = "MSS, octets", "% of the line"
OVER_LIMIT_PERCENT = 5.0
OURS, OURS_LATE = "ours", "ours, 200 ms after the last octet"
ONE, ONE_LATE = "one in flight (model of uIP)", "one in flight, 200 ms after the last octet"
MINI = "MSS 200, closes (model of miniWeb)"
LATE = (OURS_LATE, ONE_LATE)
Peer = Callable[[Callable[[str], bytes], int], Classic]
PEERS: Mapping[str, Peer] = {
    ONE: models.uip,
    ONE_LATE: models.uip,
    MINI: lambda contents, mss: models.miniweb(contents),
}
PAPER = {ONE: papers.UIP_FIG5_S, ONE_LATE: papers.UIP_FIG5_S, MINI: papers.MINIWEB_FIG5_S, OURS: papers.DYNAWEB_FIG5_S}
NAMES = {ONE: "uIP", ONE_LATE: "uIP", MINI: "miniWeb", OURS: "dynaWeb"}
Times = Mapping[str, Mapping[int, Mapping[int, Exchange]]]
"""By server, rate and MSS."""


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    progress("building", 0.0)
    result = built()
    sizes = ENDS if reduced else MSS
    times: dict[str, dict[int, dict[int, Exchange]]] = {}
    runs = [(name, rate, mss) for name in (OURS, OURS_LATE, *PEERS) for rate in RATES for mss in sizes]
    for index, (name, rate, mss) in enumerate(runs):
        progress(f"{name}, {RATES[rate]}, MSS {mss}", 0.1 + 0.9 * index / len(runs))
        exchange = measure(PEERS.get(name, result.image), rate, client(mss, late=name in LATE), SEED)
        times.setdefault(name, {}).setdefault(rate, {})[mss] = exchange
    yield {"file_octets": BIG, "mss": list(sizes), "chunk": CHUNK, "request_octets": REQUEST_LEN, "seed": SEED}
    yield from _figures(times)
    yield from _rows(times)
    yield from _series(times)
    yield ladder(result, SEED)
    yield from _notes(times)


def built() -> BuildResult:
    return build(files_application(), target="inprocess", link="slip", overrides={"chunk": CHUNK})


def client(mss: int, *, late: bool = False) -> Options:
    """Returns options. late: the delay begins at the end of a segment."""
    return replace(windows_xp(mss), ack=AckPolicy.DELAYED) if late else windows_xp(mss)


def measure(server: Path | Peer, rate: int, options: Options, seed: int) -> Exchange:
    """Measures the first response of a connection on a half-duplex line."""
    if callable(server):
        return _visit(cast(Engine, server(lambda target: content(BIG), options.mss or 536)), rate, options, seed)
    with Engine(server, link="slip", seed=seed) as engine:
        return _visit(engine, rate, options, seed)


def _visit(engine: Engine, rate: int, options: Options, seed: int) -> Exchange:
    net = Net(engine, up=Impairment(rate=rate), half_duplex=True, seed=seed)
    target = f"/{BIG}.bin"
    return Visitor(net, options, lambda: 0).get(target, content(BIG), request(target))


def ladder(result: BuildResult, seed: int) -> Ladder:
    """Returns the ladder of the whole file at the largest MSS on the paper's line."""
    with Engine(result.image, link="slip", seed=seed) as engine:
        net = Net(engine, up=Impairment(rate=LINE), half_duplex=True, seed=seed)
        client_, target = net.host().client(client(ENDS[-1])), f"/{BIG}.bin"
        net.idle(1)

        def get() -> None:
            client_.send(request(target))
            net.run(client_)

        return record(
            net, f"55.9 kB at MSS {ENDS[-1]}, {RATES[LINE]}, half duplex", get, application=result.application
        )


def limit_s(exchange: Exchange, rate: int, mss: int) -> float:
    """Returns the least time of the line, without a pause: every segment full, every second one acknowledged."""
    segments = -(-len(exchange.response.raw) // mss)
    payload = len(slip_encode(exchange.response.raw)) - 2
    down = payload + segments * _FRAME
    up = len(slip_encode(request(f"/{BIG}.bin"))) - 2 + _FRAME + (segments - 1) // 2 * _FRAME
    return (down + up) / rate


_FRAME = dynaweb.ACK + 2  # bytes of TCP, IP and SLIP around data


def _s(exchange: Exchange) -> float:
    return round(exchange.whole_us / SECOND, 3)


def over_limit(exchange: Exchange, rate: int, mss: int) -> float:
    """Returns per cent above the limit."""
    return round(100 * (exchange.whole_us / SECOND / limit_s(exchange, rate, mss) - 1), 2)


def _figures(times: Times) -> Iterator[Figure]:
    for rate, suffix in ((LINE, ""), (UART, "_uart")):
        for mss in reversed(ENDS):
            what = f"55.9 kB at MSS {mss}, {RATES[rate]} (dynaWeb: {PAPER[OURS][mss]:g})"
            exchange = times[OURS][rate][mss]
            yield Figure(f"seconds_{mss}{suffix}", what, _s(exchange), "s", PAPER[OURS][mss])
    worst = max(
        over_limit(exchange, rate, mss)
        for name in (OURS, OURS_LATE)
        for rate, by_mss in times[name].items()
        for mss, exchange in by_mss.items()
    )
    what = "above the line's own limit, the worst of all MSS, both rates, both clients"
    yield Figure("over_limit_percent_max", what, worst, "%", OVER_LIMIT_PERCENT)


def _rows(times: Times) -> Iterator[Row]:
    for mss in ENDS:
        for rate, label in RATES.items():
            theirs = {f"000 Figure 5, {NAMES[x]}": PAPER[x][mss] for x in (OURS, MINI, ONE)}
            theirs |= {f"{x}, same run": _s(times[x][rate][mss]) for x in PEERS}
            yield from against(f"55.9 kB, MSS {mss}, {label}", _s(times[OURS][rate][mss]), "s", theirs)
    for rate, label in RATES.items():
        for x in PEERS:
            for mss in ENDS:
                name, source = f"{x}, MSS {mss}, {label}", f"000 Figure 5, {NAMES[x]}"
                yield Row(name, _s(times[x][rate][mss]), PAPER[x][mss], "s", source, "near")


def _series(times: Times) -> Iterator[Lines]:
    sizes = range(200, 1461, 20)
    yield from (_figure_5(times, LINE), _figure_5(times, UART))
    yield from (_figure_3(sizes), _overhead(sizes), _figure_4(times, sizes))


def _figure_5(times: Times, rate: int) -> Lines:
    lines = [Line("ours", [(mss, _s(x)) for mss, x in times[OURS][rate].items()])]
    limits = [(mss, limit_s(x, rate, mss)) for mss, x in times[OURS][rate].items()]
    lines.append(Line("limit of the line", limits, "model"))
    lines += [Line(name, [(mss, _s(x)) for mss, x in times[name][rate].items()], "peer") for name in PEERS]
    for name in (OURS, MINI, ONE):
        lines.append(Line(f"{NAMES[name]} (000 Fig. 5)", sorted(PAPER[name].items()), "paper"))
    return Lines(f"55.9 kB over {RATES[rate]}", MSS_LABEL, "seconds", lines, log_y=True)


def _share(mss: int, acks: tuple[float, float]) -> float:
    """Returns per cent of the line."""
    return 100 * dynaweb.throughput(mss, *acks, rate=LINE) / LINE


def _figure_3(sizes: Sequence[int]) -> Lines:
    names = {"without pause: α = 0.5, β = 0": dynaweb.CONTINUOUS, "one in flight: α = 1, β = 1": dynaweb.ONE_IN_FLIGHT}
    lines = [Line(name, [(m, _share(m, acks)) for m in sizes], "model") for name, acks in names.items()]
    return Lines("Maximal throughput at 14.4 kB/s (000 Fig. 3)", MSS_LABEL, LINE_LABEL, lines)


def _overhead(sizes: Sequence[int]) -> Lines:
    lines = [
        Line(f"α = {alpha:g}", [(m, 100 * dynaweb.overhead(m, alpha)) for m in sizes], "model") for alpha in (0.5, 1.0)
    ]
    return Lines("Overhead of heads and acknowledgments (000 3.2)", MSS_LABEL, "% of the data", lines)


def _figure_4(times: Times, sizes: Sequence[int]) -> Lines:
    flat = _share(200, dynaweb.CONTINUOUS)
    lines = [
        Line("dynaWeb, in theory", [(m, _share(m, dynaweb.CONTINUOUS)) for m in sizes], "model"),
        Line("uIP, in theory", [(m, _share(m, dynaweb.ONE_IN_FLIGHT)) for m in sizes], "model"),
        Line("miniWeb, in theory", [(m, flat) for m in (sizes[0], sizes[-1])], "model"),
    ]
    for name in (OURS, ONE, MINI):
        points = [(mss, 100 * BIG / _s(x) / LINE) for mss, x in times[name][LINE].items()]
        lines.append(Line(f"{name}, measured", points, "ours" if name == OURS else "peer"))
    return Lines("Three servers at 14.4 kB/s, theory and run (000 Fig. 4)", MSS_LABEL, LINE_LABEL, lines)


def _above(times: Times, rate: int) -> str:
    """Returns the papers' times divided by those of this run."""
    ratios = [PAPER[x][mss] / _s(times[x][rate][mss]) for x in (OURS, MINI) for mss in ENDS]
    return f"{min(ratios):.1f} to {max(ratios):.1f}"


def _notes(times: Times) -> Iterator[str]:
    slower, faster = times[OURS][UART][200], times[MINI][UART][200]
    percent = 100 * (slower.whole_us / faster.whole_us - 1)
    yield (
        "115 200 baud with a start and a stop bit are 11.52 kB/s; the paper says 14.4, which is the baud rate over 8. "
        "Its uIP points fit 11.52; its dynaWeb and miniWeb points are "
        f"{_above(times, UART)} times what that line needs here, {_above(times, LINE)} times what 14.4 kB/s do, which "
        "neither heads nor acknowledgments explain: processor time, or the link. Both lines are here."
    )
    if percent > 0:
        yield (
            f"At MSS 200 the model of miniWeb is {percent:.1f} % faster than ours (in the paper 2 % than dynaWeb): "
            f"chunks of {CHUNK} octets fill 192 of 200, and its head is shorter."
        )
