# SPDX-License-Identifier: MIT
"""Functions of the server, and the strategy for each content. A check is run for each cell."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from whit.compiler.model import Persistence, Resource, Writer
from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.wire.units import MS
from whit_lab.experiment import Bars, Figure, Found, Progress, Row, Sheet
from whit_lab.experiments.functions.checks import BEYOND, LARGE, SMALL, TABLE, Check, Seen, application, octets
from whit_lab.papers import FUNCTIONS, FUNCTIONS_SERVERS, STRATEGIES, STRATEGY_KINDS
from whit_testbed.engine import Engine
from whit_testbed.link import Deadlock, Impairment
from whit_testbed.net import Net
from whit_testbed.trace import TraceError

YES, NO = "√", "–"
DEAR_US = 400_000  # of computation; below a sixteenth of an RTO of a second it is cheap
COLUMNS = (Persistence.STATIC, Persistence.STORED, Persistence.PERSISTENT, Persistence.VOLATILE, Persistence.IDEMPOTENT)
SIZES = {"A1": SMALL, "A2": LARGE}
WRITTEN = {"A1": Writer.PLAIN, "A2": Writer.THREAD}  # as an author would


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    """Runs the in-process build of the engine with lab/functions, in virtual time."""
    progress("building", 0.0)
    built = build(application(), target="inprocess", meter=True)
    progress("functions", 0.6)
    table = {name: _checked(built.image, check) for name, check in TABLE.items()}
    beyond = {name: _checked(built.image, check) for name, check in BEYOND.items()}
    progress("strategies", 0.8)
    chosen = {size: [_strategies(built, kind, size) for kind in COLUMNS] for size in STRATEGIES}
    yield {"buffer": built.application.limits.buffer, "dear_ms": DEAR_US // 1000}
    yield from _figures(table, beyond, chosen)
    yield from (_table_sheet(table), _beyond_sheet(beyond), _map_sheet(chosen), _other_sheet(built))
    yield from _counted(table)
    missing = [name for name, seen in table.items() if not seen.has and any(FUNCTIONS[name])]
    if missing:
        why = "Fragments would need a buffer; the MSS avoids them."
        yield f"Missing where uIP has it: {', '.join(missing)}. {why}"


def _checked(image: Path, check: Check) -> Seen:
    """Runs a check. If the engine breaks off, it lacks the function."""
    with Engine(image) as engine:
        try:
            return check(engine)
        except (TraceError, Deadlock) as why:
            return Seen(False, str(why).splitlines()[0])


# ---------------------------------------------------------------- strategies


def _strategies(built: BuildResult, kind: Persistence, size: str) -> str:
    """Returns the engine's strategies for a content of that kind and size: cheap to generate, and expensive."""
    resource = _resource(built, kind, WRITTEN[size], SIZES[size])
    if kind is not Persistence.IDEMPOTENT:
        return _strategy(built, resource, SIZES[size], 0)
    return ", ".join(sorted({_strategy(built, resource, SIZES[size], cost_us) for cost_us in (0, DEAR_US)}))


def _resource(built: BuildResult, kind: Persistence, writer: Writer, size: int) -> Resource:
    """Returns the resource of that kind and writer, from the application compiler."""
    for resource in built.application.resources:
        get = resource.generator.get if resource.generator else None
        if resource.persistence is not kind or (resource.generator and (get is None or get.writer is not writer)):
            continue
        if kind is Persistence.STATIC and len(resource.representations[0].body) != size:
            continue
        if resource.path != "store":
            return resource
    raise WhitError(f"lab: lab/functions: expected a content that is {kind} and written as {writer}", 1)


def _strategy(built: BuildResult, resource: Resource, size: int, cost_us: int) -> str:
    """Returns the engine's strategy, from the source of the bytes and from its own meter: were any kept?"""
    with Engine(built.image) as engine:
        net = Net(engine, up=Impairment(delay_us=5 * MS))
        client = net.host().client()
        target = f"/{resource.path}"
        if resource.stored:
            net.get(client, f"/store?len={size}")
            net.idle(1)
        elif resource.generator:
            target += f"?len={size}&cost_us={cost_us}"
        before = engine.meter.charge[0]
        response = net.get(client, target)
        net.idle(1)
        if response.status == 500:
            return NO
        if response.body != octets(size):
            raise WhitError(f"lab: {target}: {response.status}, {len(response.body)} octets; expected {size}", 1)
        kept = engine.meter.charge[0] > before
        if resource.generator is None:
            return "kept" if kept else "S0"
        get = resource.generator.get
        thread = get is not None and get.writer is not Writer.PLAIN
        return ("S3" if kept else "S4") if thread else ("S1" if kept else "S2")


# ---------------------------------------------------------------- what is shown


def _figures(
    table: Mapping[str, Seen], beyond: Mapping[str, Seen], chosen: Mapping[str, list[str]]
) -> Iterator[Figure]:
    dynaweb = FUNCTIONS_SERVERS.index("dynaWeb")
    lost = sum(1 for name, seen in table.items() if FUNCTIONS[name][dynaweb] and not seen.has)
    what = "functions of 000 Table 5 that dynaWeb has and this server has not"
    yield Figure("functions_lost", what, lost, "functions", 0)
    more, what = sum(seen.has for seen in beyond.values()), "functions that the table does not name"
    yield Figure("functions_beyond", what, more, "functions", least=len(BEYOND))
    same = sum(
        ours == theirs for size, cells in STRATEGIES.items() for ours, theirs in zip(chosen[size], cells, strict=True)
    )
    what = "cells of 001 Table 1 in which the engine takes the same strategies"
    yield Figure("strategy_cells", what, same, "cells", least=sum(map(len, STRATEGIES.values())))


def _counted(table: Mapping[str, Seen]) -> Iterator[Row | Bars]:
    ours = sum(seen.has for seen in table.values())
    theirs = {server: sum(row[at] for row in FUNCTIONS.values()) for at, server in enumerate(FUNCTIONS_SERVERS)}
    for server, count in theirs.items():
        yield Row(f"functions of {server}", ours, count, "functions", "000 Table 5", "more")
    counts = {**theirs, "Whit": ours}
    yield Bars("Functions of 000 Table 5", "of 15", {server: float(count) for server, count in counts.items()})


def _table_sheet(table: Mapping[str, Seen]) -> Sheet:
    rows = []
    for name, theirs in FUNCTIONS.items():
        seen = table[name]
        marks = [YES if has else NO for has in (*theirs, seen.has)]
        rows.append([name, *marks, seen.what])
    return Sheet("Functions (000 Table 5)", ["function", *FUNCTIONS_SERVERS, "Whit", "what was seen"], rows)


def _beyond_sheet(beyond: Mapping[str, Seen]) -> Sheet:
    rows = [[name, YES if seen.has else NO, seen.what] for name, seen in beyond.items()]
    return Sheet("What the table does not name", ["function", "Whit", "what was seen"], rows)


def _map_sheet(chosen: Mapping[str, list[str]]) -> Sheet:
    kinds = [f"{key} {what}" for key, what in STRATEGY_KINDS.items()]
    rows = []
    for size, theirs in STRATEGIES.items():
        rows += [[f"{size}, Smews", *theirs], [f"{size}, Whit", *chosen[size]]]
    return Sheet("Strategies by content (001 Table 1)", ["", *kinds], rows)


def _other_sheet(built: BuildResult) -> Sheet:
    """Returns a table of the same contents, with the other kind of writer."""
    rows = []
    for what, writer, size in (
        ("a small one as a thread", Writer.THREAD, SMALL),
        ("a large one as a function", Writer.PLAIN, LARGE),
    ):
        cells = []
        for kind in COLUMNS[2:]:
            resource = _resource(built, kind, writer, size)
            costs = (0, DEAR_US) if kind is Persistence.IDEMPOTENT else (0,)
            cells.append(", ".join(sorted({_strategy(built, resource, size, cost_us) for cost_us in costs})))
        rows.append([what, *cells])
    return Sheet("... written the other way", ["", *list(STRATEGY_KINDS.values())[2:]], rows)
