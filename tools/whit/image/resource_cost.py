# SPDX-License-Identifier: MIT
"""The flash of each resource: its content by the table in the image, its code by the object file."""

from dataclasses import dataclass

from whit.compiler.emit import entries_of
from whit.compiler.model import Application
from whit.image.sizes import Sizes

COLUMNS = ("content", "head", "checksums, index", "code", "all")
_INDEX = "whit_resources"


@dataclass
class ResourceCost:
    """Octets of flash, of all content codings."""

    is_served: bool  # False: the body of an error
    content: int = 0
    head: int = 0
    sums: int = 0  # checksums, and elements of whit_resources
    code: int = 0

    @property
    def flash(self) -> int:
        """All of it."""
        return self.content + self.head + self.sums + self.code


def resource_costs(application: Application, sizes: Sizes) -> list[ResourceCost]:
    """Returns a cost for each resource, then one for each body of an error."""
    symbols = {symbol.name: symbol.size for symbol in sizes.symbols if symbol.flash}
    taken: set[str] = set()
    served = entries_of(application.resources, application.limits.chunk, taken)
    entries = served + entries_of(application.errors, application.limits.chunk, taken)
    costs = {resource.path: ResourceCost(True) for resource in application.resources}
    bodies = {resource.path: ResourceCost(False) for resource in application.errors}
    for place, entry in enumerate(entries):
        cost = (costs if place < len(served) else bodies)[entry.resource.path]
        cost.sums += symbols.get(_INDEX, 0) // len(entries)
        if entry.resource.generator and not entry.owner:
            cost.code += sizes.sources.get(f"generator_{entry.identifier}", 0)
        if entry.bank or entry.shared:  # its octets belong to an earlier entry
            continue
        octets = symbols.get(f"octets_{entry.identifier}", 0)
        cost.content += min(octets, len(entry.representation.body))
        cost.head += max(0, octets - len(entry.representation.body))
        cost.sums += symbols.get(f"sums_{entry.identifier}", 0)
    return [*costs.values(), *bodies.values()]
