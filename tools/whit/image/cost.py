# SPDX-License-Identifier: MIT
"""The cost of a device's image as tables: flash and RAM by part, and the stack by function."""

from collections.abc import Sequence

from rich import box
from rich.table import Table

from whit.image.groups import GROUPS, OTHER, TLS
from whit.image.sizes import CERTIFICATE, CRYPTO, ENGINE, FILES, HANDLERS, LIBRARY, PADDING, PORT, Sizes
from whit.image.stack import Stack
from whit.image.structures import ConnectionOctets

SLOTS = "whit_slots"
BUFFER = "buffer"
TAGS = "whit_tags"
SECRETS, RECORD, IDLE_KEYS = "tls_device", "sealed_record", "idle"  # of HTTPS
PLANNED = {SLOTS: "connections", TAGS: "idle connections", BUFFER: "shared buffer"}
"""Objects of the engine's RAM with a row of their own: app.toml sets their size."""

NAMES = {
    FILES: "files and tables",
    HANDLERS: "application's code",
    CRYPTO: "cryptography",
    CERTIFICATE: "certificate",
    PORT: "port and driver",
    LIBRARY: "C library",
    PADDING: "padding",
}
FRAMES_MAX = 12  # in a table


def device_table(sizes: Sizes, stack: Stack | None) -> Table:
    """Returns flash and RAM by part. The engine's flash is split by purpose, its RAM by the settings in app.toml."""
    table = plain_table("bytes of the image")
    table.add_column("flash", justify="right")
    table.add_column("RAM", justify="right")
    table.add_row("engine", number(sizes.parts[ENGINE].flash), number(sizes.parts[ENGINE].ram))
    for group in (*GROUPS, OTHER):
        if group in sizes.engine_groups:
            table.add_row(f"  {group}", number(sizes.engine_groups[group]), "", style="dim")
    table.add_row("  state", "", number(engine_globals(sizes)), style="dim")
    for symbol, what in PLANNED.items():
        table.add_row(f"  {what} (app.toml)", "", number(sizes.engine_objects.get(symbol, 0)), style="dim")
    for part, name in NAMES.items():
        if part in (CRYPTO, CERTIFICATE) and not sizes.parts[part].flash:
            continue
        table.add_row(name, number(sizes.parts[part].flash), number(sizes.parts[part].ram))
    if stack is not None:
        table.add_row("stack, at worst", "", number(stack.len))
    table.add_section()
    table.add_row("all of it", number(sizes.flash), number(sizes.ram + (stack.len if stack is not None else 0)))
    return table


def https_table(sizes: Sizes, connection: ConnectionOctets) -> Table:
    """Returns the parts that HTTPS adds to the image. The other parts of the engine grow too:
    compare the report without HTTPS. The last rows are one connection's bytes of the shared buffer."""
    keys_len = sizes.engine_objects.get(IDLE_KEYS, 0)
    table = plain_table("bytes of HTTPS")
    table.add_column("flash", justify="right")
    table.add_column("RAM", justify="right")
    table.add_row("TLS 1.3", number(sizes.engine_groups.get(TLS, 0)), number(sizes.engine_objects.get(SECRETS, 0)))
    table.add_row("cryptography", number(sizes.parts[CRYPTO].flash), number(sizes.parts[CRYPTO].ram))
    table.add_row("certificate, which each full handshake sends", number(sizes.parts[CERTIFICATE].flash), "0")
    table.add_row("the record that is being sealed", "", number(sizes.engine_objects.get(RECORD, 0)))
    table.add_row(f"keys of {keys_len // connection.idle} idle connections (app.toml)", "", number(keys_len))
    table.add_section()
    table.add_row("of the shared buffer, a connection in a handshake", "", number(connection.handshake))
    table.add_row("... that is open, and in a slot", "", number(connection.opened))
    return table


def stack_table(stack: Stack, measured: int | None = None) -> Table:
    """The deepest chain of calls, from the program's entry on. `measured`: the deepest that was seen."""
    table = plain_table("stack, at worst")
    table.add_column("bytes", justify="right")
    shown = set(largest(stack, FRAMES_MAX))
    left_out = [frame for index, frame in enumerate(stack.chain) if index not in shown]
    for index in sorted(shown):
        table.add_row(stack.chain[index].name, number(stack.chain[index].len))
    if left_out:
        table.add_row(f"{len(left_out)} more", number(sum(frame.len for frame in left_out)))
    table.add_section()
    table.add_row("proven", number(stack.len))
    if measured is not None:
        table.add_row("measured", number(measured))
    return table


def largest(stack: Stack, most: int) -> Sequence[int]:
    """The places of the largest frames in the chain."""
    places = range(len(stack.chain))
    return sorted(places, key=lambda place: (-stack.chain[place].len, place))[:most]


def engine_globals(sizes: Sizes) -> int:
    """Returns the octets of the engine's RAM without slots, tags and the shared buffer."""
    return sizes.parts[ENGINE].ram - sum(sizes.engine_objects.get(symbol, 0) for symbol in PLANNED)


def number(octets: int) -> str:
    return f"{octets:,}".replace(",", " ")


def plain_table(*columns: str) -> Table:
    return Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
