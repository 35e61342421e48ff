# SPDX-License-Identifier: MIT
"""Compares an application's needs with a target's memory, as far as they are known before compiling."""

from collections.abc import Iterator

from whit.compiler import Application
from whit.compiler.app_toml import FILE
from whit.compiler.model import Region, bank_len
from whit.compiler.stored import BANKS
from whit.errors import WhitError
from whit.targets import Target


def check(target: Target, application: Application) -> None:
    """WhitError names the part that is too large, its size, and the target's limit."""
    _check_arrays(target, application)
    _check_constants(target, application)
    _check_persistent(target, application)


def _check_arrays(target: Target, application: Application) -> None:
    """Checks the arrays: they have at most 32 767 octets where int has 16 bits."""
    for source, coding, length in _bodies(application):
        if target.array_max and length > target.array_max:
            raise WhitError(
                f"{application.directory / source}: {length} bytes as {coding}: "
                f"expected at most {target.array_max} for target {target.name}"
            )


def _check_constants(target: Target, application: Application) -> None:
    """Checks the files against the target's flash. The linker counts heads and checksums too, and reports a lack."""
    bodies = list(_bodies(application))
    total = sum(length for _, _, length in bodies)
    if target.constants_max and total > target.constants_max:
        source, coding, length = max(bodies, key=lambda body: body[2])
        raise WhitError(
            f"{application.directory}: the files take {total} bytes of flash in all their codings: expected at most "
            f"{target.constants_max} for target {target.name}; the largest is {source} with {length} as {coding}"
        )


def _check_persistent(target: Target, application: Application) -> None:
    """Checks persistent memory with the journal of a write. The port's own part is not in the target's numbers."""
    if not target.persistent_max:
        return
    regions = application.memory.regions
    longest = max(regions, key=lambda region: region.longest_write, default=None)
    size, most = application.limits.persistent_size, target.persistent_max
    journal = ""
    if longest and target.journal_max and target.journal_max - longest.longest_write < most:
        most = target.journal_max - longest.longest_write
        journal = f" beside a journal for the {longest.longest_write} bytes of a record of {longest.name}"
    if size <= most:
        return
    largest = max(regions, key=lambda region: region.octets)
    others = size - largest.octets
    raise WhitError(
        f"{application.directory / FILE}:{largest.line}: {largest.name} takes {largest.octets} bytes of persistent "
        f"memory{f' and the others {others}' if others else ''}: target {target.name} has {most}{journal}; "
        f"expected {_way_out(largest, most - others, application.limits.chunk)}"
    )


def _way_out(region: Region, left: int, chunk: int) -> str:
    """Returns a size for `region` that fits in `left` octets."""
    if region.record_len:
        cnt = left // region.record_len
        return f"at most {cnt} records" if cnt > 0 else "fewer or smaller fields"
    largest = left
    while not region.raw and largest > 0 and BANKS * bank_len(largest, chunk) > left:
        largest -= 1
    return f"a size of at most {largest}" if largest > 0 else "smaller sizes"


def _bodies(application: Application) -> Iterator[tuple[str, str, int]]:
    for resource in application.resources:
        for representation in resource.representations:
            yield resource.source, representation.coding.value, len(representation.body)
