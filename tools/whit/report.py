# SPDX-License-Identifier: MIT
"""What an application consists of and what its image costs, as tables."""

from rich import box
from rich.console import Console
from rich.table import Table

from whit.build import BuildResult
from whit.compiler.model import Application, Representation, Resource
from whit.compiler.stored import own_len
from whit.compiler.strategy import strategies
from whit.sizes import ENGINE, FILES, HANDLERS, PORT, Sizes, measure
from whit.stack import Stack, analyse
from whit.targets import find_target

SLOTS = "whit_slots"
BUFFER = "buffer"
TAGS = "whit_tags"


def print_report(console: Console, result: BuildResult) -> None:
    """The application's URLs, then the image's flash and RAM."""
    console.print(urls_table(result.application))
    console.print(strategies_table(result.application))
    if any(resource.stored for resource in result.application.resources):
        console.print(persistent_table(result.application))
    console.print(sizes_table(result))
    if find_target(result.target).is_device:
        console.print(stack_table(analyse(result)))


def stack_table(stack: Stack) -> Table:
    """The deepest chain of calls, from the program's entry on."""
    table = _table("worst-case stack")
    table.add_column("octets", justify="right")
    for frame in stack.chain:
        table.add_row(frame.name, _number(frame.len))
    table.add_section()
    table.add_row("all of it", _number(stack.len))
    return table


def urls_table(application: Application) -> Table:
    """Every URL with its type, and its 200 response on the wire, head included."""
    table = _table("URL", "type")
    table.add_column("octets", justify="right")
    table.add_column("at best", justify="right")
    for resource in application.resources:
        urls = " ".join(resource.urls)
        table.add_row(urls, resource.persistence.value, *_wire(resource))
    return table


def strategies_table(application: Application) -> Table:
    """How the octets of each response are found again, why so, and how often the generator runs for that."""
    table = _table("URL", "method", "strategy", "because", "runs for a replay")
    for resource in application.resources:
        for strategy in strategies(resource):
            table.add_row(resource.urls[-1], strategy.method, strategy.name, strategy.why, strategy.replay)
    return table


def persistent_table(application: Application) -> Table:
    """Who lies where in persistent memory."""
    table = _table("persistent memory")
    for column in ("from", "octets", "content at most"):
        table.add_column(column, justify="right")
    contents = [resource for resource in application.resources if resource.stored]
    if own := own_len(application.limits, contents):
        table.add_row("the application's own", "0", _number(own), "")
    for resource in contents:
        if stored := resource.stored:
            octets = f"2 × {_number(stored.bank_len)}"
            table.add_row(resource.urls[-1], _number(stored.address), octets, _number(stored.size))
    return table


def _wire(resource: Resource) -> tuple[str, str]:
    if resource.made_later:
        return f"{resource.representations[0].head_len} + content", ""
    identity = resource.representations[0]
    best: Representation = min(resource.representations, key=lambda representation: representation.wire_len)
    return f"{identity.wire_len}", "" if best is identity else f"{best.wire_len} ({best.coding.value})"


def sizes_table(result: BuildResult) -> Table:
    """Flash and RAM by part; the engine's RAM is split, as most of it follows from app.toml."""
    sizes = measure(result.image, result.map)
    table = _table("octets of the image")
    table.add_column("flash", justify="right")
    table.add_column("RAM", justify="right")
    table.add_row("engine", _number(sizes.parts[ENGINE].flash), _number(engine_globals(sizes)))
    for what, symbol in (("  connections", SLOTS), ("  idle connections", TAGS), ("  shared buffer", BUFFER)):
        table.add_row(what, "", _number(sizes.engine_objects.get(symbol, 0)))
    table.add_row("files and tables", _number(sizes.parts[FILES].flash), _number(sizes.parts[FILES].ram))
    table.add_row("handlers", _number(sizes.parts[HANDLERS].flash), _number(sizes.parts[HANDLERS].ram))
    with_port = "port" if result.target == "cortex-m" else "Linux port"
    table.add_row(with_port, _number(sizes.parts[PORT].flash), _number(sizes.parts[PORT].ram))
    return table


def engine_globals(sizes: Sizes) -> int:
    """Octets of the engine's RAM beside slots, tags and the shared buffer."""
    planned = sum(sizes.engine_objects.get(symbol, 0) for symbol in (SLOTS, TAGS, BUFFER))
    return sizes.parts[ENGINE].ram - planned


def _number(octets: int) -> str:
    return f"{octets:,}".replace(",", " ")


def _table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
