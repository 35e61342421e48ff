# SPDX-License-Identifier: MIT
"""Size and speed of the engine: bytes, instructions, round trips. No clock is read."""

import re
from collections.abc import Iterator, Mapping, Sequence

from whit.image.build import build
from whit.image.groups import GROUPS, OTHER
from whit.image.sizes import ENGINE
from whit.paths import BUILD, ROOT
from whit_lab.experiment import Bars, Beside, Curves, Figure, Found, Progress
from whit_lab.instruments.checksums import static_checksum_octets
from whit_lab.instruments.files_entered import Reader
from whit_lab.instruments.followed import FOLLOWED
from whit_lab.instruments.image import look
from whit_lab.instruments.instructions import (
    CODINGS,
    DRIVER,
    FAST_KINDS,
    SMALL_KINDS,
    Counter,
    request,
    valgrind_version,
)
from whit_lab.instruments.questions import EXCEPTIONS, Asker
from whit_lab.instruments.served import BIG, SEVERAL, files_application
from whit_lab.instruments.transfer import DELAY_MS, POLICIES, RTT_US, answer_segments, first_response, tail_loss

DIRECTORY = BUILD / "lab"
APPLICATION = str(ROOT / "apps" / "contacts")
SEED = 1
LATER = re.compile(r"/(tls|wss|outgoing)/|_tls\.c|/(soap|xml|service|text\.|page\.|slices)")
"""Files of engine/ for what came after the bound of `engine_lines` was set: HTTPS, WS-Security, services, arguments in
records, page templates, connections that the server opens, selective acknowledgments."""
LINES_MAX = 6500


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    segments = 3 if reduced else 9  # after the first, all of the initial window of 10
    mss = (536,) if reduced else (1460, 536, 88)
    yield {
        "seed": SEED,
        "one_way_ms": DELAY_MS,
        "file_octets": BIG,
        "mss": list(mss),
        "segments": segments,
        "acknowledgments": [policy.name.lower() for policy in POLICIES],
    }
    steps = (
        ("sizes on Cortex-M3", _sizes()),
        ("lines of code", _lines()),
        ("checksums of static content", _checksums(mss)),
        ("instructions of a request", _get()),
        ("instructions of a segment", _segment(segments)),
        ("files that a request goes through", _files_entered()),
        ("questions that are asked again", _questions()),
        ("instructions of a POST", _post()),
        ("round trips of a file", _round_trips()),
        ("segments of an answer", _answer()),
        ("a lost last segment", _tail(SEVERAL[: 1 if reduced else None])),
    )
    for index, (what, step) in enumerate(steps):
        progress(what, index / len(steps))
        yield from step


def _sizes() -> Iterator[Found]:
    image = look(APPLICATION, "cortex-m")
    flash, ram = image.engine_flash, image.sizes.parts[ENGINE].ram
    yield Figure("slot_bytes", "RAM of a connection's slot", image.slot, "B", 32)
    yield Figure("idle_bytes", "RAM of an idle kept-alive connection", image.idle, "B", 8)
    what = "engine RAM beside slots, tags, shared buffer"
    yield Figure("engine_globals_bytes", what, image.engine_globals, "B", 180)
    yield Figure("engine_flash_bytes", "engine code and constants, Cortex-M3 -Os", flash, "B", 13_700)
    what = f"all of the engine's RAM, {image.built.application.limits.connections} connections"
    yield Beside("engine_ram_bytes", what, ram, "B")
    yield from _grouped("flash", "of engine_flash_bytes", image.flash, "B")
    yield Bars(f"The engine's flash: {flash:,} octets".replace(",", " "), "octets on Cortex-M3, -Os", image.flash)


def _lines() -> Iterator[Found]:
    counts = {}
    for path in sorted((ROOT / "engine").rglob("*.[ch]")):
        counts[path] = sum(1 for line in path.read_text().splitlines() if line.strip())
    lines = sum(cnt for path, cnt in counts.items() if not LATER.search(path.as_posix()))
    what = "lines of code and comments in engine/, of what it did when the bound was set"
    yield Figure("engine_lines", what, lines, "lines", LINES_MAX)
    yield Beside("engine_lines_all", "the same of everything in engine/", sum(counts.values()), "lines")


def _checksums(mss: Sequence[int]) -> Iterator[Found]:
    built = build(APPLICATION, target="inprocess", meter=True)
    counts = [static_checksum_octets(built.image, built.application, mss=one, seed=SEED) for one in mss]
    octets, responses = (sum(values) for values in zip(*counts, strict=True))
    yield Figure("static_checksum_ops", "octets of static content summed at run time", octets, "octets", 0)
    what = "from files, kept alive, over which static_checksum_ops was counted"
    yield Beside("static_responses", what, responses, "responses")


def _get() -> Iterator[Found]:
    counter = Counter(APPLICATION, DIRECTORY)
    costs = [counter.count("measured_get", request("/", coding)) for coding in CODINGS]
    worst = max(costs, key=lambda cost: cost.total)
    yield {"compiler": counter.compiler, "valgrind": valgrind_version()}
    what = "kept-alive GET of the 752-octet page, 400-octet request, x86-64 -O2"
    yield Figure("get_instructions", what, worst.total, "instructions", 4700)
    what = "the same without Accept-Encoding in the request"
    yield Beside("get_plain_instructions", what, costs[0].total, "instructions")
    yield from _grouped("get", "of get_instructions", worst.groups, "instructions")


def _segment(segments: int) -> Iterator[Found]:
    counter = Counter(files_application(), DIRECTORY)
    all_of_them = counter.count("measured_segment", request(f"/{BIG}.bin"), segments)
    per_segment, what = round(all_of_them.total / segments, 2), "one further full-size segment of a file, x86-64 -O2"
    yield Figure("segment_instructions", what, per_segment, "instructions", 330)
    groups = {group: round(count / segments, 1) for group, count in all_of_them.groups.items()}
    yield from _grouped("segment", "of segment_instructions", groups, "instructions")


FILES_MAX = {"get": (24, 360), "thread": (27, 1210), "post": (34, 610)}  # files, and changes of file


def _files_entered() -> Iterator[Found]:
    for name, followed in FOLLOWED.items():
        read = Reader(followed.application(), DIRECTORY).read(followed.request)
        files_max, changes_max = FILES_MAX[name]
        what = f"{followed.what}, its acknowledgments included"
        yield Figure(f"{name}_file_changes", f"changes of file: {what}", read.changes, "changes", changes_max)
        yield Figure(f"{name}_files", f"files that take part in it: {what}", len(read.files), "files", files_max)


def _questions() -> Iterator[Found]:
    for name, followed in FOLLOWED.items():
        again = Asker(followed.application(), DIRECTORY).again(followed.request)
        cnt = sum(count for question, count in again.items() if question not in EXCEPTIONS)
        what = f"look-ups repeated within an entry call: {followed.what}"
        yield Figure(f"{name}_asked_again", what, cnt, "look-ups", 0)
        for question, count in again.items():
            known = f" ({EXCEPTIONS[question]})" if question in EXCEPTIONS else ""
            yield Beside(f"{name}_again_{question}", f"calls of {question}() again{known}", count, "calls")


def _post() -> Iterator[Found]:
    followed = FOLLOWED["post"]
    for name, kinds, limit in (("fast", FAST_KINDS, 10_500), ("small", SMALL_KINDS, 17_000)):
        counter = Counter(followed.application(), DIRECTORY, kinds=kinds)
        what = f"{followed.what}, {name} kinds, x86-64 -O2"
        total = counter.count("measured_get", followed.request).total
        yield Figure(f"post_instructions_{name}", what, total, "instructions", limit)


def _round_trips() -> Iterator[Found]:
    curves = {}
    for suffix, label, limit in (("", "initial window of 10 segments", 3), ("_local", "link declared local", 2)):
        image = build(files_application(), target="inprocess", overrides={"link.local": bool(suffix)}).image
        worst = max((first_response(image, BIG, policy, SEED) for policy in POLICIES), key=lambda one: one.whole_us)
        name, what = f"file_57k_rtts{suffix}", f"round trips of the 57 254-octet file, {label}"
        yield Figure(name, what, -(-worst.whole_us // RTT_US), "RTT", limit)
        yield Beside(f"{name}_exact", f"{name}, not rounded up", round(worst.whole_us / RTT_US, 3), "RTT")
        curves[label] = [(time_us / RTT_US, octets) for time_us, octets in worst.arrivals]
    title = f"A file of {BIG:,} octets over {DELAY_MS} ms each way".replace(",", " ")
    yield Curves(title, "round trips since the request left", "octets of the response received", curves)


def _answer() -> Iterator[Found]:
    images = [build(str(ROOT / "apps" / "services"), target="inprocess", link=link) for link in ("ethernet", "slip")]
    cnt = max(answer_segments(built.image, link) for built, link in zip(images, ("ethernet", "slip"), strict=True))
    what = "segments with octets of a service's answer (S1) that fits one, the most of Ethernet and SLIP"
    yield Figure("service_answer_segments", what, cnt, "segments", 1)


def _tail(several: Sequence[int]) -> Iterator[Found]:
    image = build(files_application(), target="inprocess", overrides={"link.local": False}).image
    losses = [tail_loss(image, size, policy, SEED) for size in several for policy in POLICIES]
    what = "what the loss of a response's last segment adds"
    yield Figure("tail_loss_rtts", what, round(max(losses), 3), "RTT", 3)
    yield Beside("tail_loss_best_rtts", "the same in the best case measured", round(min(losses), 3), "RTT")


def _grouped(prefix: str, what: str, amounts: Mapping[str, float], unit: str) -> Iterator[Beside]:
    """Yields a figure for each group of files with a part in it."""
    for group in (group for group in (*GROUPS, OTHER, DRIVER) if group in amounts):
        yield Beside(f"{prefix}_{re.sub(r'[^a-z]+', '_', group.lower())}", f"{what}: {group}", amounts[group], unit)
