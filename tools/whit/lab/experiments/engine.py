# SPDX-License-Identifier: MIT
"""What the engine costs and how fast it is: octets, instructions, round trips. Nothing here looks at a clock."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from whit.build import build
from whit.lab.experiment import Bars, Curves, Figure, Progress, Result, Series
from whit.lab.instruments.checksums import static_checksum_octets
from whit.lab.instruments.groups import GROUPS, OTHER
from whit.lab.instruments.image import look
from whit.lab.instruments.instructions import CODINGS, DRIVER, Counter, request, valgrind_version
from whit.lab.instruments.served import BIG, SEVERAL, files_application
from whit.lab.instruments.transfer import DELAY_MS, POLICIES, RTT_US, Transfer, first_response, tail_loss
from whit.paths import BUILD, ROOT
from whit.sizes import ENGINE

DIRECTORY = BUILD / "lab"


@dataclass
class _Measured:
    """Figures and charts, as they come."""

    figures: list[Figure] = field(default_factory=list)
    beside: list[Figure] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)
    settings: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Engine:
    """The defaults are the experiment; reduced, it sends less."""

    application: str = str(ROOT / "apps" / "contacts")
    segments: int = 9  # beside the first, all of the initial window of 10
    mss: Sequence[int] = (1460, 536, 88)
    several: Sequence[int] = SEVERAL  # octets of the responses whose last segment is lost
    seed: int = 1

    def run(self, progress: Progress) -> Result:
        measured = _Measured(settings=self._settings())
        steps: Sequence[tuple[str, Callable[[_Measured], None]]] = (
            ("sizes on Cortex-M3", self._sizes),
            ("checksums of static content", self._checksums),
            ("instructions of a request", self._get),
            ("instructions of a segment", self._segment),
            ("round trips of a file", self._round_trips),
            ("a lost last segment", self._tail),
        )
        for index, (what, step) in enumerate(steps):
            progress(what, index / len(steps))
            step(measured)
        return Result(measured.settings, measured.figures, measured.series, measured.beside)

    def _settings(self) -> dict[str, object]:
        return {
            "seed": self.seed,
            "one_way_ms": DELAY_MS,
            "file_octets": BIG,
            "mss": list(self.mss),
            "segments": self.segments,
            "acknowledgments": [policy.name.lower() for policy in POLICIES],
        }

    def _sizes(self, measured: _Measured) -> None:
        image = look(self.application, "cortex-m")
        flash, globals_, ram = image.engine_flash, image.engine_globals, image.sizes.parts[ENGINE].ram
        measured.figures += [
            Figure("slot_bytes", "RAM of a connection's slot", image.slot, "B", 32),
            Figure("idle_bytes", "RAM of an idle kept-alive connection", image.idle, "B", 8),
            Figure("engine_globals_bytes", "engine RAM beside slots, tags, shared buffer", globals_, "B", 180),
            Figure("engine_flash_bytes", "engine code and constants, Cortex-M3 -Os", flash, "B", 9500),
        ]
        what = f"all of the engine's RAM, {image.built.application.limits.connections} connections"
        measured.beside.append(Figure("engine_ram_bytes", what, ram, "B"))
        measured.beside += _grouped("flash", "of engine_flash_bytes", image.flash, "B")
        title = f"The engine's flash: {flash:,} octets".replace(",", " ")
        measured.series.append(Bars(title, "octets on Cortex-M3, -Os", image.flash))

    def _checksums(self, measured: _Measured) -> None:
        built = build(self.application, target="inprocess", meter=True)
        counts = [static_checksum_octets(built.image, built.application, mss=mss, seed=self.seed) for mss in self.mss]
        octets, responses = (sum(values) for values in zip(*counts, strict=True))
        what = "octets of static content summed at run time"
        measured.figures.append(Figure("static_checksum_ops", what, octets, "octets", 0))
        what = "from files, kept alive, over which static_checksum_ops was counted"
        measured.beside.append(Figure("static_responses", what, responses, "responses"))

    def _get(self, measured: _Measured) -> None:
        counter = Counter(self.application, DIRECTORY)
        costs = [counter.count("measured_get", request("/", coding)) for coding in CODINGS]
        worst = max(costs, key=lambda cost: cost.total)
        what = "kept-alive GET of the 752-octet page, 400-octet request, x86-64 -O2"
        measured.figures.append(Figure("get_instructions", what, worst.total, "instructions", 6000))
        what = "the same without Accept-Encoding in the request"
        measured.beside.append(Figure("get_plain_instructions", what, costs[0].total, "instructions"))
        measured.beside += _grouped("get", "of get_instructions", worst.groups, "instructions")
        measured.settings["compiler"] = counter.compiler
        measured.settings["valgrind"] = valgrind_version()

    def _segment(self, measured: _Measured) -> None:
        counter = Counter(files_application(), DIRECTORY)
        all_of_them = counter.count("measured_segment", request(f"/{BIG}.bin"), self.segments)
        groups = {group: round(count / self.segments, 1) for group, count in all_of_them.groups.items()}
        per_segment = round(all_of_them.total / self.segments, 2)
        what = "one further full-size segment of a file, x86-64 -O2"
        measured.figures.append(Figure("segment_instructions", what, per_segment, "instructions", 500))
        measured.beside += _grouped("segment", "of segment_instructions", groups, "instructions")

    def _round_trips(self, measured: _Measured) -> None:
        curves: dict[str, Sequence[tuple[float, float]]] = {}
        for suffix, label, limit in (("", "initial window of 10 segments", 3), ("_local", "link declared local", 2)):
            image = build(files_application(), target="inprocess", overrides={"link.local": bool(suffix)}).image
            transfers = [first_response(image, BIG, policy, self.seed) for policy in POLICIES]
            worst = max(transfers, key=lambda transfer: transfer.duration_us)
            name, what = f"file_57k_rtts{suffix}", f"round trips of the 57 254-octet file, {label}"
            measured.figures.append(Figure(name, what, worst.whole_rtts, "RTT", limit))
            measured.beside.append(Figure(f"{name}_exact", f"{name}, not rounded up", round(worst.rtts, 3), "RTT"))
            curves[label] = _in_rtts(worst)
        title = f"A file of {BIG:,} octets over {DELAY_MS} ms each way".replace(",", " ")
        measured.series.append(
            Curves(title, "round trips since the request left", "octets of the response received", curves)
        )

    def _tail(self, measured: _Measured) -> None:
        image = build(files_application(), target="inprocess", overrides={"link.local": False}).image
        losses = [tail_loss(image, size, policy, self.seed) for size in self.several for policy in POLICIES]
        what = "what the loss of a response's last segment adds"
        measured.figures.append(Figure("tail_loss_rtts", what, round(max(losses), 3), "RTT", 3))
        what = "the same in the best case measured"
        measured.beside.append(Figure("tail_loss_best_rtts", what, round(min(losses), 3), "RTT"))


def _grouped(prefix: str, what: str, amounts: Mapping[str, float], unit: str) -> list[Figure]:
    """A figure for each group of files that has a part in it."""
    order = [group for group in (*GROUPS, OTHER, DRIVER) if group in amounts]
    names = {group: f"{prefix}_{re.sub(r'[^a-z]+', '_', group.lower())}" for group in order}
    return [Figure(names[group], f"{what}: {group}", amounts[group], unit) for group in order]


def _in_rtts(transfer: Transfer) -> list[tuple[float, float]]:
    return [(time_us / RTT_US, octets) for time_us, octets in transfer.arrivals]


def run(progress: Progress, *, reduced: bool = False) -> Result:
    return (Engine(segments=3, mss=(536,), several=SEVERAL[:1]) if reduced else Engine()).run(progress)
