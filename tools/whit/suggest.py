# SPDX-License-Identifier: MIT
"""Suggests the known name that is closest to an unknown one."""

import difflib
from collections.abc import Collection

# Keys of app.toml, with names that other programs use.
_ALSO_CALLED = {
    "database.address": ("host", "hostname", "server", "ip"),
    "database.user": ("username", "login_name"),
    "database.database": ("db", "dbname", "schema"),
    "database.connections": ("pool", "pool_size"),
    "network.address": ("ip", "host"),
    "network.prefix": ("netmask", "mask"),
    "network.gateway": ("router",),
}


def also_called(key: str) -> str | None:
    """The key that has another name here."""
    table, _, name = key.rpartition(".")
    return next((one for one, names in _ALSO_CALLED.items() if one.startswith(f"{table}.") and name in names), None)


def meant(name: str, known: Collection[str]) -> str | None:
    """The closest name, regardless of case; None when none is close."""
    by_lower = {one.lower(): one for one in known}
    asked = name.lower()
    found = difflib.get_close_matches(asked, by_lower, n=1, cutoff=0.7)
    if not found:  # a word of three letters, two of them the wrong way round
        found = [one for one in by_lower if sorted(one) == sorted(asked)]
    return by_lower[found[0]] if found else None


def keys_meant(key: str, known: Collection[str]) -> list[str]:
    """Dotted keys that are closest to an unknown one: the closest name in its table, or else that name in any table.
    The name of the table is not compared, as all its keys share it."""
    if alias := also_called(key):
        return [alias]
    said, _, name = key.rpartition(".")
    table = meant(said, {one.rpartition(".")[0] for one in known}) if said else ""
    inside = {one.rpartition(".")[2]: one for one in known if one.rpartition(".")[0] == table}
    if guess := meant(name, inside):
        return [inside[guess]]
    guess = meant(name, sorted({one.rpartition(".")[2] for one in known}))
    return [one for one in known if one.rpartition(".")[2] == guess]


def expected(name: str, known: Collection[str]) -> str:
    """The end of a message about an unknown name: all known ones, and the one that was probably meant."""
    return f": expected {', '.join(known)}{did_you_mean(name, known)}" if known else ": expected none"


def did_you_mean(name: str, known: Collection[str]) -> str:
    """ "; did you mean X?", or nothing."""
    guess = meant(name, known)
    return f"; did you mean {guess}?" if guess else ""
