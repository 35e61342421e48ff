# SPDX-License-Identifier: MIT
"""Simultaneous uploads of a megabyte at apps/upload as shipped, in tens and hundreds, over libslirp and TAP. Real
time."""

from collections.abc import Iterator, Sequence

from whit.paths import ROOT
from whit_lab.experiment import Figure, Found, Progress, Sheet
from whit_lab.real import namespace
from whit_lab.real.asking import PYTHON, Asked, Request, ask
from whit_lab.real.hosted import SLIRP, TAP, hosted
from whit_lab.real.namespace import Namespace

OCTETS = 1_000_000
FEW, MANY = 20, 200
PARTS = "multipart/form-data; boundary=b"
HEAD, END = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n', "\r\n--b--\r\n"


def measure(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    lacks = namespace.why_not()
    if lacks:
        yield f"No uploads: {lacks}."
        return
    octets = OCTETS // 10 if reduced else OCTETS
    rows, ratios, failures = [], [], 0
    for number, link in enumerate((SLIRP, TAP)):
        whole = {}
        for count in (FEW, MANY):
            progress(f"{count} uploads of {octets} octets over {link}", number / 2 + (count == MANY) / 8)
            asked, processor_s = uploads(link, count, octets)
            whole[count] = max(one.seconds for one in asked)
            failed = sum(not one.is_answered for one in asked)
            failures += failed
            rows.append((link, str(count), f"{whole[count]:.2f}", f"{processor_s:.2f}", str(failed)))
        ratios.append(whole[MANY] / (MANY / FEW * whole[FEW]))
    what = f"time for {MANY} uploads of {octets} octets at once over {MANY // FEW} times that for {FEW}: the worst link"
    yield Figure("uploads_200_over_20", what, round(max(ratios), 2), "", 1.5)
    yield Figure("uploads_failures", "those that were not answered", failures, "", 0)
    columns = ("link", "uploads", "all of them, s", "processor, s", "not answered")
    yield Sheet(f"Uploads of {octets} octets at once, four slots", columns, rows)


def uploads(link: str, count: int, octets: int) -> tuple[Sequence[Asked], float]:
    """Runs all uploads at once. Returns their results, and the server's processor seconds."""
    request = Request("/checksums", "POST", PARTS, HEAD + "x" * octets + END)
    with Namespace() as alone, hosted(ROOT / "apps" / "upload", alone, link) as at:
        before_s = at.processor_s
        return ask(at, {PYTHON: count}, [request], 1, patience_s=120), at.processor_s - before_s
