# SPDX-License-Identifier: MIT
"""An application's parts and the cost of its image, as tables."""

from itertools import groupby

from rich.console import Console
from rich.table import Table

from whit.compiler.device import Database
from whit.compiler.model import Application, Representation, Resource
from whit.compiler.strategy import strategies
from whit.image.build import BuildResult
from whit.image.computed import handshake_lines
from whit.image.cost import PLANNED, device_table, engine_globals, https_table, number, plain_table, stack_table
from whit.image.resource_cost import COLUMNS, ResourceCost, resource_costs
from whit.image.sizes import CRYPTO, ENGINE, FILES, HANDLERS, LIBRARY, PORT, Sizes, measure
from whit.image.stack import StackError, analyse
from whit.image.structures import connection_octets
from whit.targets import find_target

OMITTED = (
    "Descriptions of services (WSDL, OpenAPI, a page) are not in this image: services.describe = true in app.toml puts "
    "them there."
)
PORT_RAM = (
    "RAM: all variables of the program, without stack, heap and libraries. Those of the Linux port are mostly buffers "
    "of its links; Linux gives their memory when they are first used."
)
PHRASE_LEN = len("OK")  # octets of a reason phrase, if images send one


def print_report(console: Console, result: BuildResult, measured: int | None = None) -> None:
    """The application's URLs, then the image's flash and RAM, and a device's stack. `measured`: octets of it that were
    seen in use. StackError, with all the rest printed, when it has no bound."""
    sizes = measure(result.image, result.map)
    console.print(urls_table(result.application, PHRASE_LEN if find_target(result.target).logs else 0))
    console.print("", flash_table(result.application, sizes))
    say_omitted(console, result.application)
    console.print("", strategies_table(result.application))
    if result.application.limits.persistent_size:
        console.print("", persistent_table(result.application))
    if result.application.https:
        console.print("", https_table(sizes, connection_octets(result.image)), *handshake_lines())
    if (database := result.application.database) and database.kept:
        console.print("", kept_table(database))
    if not find_target(result.target).is_device:
        console.print("", sizes_table(sizes), PORT_RAM)
        return
    try:
        stack = analyse(result)
    except StackError:
        console.print("", device_table(sizes, None))
        raise
    console.print("", device_table(sizes, stack))
    console.print("", stack_table(stack, measured))


def sizes_line(result: BuildResult) -> str:
    """The image in one line. RAM is that of engine and application; a report adds the port's, a device's its stack."""
    sizes = measure(result.image, result.map)
    parts = {ENGINE: "engine", FILES: "files and tables", HANDLERS: "handlers"}
    if result.application.https:
        parts |= {CRYPTO: "cryptography"}
    flash = ", ".join(f"{name} {number(sizes.parts[part].flash)}" for part, name in parts.items())
    ram = number(sum(sizes.parts[part].ram for part in parts))
    urls = sum(len(resource.urls) for resource in result.application.resources)
    return f"{urls} URL{'s' if urls > 1 else ''}; bytes of flash: {flash}; of RAM, without the port: {ram}"


def urls_table(application: Application, phrase_len: int = 0) -> Table:
    """Every URL with its kind, and its 200 response on the wire, head included, with such a phrase."""
    table = plain_table("URL", "kind")
    table.add_column("bytes sent", justify="right")
    table.add_column("at best", justify="right")
    for resource in application.resources:
        urls = " ".join(resource.urls)
        table.add_row(urls, _kind(resource), *_wire(resource, phrase_len))
    return table


def flash_table(application: Application, sizes: Sizes) -> Table:
    """Flash of the image by resource. The sum of all rows is that of `files and tables` and the handlers."""
    table = plain_table("bytes of flash")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    costs = resource_costs(application, sizes)
    for resource, cost in zip((*application.resources, *application.errors), costs, strict=True):
        table.add_row(resource.urls[-1] if cost.is_served else resource.source, *_cells(cost))
    shared = sizes.parts[FILES].flash + sizes.parts[HANDLERS].flash - sum(cost.flash for cost in costs)
    table.add_row("paths, names, and code that several use", "", "", "", "", number(shared))
    return table


def _cells(cost: ResourceCost) -> list[str]:
    each = (cost.content, cost.head, cost.sums, cost.code)
    return [*(number(octets) if octets else "" for octets in each), number(cost.flash)]


def strategies_table(application: Application) -> Table:
    """Returns a table of the strategy of each response: why it was chosen, and the generator's runs per lost segment.
    URLs with equal answers share a row."""
    table = plain_table("URL", "method", "strategy", "because", "runs to send again")
    said = [
        (resource.urls[-1], (one.method, one.name, one.why, one.replay))
        for resource in application.resources
        for one in strategies(resource)
    ]
    for words, alike in groupby(said, key=lambda row: row[1]):
        table.add_row("\n".join(url for url, _ in alike), *words)
    return table


def persistent_table(application: Application) -> Table:
    """Returns the layout of persistent memory."""
    table = plain_table("persistent memory")
    for column in ("from", "bytes", "content at most"):
        table.add_column(column, justify="right")
    if raw := application.memory.raw_len:
        table.add_row("bytes without a name", "0", number(raw), "")
    for area in application.memory.areas:
        octets = f"{number(area.record_cnt)} × {number(area.record_len)}" if area.indexed else number(area.record_len)
        table.add_row(area.name, number(area.address), octets, "")
    for resource in application.resources:
        if stored := resource.stored:
            octets = f"2 × {number(stored.bank_len)}"
            table.add_row(resource.urls[-1], number(stored.address), octets, number(stored.size))
    return table


def kept_table(database: Database) -> Table:
    """Answers of the database that are kept for a while; their memory is part of the image's."""
    table = plain_table("answers that are kept")
    for column in ("of them", "bytes of one", "RAM"):
        table.add_column(column, justify="right")
    table.add_row("cache= of queries", *map(number, (database.kept or 0, database.kept_octets, database.kept_ram)))
    return table


def _kind(resource: Resource) -> str:
    """The persistence that a generator's author wrote."""
    if generator := resource.generator:
        return "SOAP" if generator.endpoint else (generator.declared or generator.persistence).value
    return "stored" if resource.stored else "description" if resource.describes else "file"


def say_omitted(console: Console, application: Application) -> None:
    """A line about services that nothing describes."""
    services = any(resource.generator and resource.generator.service for resource in application.resources)
    if services and not any(resource.describes for resource in application.resources):
        console.print(OMITTED)


def _wire(resource: Resource, phrase_len: int) -> tuple[str, str]:
    if resource.made_later:
        return f"{resource.representations[0].head_len + phrase_len} + content", ""
    identity = resource.representations[0]
    best: Representation = min(resource.representations, key=lambda representation: representation.wire_len)
    shown = "" if best is identity else f"{best.wire_len + phrase_len} ({best.coding.value})"
    return f"{identity.wire_len + phrase_len}", shown


def sizes_table(sizes: Sizes) -> Table:
    """Flash and RAM by part; the engine's RAM is split, as most of it follows from app.toml."""
    table = plain_table("bytes of the image")
    table.add_column("flash", justify="right")
    table.add_column("RAM", justify="right")
    table.add_row("engine", number(sizes.parts[ENGINE].flash), number(engine_globals(sizes)))
    for symbol, what in PLANNED.items():
        table.add_row(f"  {what}", "", number(sizes.engine_objects.get(symbol, 0)))
    table.add_row("files and tables", number(sizes.parts[FILES].flash), number(sizes.parts[FILES].ram))
    table.add_row("handlers", number(sizes.parts[HANDLERS].flash), number(sizes.parts[HANDLERS].ram))
    port = [sizes.parts[part] for part in (PORT, LIBRARY)]
    table.add_row("Linux port", number(sum(part.flash for part in port)), number(sum(part.ram for part in port)))
    return table
