# SPDX-License-Identifier: MIT
"""Six real clients at each example as shipped, over libslirp and TAP, on one, two and four slots. Real time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from whit.paths import ROOT
from whit_lab.experiment import Figure, Found, Progress, Sheet
from whit_lab.real import namespace
from whit_lab.real.asking import PYTHON, Asked, Request, ask, shared
from whit_lab.real.hosted import SLIRP, TAP, hosted
from whit_lab.real.namespace import Namespace

SLOTS = (1, 2, 4)
CLIENTS, TIMES = 6, 200
FORM, JSON, PARTS = "application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=b"


def _part(octets: int) -> str:
    return f'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n{"x" * octets}\r\n--b--\r\n'


EXAMPLES: Mapping[str, Sequence[Request]] = {
    "buttons": (Request("/"), Request("/script.js"), Request("/buttons")),
    "contacts": (
        *map(Request, ("/", "/style.css", "/script.js", "/logo.png", "/cb_extract", "/cb_get?id=0")),
        Request("/cb_add?name=Ada&phone=1&mail=a%40b"),
    ),
    "form": (
        *map(Request, ("/", "/script.js", "/style.css", "/settings")),
        Request("/settings", "POST", FORM, "name=a&interval=7&mode=eco"),
        Request("/settings", "POST", JSON, '{"name":"b","interval":8,"mode":"off"}'),
    ),
    "live": (*map(Request, ("/", "/script.js", "/style.css", "/readings")),),
    "plain": (*map(Request, ("/", "/script.js", "/style.css", "/squares", "/uptime", "/visits")),),
    "samples": (
        *map(Request, ("/", "/script.js", "/style.css", "/samples", "/samples_index", "/log_flush")),
    ),
    "upload": (
        *map(Request, ("/", "/script.js", "/style.css", "/picture", "/picture.png")),
        Request("/checksums", "POST", PARTS, _part(3000)),
        Request("/picture", "POST", "image/png", "x" * 5000),
    ),
}  # fmt: skip
REDUCED = ("form", "contacts")
# Other correct statuses: if two pictures are sent at the same time, one must be sent again.
ALSO = {"upload": ("409",)}


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not()
    if lacks:
        yield f"No real clients: {lacks}."
        return
    clients = shared(CLIENTS)
    runs = [
        (app, slots, link)
        for app in (REDUCED if reduced else EXAMPLES)
        for slots in (SLOTS[:1] if reduced else SLOTS)
        for link in (SLIRP, TAP)
    ]
    found: dict[tuple[str, int, str], list[Asked]] = {}
    for number, (app, slots, link) in enumerate(runs):
        progress(f"six clients at apps/{app}, slots: {slots}, {link}", number / len(runs))
        found[app, slots, link] = crowded(app, slots, link, clients, TIMES // 10 if reduced else TIMES)
    yield from _show(found, list(clients))


def crowded(app: str, slots: int, link: str, clients: Mapping[str, int], times: int) -> list[Asked]:
    with Namespace() as alone, hosted(ROOT / "apps" / app, alone, link, {"connections": slots}) as at:
        ask(at, {PYTHON: 1}, EXAMPLES[app][::-1], len(EXAMPLES[app]))  # stores the contents that are fetched later
        return ask(at, clients, EXAMPLES[app], times)


def _show(found: Mapping[tuple[str, int, str], Sequence[Asked]], there: Sequence[str]) -> Iterator[Found]:
    every = [one for asked in found.values() for one in asked]
    failed = [one for (app, _, _), asked in found.items() for one in asked if not _as_it_should(app, one)]
    clients = f"{CLIENTS} clients ({', '.join(there)})"
    what = f"of {len(every)} requests on kept connections, {clients} at once at each example as shipped,"
    yield Figure("crowd_failures", f"{what} those that were not answered", len(failed), "", 0)
    yield Figure("crowd_seconds_max", f"{what} the longest", round(max(one.seconds for one in every), 3), "s", 1)
    rows = [
        (app, str(slots), link, f"{median(one.seconds for one in asked) * 1000:.1f}",
         f"{max(one.seconds for one in asked) * 1000:.0f}", _failures(app, asked))
        for (app, slots, link), asked in found.items()
    ]  # fmt: skip
    columns = ("application", "slots", "link", "median, ms", "longest, ms", "failures")
    yield Sheet(f"{clients} at each example: GET and POST in turns", columns, rows)


def _as_it_should(app: str, one: Asked) -> bool:
    return one.is_answered or one.said in ALSO.get(app, ())


def _failures(app: str, asked: Sequence[Asked]) -> str:
    reasons = Counter(one.said for one in asked if not _as_it_should(app, one))
    return ", ".join(f"{count} {reason}" for reason, count in reasons.most_common()) or "–"
