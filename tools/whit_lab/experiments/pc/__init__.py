# SPDX-License-Identifier: MIT
"""The bare PC beside a Debian guest with nginx and with Apache, on the same emulated PC (002)."""

from collections.abc import Iterator, Sequence

from whit.errors import WhitError
from whit.machines import mariadb
from whit_lab.experiment import Found, Part, Progress
from whit_lab.experiments.pc import cost, dynamic, image, pages, rates, show, show_dynamic
from whit_lab.experiments.pc.systems import OURS, THEIRS, system
from whit_lab.real import counted_pc, debian, namespace
from whit_lab.real.counted_pc import CARDS
from whit_lab.real.guest import STATIC

PHP = "libapache2-mod-php8"  # its package, without the remainder of the version
REQUESTS, OURS_MORE = 500, 4  # Whit takes a quarter of the time or less


def run(progress: Progress, *, reduced: bool = False, exact: bool = False) -> Iterator[Found]:
    """Yields the results. Times are in real time. Reduced: without the guest, on one card. exact: only bytes of the
    image."""
    if exact:
        yield from image.octets()
        return
    for why in (namespace.why_not(), counted_pc.why_not()):
        if why:
            raise WhitError(f"lab: pc: {why}")
    mariadb.program("mariadbd")
    names, cards = ((OURS,), CARDS[:1]) if reduced else ((OURS, *THEIRS), CARDS)
    yield {
        "pc": " ".join(counted_pc.MACHINE),
        "qemu": ".".join(map(str, counted_pc.qemu_version())),
        "cards": list(cards),
        "requests": REQUESTS,
    }
    versions = {}
    if not reduced:
        progress("the Debian guest, from its packages", 0.0)
        debian.make()
        versions = {name: debian.versions()[STATIC[name].package] for name in THEIRS}
        php = next(version for package, version in debian.versions().items() if package.startswith(PHP))
        yield {"guest": {"kernel": debian.kernel(), **versions, "PHP": php}, "database": mariadb.version()}
    files = _files(Part(progress, 0, 4), names, cards, reduced=reduced)
    found = _pages(Part(progress, 1, 4), names, cards, reduced=reduced)
    yield from show.costs(files, versions)
    yield from show.table1(files[OURS], found[OURS])
    yield from show_dynamic.costs(found)
    yield from image.measure(Part(progress, 2, 4), reduced=reduced)
    if not reduced:
        points = {}
        for number, name in enumerate(names):
            progress(f"files at a rate from {name}", 0.75 + 0.25 * number / len(names))
            points[name] = rates.measure(system(name), CARDS[0])
        yield from rates.show(points, CARDS[0])
        timed = {name: one.timed for name, by_card in found.items() if (one := by_card[CARDS[0]]).timed}
        yield from show_dynamic.times(timed)


def _files(progress: Progress, names: Sequence[str], cards: Sequence[str], *, reduced: bool) -> show.Files:
    found: dict[str, dict[str, cost.Measured]] = {name: {} for name in names}
    for number, (name, card) in enumerate((name, card) for name in names for card in cards):
        progress(f"instructions of a file from {name}, {card}", number / (len(names) * len(cards)))
        requests = REQUESTS if reduced or name != OURS else OURS_MORE * REQUESTS
        found[name][card] = cost.measure(system(name), card, requests)
    return found


def _pages(progress: Progress, names: Sequence[str], cards: Sequence[str], *, reduced: bool) -> show_dynamic.Pages:
    found: dict[str, dict[str, dynamic.Measured]] = {name: {} for name in names}
    with pages.stored() as there:
        for number, (name, card) in enumerate((name, card) for name in names for card in cards):
            progress(f"instructions of pages from {name}, {card}", number / (len(names) * len(cards)))
            timed = not reduced and card == CARDS[0]
            found[name][card] = dynamic.measure(name, card, there, REQUESTS, timed=timed, least=reduced)
    return found
