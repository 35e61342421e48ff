# SPDX-License-Identifier: MIT
"""What the engine costs and how fast it is: octets, instructions, round trips. Nothing here looks at a clock."""

import re
from collections.abc import Mapping, Sequence

from whit.image.build import build
from whit.image.groups import GROUPS, OTHER
from whit.image.sizes import ENGINE
from whit.lab.experiment import Bars, Curves, Figure, Progress, Result, merged
from whit.lab.instruments.checksums import static_checksum_octets
from whit.lab.instruments.files_entered import FILE, FILE_LEN, THREAD, THREAD_LEN, Reader
from whit.lab.instruments.image import look
from whit.lab.instruments.instructions import CODINGS, DRIVER, Counter, request, valgrind_version
from whit.lab.instruments.served import BIG, SEVERAL, files_application
from whit.lab.instruments.transfer import DELAY_MS, POLICIES, RTT_US, first_response, tail_loss
from whit.paths import BUILD, ROOT

DIRECTORY = BUILD / "lab"
APPLICATION = str(ROOT / "apps" / "contacts")
SEED = 1


def run(progress: Progress, *, reduced: bool = False) -> Result:
    segments = 3 if reduced else 9  # beside the first, all of the initial window of 10
    mss = (536,) if reduced else (1460, 536, 88)
    settings = {
        "seed": SEED,
        "one_way_ms": DELAY_MS,
        "file_octets": BIG,
        "mss": list(mss),
        "segments": segments,
        "acknowledgments": [policy.name.lower() for policy in POLICIES],
    }
    found = [Result(settings)]
    steps = (
        ("sizes on Cortex-M3", _sizes),
        ("checksums of static content", lambda: _checksums(mss)),
        ("instructions of a request", _get),
        ("instructions of a segment", lambda: _segment(segments)),
        ("files that a request goes through", _files_entered),
        ("round trips of a file", _round_trips),
        ("a lost last segment", lambda: _tail(SEVERAL[: 1 if reduced else None])),
    )
    for index, (what, step) in enumerate(steps):
        progress(what, index / len(steps))
        found.append(step())
    return merged(found)


def _sizes() -> Result:
    image = look(APPLICATION, "cortex-m")
    flash, globals_, ram = image.engine_flash, image.engine_globals, image.sizes.parts[ENGINE].ram
    figures = [
        Figure("slot_bytes", "RAM of a connection's slot", image.slot, "B", 32),
        Figure("idle_bytes", "RAM of an idle kept-alive connection", image.idle, "B", 8),
        Figure("engine_globals_bytes", "engine RAM beside slots, tags, shared buffer", globals_, "B", 180),
        Figure("engine_flash_bytes", "engine code and constants, Cortex-M3 -Os", flash, "B", 13_700),
    ]
    what = f"all of the engine's RAM, {image.built.application.limits.connections} connections"
    beside = [Figure("engine_ram_bytes", what, ram, "B"), *_grouped("flash", "of engine_flash_bytes", image.flash, "B")]
    title = f"The engine's flash: {flash:,} octets".replace(",", " ")
    return Result({}, figures, [Bars(title, "octets on Cortex-M3, -Os", image.flash)], beside)


def _checksums(mss: Sequence[int]) -> Result:
    built = build(APPLICATION, target="inprocess", meter=True)
    counts = [static_checksum_octets(built.image, built.application, mss=one, seed=SEED) for one in mss]
    octets, responses = (sum(values) for values in zip(*counts, strict=True))
    what = "from files, kept alive, over which static_checksum_ops was counted"
    figure = Figure("static_checksum_ops", "octets of static content summed at run time", octets, "octets", 0)
    return Result({}, [figure], beside=[Figure("static_responses", what, responses, "responses")])


def _get() -> Result:
    counter = Counter(APPLICATION, DIRECTORY)
    costs = [counter.count("measured_get", request("/", coding)) for coding in CODINGS]
    worst = max(costs, key=lambda cost: cost.total)
    what = "kept-alive GET of the 752-octet page, 400-octet request, x86-64 -O2"
    what_plain = "the same without Accept-Encoding in the request"
    beside = [Figure("get_plain_instructions", what_plain, costs[0].total, "instructions")]
    return Result(
        {"compiler": counter.compiler, "valgrind": valgrind_version()},
        [Figure("get_instructions", what, worst.total, "instructions", 5800)],
        beside=beside + _grouped("get", "of get_instructions", worst.groups, "instructions"),
    )


def _segment(segments: int) -> Result:
    counter = Counter(files_application(), DIRECTORY)
    all_of_them = counter.count("measured_segment", request(f"/{BIG}.bin"), segments)
    groups = {group: round(count / segments, 1) for group, count in all_of_them.groups.items()}
    per_segment, what = round(all_of_them.total / segments, 2), "one further full-size segment of a file, x86-64 -O2"
    figure = Figure("segment_instructions", what, per_segment, "instructions", 390)
    return Result({}, [figure], beside=_grouped("segment", "of segment_instructions", groups, "instructions"))


def _files_entered() -> Result:
    reader = Reader(DIRECTORY)
    figures, beside = [], []
    for name, target, what, limit in (
        ("get", FILE, f"a file of {FILE_LEN} octets", 60),
        ("thread", THREAD, f"the {THREAD_LEN} octets of a persistent thread", 300),
    ):
        read = reader.read(target)
        what = f"kept-alive GET of {what}, its acknowledgments included"
        figures.append(Figure(f"{name}_file_changes", f"changes of file: {what}", read.changes, "changes", limit))
        beside.append(Figure(f"{name}_files", f"files that take part in it: {what}", len(read.files), "files"))
    return Result({}, figures, beside=beside)


def _round_trips() -> Result:
    figures, beside, curves = [], [], {}
    for suffix, label, limit in (("", "initial window of 10 segments", 3), ("_local", "link declared local", 2)):
        image = build(files_application(), target="inprocess", overrides={"link.local": bool(suffix)}).image
        worst = max((first_response(image, BIG, policy, SEED) for policy in POLICIES), key=lambda one: one.whole_us)
        name, what = f"file_57k_rtts{suffix}", f"round trips of the 57 254-octet file, {label}"
        figures.append(Figure(name, what, -(-worst.whole_us // RTT_US), "RTT", limit))
        beside.append(Figure(f"{name}_exact", f"{name}, not rounded up", round(worst.whole_us / RTT_US, 3), "RTT"))
        curves[label] = [(time_us / RTT_US, octets) for time_us, octets in worst.arrivals]
    title = f"A file of {BIG:,} octets over {DELAY_MS} ms each way".replace(",", " ")
    x_label, y_label = "round trips since the request left", "octets of the response received"
    return Result({}, figures, [Curves(title, x_label, y_label, curves)], beside)


def _tail(several: Sequence[int]) -> Result:
    image = build(files_application(), target="inprocess", overrides={"link.local": False}).image
    losses = [tail_loss(image, size, policy, SEED) for size in several for policy in POLICIES]
    what = "what the loss of a response's last segment adds"
    best = Figure("tail_loss_best_rtts", "the same in the best case measured", round(min(losses), 3), "RTT")
    return Result({}, [Figure("tail_loss_rtts", what, round(max(losses), 3), "RTT", 3)], beside=[best])


def _grouped(prefix: str, what: str, amounts: Mapping[str, float], unit: str) -> list[Figure]:
    """A figure for each group of files that has a part in it."""
    order = [group for group in (*GROUPS, OTHER, DRIVER) if group in amounts]
    names = {group: f"{prefix}_{re.sub(r'[^a-z]+', '_', group.lower())}" for group in order}
    return [Figure(names[group], f"{what}: {group}", amounts[group], unit) for group in order]
