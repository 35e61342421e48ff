# SPDX-License-Identifier: MIT
"""The image alone: its size, its start, and its number of kept connections."""

import re
import resource
from collections.abc import Iterator
from contextlib import ExitStack

from whit.errors import WhitError
from whit.image.cost import TAGS
from whit.image.sizes import measure as sizes
from whit.image.symbols import symbols
from whit_lab.experiment import Beside, Figure, Found, Progress
from whit_lab.experiments.pc.pages import FILE
from whit_lab.experiments.pc.systems import image
from whit_lab.papers import BARE_PC_IMAGE
from whit_lab.real.counted_pc import CARDS, System, counted_pc
from whit_lab.real.load import clients

ACTIVE, HELD = 1000, 10_000
SLOTS, TAGGED = 1024, 16_384
GROUP = 100  # clients that send requests at once; there may be more than slots
ROUNDS = 5
FIRST = re.compile(r"the first answer (\d+) ms after the start")
FIRST_S = 5.0


def octets() -> Iterator[Found]:
    """Yields the figures that need no start of the image."""
    yield Figure("pc_image_bytes", "all that a loader puts into memory", _size(), "B", BARE_PC_IMAGE)
    built = image(connections=SLOTS, idle=TAGGED)
    tags = sizes(built.image, built.map).engine_objects[TAGS]
    yield Figure("pc_idle_bytes_per_connection", "RAM of an idle connection", tags / TAGGED, "B", 16)


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    progress("size and start", 0.0)
    yield from octets()
    what = "from the first instruction to the first answer, the machine's time"
    yield Beside("pc_boot_ms", what, _boot_ms(), "ms")
    active, held = (ACTIVE // 10, HELD // 10) if reduced else (ACTIVE, HELD)
    progress(f"{held} connections that stay, {active} that ask", 0.3)
    built = image(connections=SLOTS, idle=TAGGED)
    opened, stayed = _kept(System(built.image), active, held + max(GROUP, held // 20))
    yield {"held": {"slots": SLOTS, "idle": TAGGED, "opened": opened}}
    what = f"idle connections that answer again after {active} active ones have asked {ROUNDS} times each"
    yield Figure("pc_connections", what, stayed, "", None, held)
    what = "of those that were opened for this, the ones that were forgotten, a thousand"
    yield Beside("pc_connections_forgotten", what, round(1000 * (opened - stayed) / opened, 2), "")


def _size() -> int:
    begin, end = symbols(image(), "image_start", "image_end").values()
    return end - begin


def _boot_ms() -> int:
    with counted_pc(System(image(log=True).image), CARDS[1]) as pc:
        with clients(pc.namespace, [FILE], 1, keep=False) as asking:
            asking.ask(1)
        pc.listen(seconds=FIRST_S, until=FIRST)
        found = FIRST.search(pc.said[-1])
    if not found:
        raise WhitError(f"lab: the image does not say when it answered first: {' / '.join(pc.said[-3:])}", 1)
    return int(found[1])


def _kept(system: System, active: int, opened: int) -> tuple[int, int]:
    """Returns the number of opened connections, and of those still open.

    Each sends a request, then the active ones send theirs, then each sends another one.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with counted_pc(system, CARDS[1]) as pc, ExitStack() as stack:
        groups = [
            stack.enter_context(clients(pc.namespace, [FILE], GROUP, keep=True, may_lose=True))
            for _ in range(opened // GROUP)
        ]
        for group in groups:
            group.ask(GROUP)
        with clients(pc.namespace, [FILE], active, keep=True) as asking:
            asking.ask(ROUNDS * active)
            for group in groups:
                group.ask(GROUP - group.lost)
        return GROUP * len(groups), sum(GROUP - group.lost for group in groups)
