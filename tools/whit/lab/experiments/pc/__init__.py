# SPDX-License-Identifier: MIT
"""The bare PC beside a Debian guest with nginx and with Apache, on one and the same emulated PC (002)."""

from __future__ import annotations

from whit.errors import WhitError
from whit.lab.experiment import Part, Progress, Result, merged
from whit.lab.experiments.pc import cost, image, rates, show
from whit.lab.experiments.pc.systems import OURS, THEIRS, system
from whit.real import counted_pc, debian, namespace
from whit.real.counted_pc import CARDS

REQUESTS, OURS_MORE = 500, 4  # ours takes a quarter of the time and less


def run(progress: Progress, *, reduced: bool = False) -> Result:
    """Real time for what is not instructions. Reduced: without the guest, on one card."""
    for why in (namespace.why_not(), counted_pc.why_not()):
        if why:
            raise WhitError(f"lab: pc: {why}")
    names, cards = ((OURS,), CARDS[:1]) if reduced else ((OURS, *THEIRS), CARDS)
    if not reduced:
        progress("the Debian guest, from its packages", 0.0)
        debian.make()
    settings = {
        "pc": " ".join(counted_pc.MACHINE),
        "qemu": ".".join(map(str, counted_pc.qemu_version())),
        "cards": list(cards),
        "requests": REQUESTS,
    }
    found: dict[str, dict[str, cost.Measured]] = {name: {} for name in names}
    for number, (name, card) in enumerate((name, card) for name in names for card in cards):
        progress(f"instructions of {name}, {card}", 0.05 + 0.6 * number / (len(names) * len(cards)))
        requests = REQUESTS if reduced or name != OURS else OURS_MORE * REQUESTS
        found[name][card] = cost.measure(system(name), card, requests)
    versions = {} if reduced else {name: debian.versions()[debian.NAMES[name]] for name in THEIRS}
    if versions:
        settings["guest"] = {"kernel": debian.kernel(), **versions}
    parts = [Result(settings), show.costs(found, versions), show.table1(found[OURS])]
    parts.append(image.measure(Part(progress, 13, 20), reduced=reduced))
    if not reduced:
        points = {}
        for number, name in enumerate(names):
            progress(f"pages at a rate from {name}", 0.7 + 0.1 * number)
            points[name] = rates.measure(system(name), CARDS[0])
        parts.append(rates.show(points, CARDS[0]))
    return merged(parts)
