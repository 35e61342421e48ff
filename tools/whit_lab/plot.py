# SPDX-License-Identifier: MIT
"""Charts in one picture, at most three side by side. The same series give the same file."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, LogLocator, MaxNLocator, NullFormatter

from whit.output import write_output
from whit.palette import with_dark
from whit_lab.experiment import Bars, Curves, Line, Lines, Series, Stacks

COLORS = ("#1f5fa8", "#d1701c", "#3d8b4f", "#8a4fa0", "#b02a4c", "#6b6b6b")
STACK_COLORS = ("#1f5fa8", "#6fa3d8", "#d1701c", "#f0b27a", "#3d8b4f", "#8a4fa0", "#9a9a9a", "#cfcfcf")
OURS = ("#1f5fa8", "#b02a4c", "#3d8b4f", "#8a4fa0", "#00838f", "#6d4c2f")
PEERS = ("#d1701c", "#b8860b", "#c06fa5", "#7a8f2a")
BESIDE = 3  # charts
INK, FAINT, GREY = "#222222", "#d9d9d9", "#6b6b6b"
MARKS = {"ours": "osDv^", "paper": "^sDv<>", "peer": "Dv^sPX"}
MOST_MARKS = 24  # of a line
FEW = 10  # most ticks on an axis
STEPS = (1, 2, 5, 10)  # distances of ticks
SPACES: dict[str, Any] = {"columnspacing": 1.2, "handlelength": 1, "handletextpad": 0.4}  # of a legend
FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
ROOM = 1.06  # above the highest value of lines, for its mark
WIDTH = 5.8  # inches of a chart
DPI = 150  # of PNG
HEAD = 0.1  # inches above the charts, for the title
INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "font.family": "sans-serif",
    "svg.fonttype": "none",  # letters as text
    "svg.hashsalt": "whit",
    **dict.fromkeys(INKED, INK),
}


def draw(title: str, series: Sequence[Series], path: Path) -> None:
    """Writes SVG or PNG, by the suffix."""
    write_output(path, picture(title, series) if path.suffix == ".svg" else _drawn(title, series, "png"))


def picture(title: str, series: Sequence[Series]) -> str:
    """SVG, for light and dark screens."""
    return with_dark(_shorter(_drawn(title, series, "svg").decode()))


def _drawn(title: str, series: Sequence[Series], suffix: str) -> bytes:
    with matplotlib.rc_context(STYLE):
        columns = len(series) if len(series) <= BESIDE else 2
        rows = -(-len(series) // columns)
        size = (WIDTH * columns, _height(series) * rows)
        figure, axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False)
        for at in axes.flat[len(series) :]:
            at.set_visible(False)
        for chart, at in zip(series, axes.flat, strict=False):
            at.set_title(chart.title, loc="left", fontsize=11, pad=12)
            _chart(at, chart)
        figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
        for _ in range(2):  # legends keep their width when charts get narrower
            figure.tight_layout(w_pad=3, rect=(0, 0, 1, 1 - HEAD / size[1]))
        drawn = io.BytesIO()
        figure.savefig(drawn, format=suffix, dpi=DPI, metadata={"Date" if suffix == "svg" else "Software": None})
        pyplot.close(figure)
    return drawn.getvalue()


def svg(chart: Series) -> str:
    """Returns one chart as SVG for a page: no title, transparent background."""
    with matplotlib.rc_context(STYLE):
        figure, at = pyplot.subplots(figsize=(WIDTH, _height([chart])))
        _chart(at, chart)
        figure.tight_layout()
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None})
        pyplot.close(figure)
    return _shorter(drawn.getvalue())


def _shorter(drawn: str) -> str:
    """Returns the same picture in fewer bytes: coordinates to a hundredth of a point, one font, used names only."""
    text = drawn[drawn.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), text)
    text = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", text)
    text = re.sub(r"; font-family: [^;\"]*", "", text)
    used = set(re.findall(r"#([\w.]+)", text))
    text = re.sub(r' id="([\w.]+)"', lambda found: found[0] if found[1] in used else "", text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    return text.replace("<svg", f'<svg font-family="{FONTS}"', 1)


def _chart(at: Axes, chart: Series) -> None:
    at.set_xlabel(chart.x_label)
    at.spines[["top", "right"]].set_visible(False)
    at.set_axisbelow(True)
    if isinstance(chart, Bars):
        _bars(at, chart)
    elif isinstance(chart, Stacks):
        _stacks(at, chart)
    elif isinstance(chart, Lines):
        _lines(at, chart)
    else:
        _curves(at, chart)


def _height(series: Sequence[Series]) -> float:
    """Returns the height of a row of charts in inches. Long legends and many bars get more room."""
    lines = max((len(chart.lines) for chart in series if isinstance(chart, Lines)), default=0)
    bars = max((len(chart.amounts) for chart in series if isinstance(chart, Bars | Stacks)), default=0)
    return 4.4 + max(0.12 * lines, 0.26 * max(0, bars - 9))


def _number(value: float, _: object = None) -> str:
    return f"{value:,.0f}".replace(",", " ")


def _plain(value: float, _: object = None) -> str:
    """Returns the value without trailing zeros."""
    return _number(value) if abs(value) >= 1000 or value == int(value) else f"{value:.4g}"


def _bars(at: Axes, chart: Bars) -> None:
    """Draws bars, the largest on top, each with its amount. A logarithmic chart has dots, since its axis has no zero.

    If some bars are Whit's, by name or by strategy, the others are grey.
    """
    amounts = sorted(chart.amounts.items(), key=lambda pair: pair[1])
    names, values = [name for name, _ in amounts], [amount for _, amount in amounts]
    ours = [re.match(r"ours|Whit|S[0-4]\b", name) is not None for name in names]
    colors = [COLORS[0] if one or not any(ours) else STACK_COLORS[-2] for one in ours]
    if chart.log:
        at.scatter(values, names, color=colors, s=64, zorder=3)
        for name, value in amounts:
            at.annotate(_plain(value), (value, name), (9, 0), textcoords="offset points", va="center")
        at.set_xscale("log")
        at.grid(axis="y", color=FAINT, linestyle=":")
        at.margins(x=0.14, y=0.2)
    else:
        bars = at.barh(names, values, color=colors, height=0.66)
        at.bar_label(bars, [_plain(value) for value in values], padding=4)
        at.margins(x=0.14)
    _amounts(at, places=not chart.log)


def _amounts(at: Axes, *, places: bool = True) -> None:
    """Draws an axis with a name for each amount."""
    if places:
        at.xaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
    at.xaxis.set_major_formatter(FuncFormatter(_plain))
    at.grid(axis="x", color=FAINT)
    at.tick_params(axis="y", length=0)
    at.spines["left"].set_visible(False)


def _stacks(at: Axes, chart: Stacks) -> None:
    """Draws stacks, the first on top, each with its sum. A line marks the upper bound."""
    names = list(chart.amounts)[::-1]
    parts = list(dict.fromkeys(part for amounts in chart.amounts.values() for part in amounts))
    ends = dict.fromkeys(names, 0.0)
    for index, part in enumerate(parts):
        widths = [chart.amounts[name].get(part, 0.0) for name in names]
        color = STACK_COLORS[index % len(STACK_COLORS)]
        at.barh(names, widths, left=[ends[name] for name in names], color=color, height=0.6, label=part)
        ends = {name: ends[name] + width for name, width in zip(names, widths, strict=True)}
    for place, name in enumerate(names):
        at.annotate(_plain(ends[name]), (ends[name], place), (4, 0), textcoords="offset points", va="center")
        if name in chart.marks:
            at.plot([chart.marks[name]] * 2, [place - 0.42, place + 0.42], color=INK, linewidth=2)
    at.set_xlim(0, max([*ends.values(), *chart.marks.values()]) * 1.14)
    _amounts(at)
    at.legend(loc="upper center", bbox_to_anchor=(0.45, -0.16), ncol=min(len(parts), 4), frameon=False, **SPACES)


def _curves(at: Axes, chart: Curves) -> None:
    """Draws steps. Each ends with a dot; the legend has its name and end."""
    end = max(points[-1][0] for points in chart.curves.values())
    for index, (name, points) in enumerate(chart.curves.items()):
        color = COLORS[index % len(COLORS)]
        x, y = [point[0] for point in points], [point[1] for point in points]
        at.plot(x, y, drawstyle="steps-post", color=color, linewidth=2.2 if index == 0 else 1.8)
        at.plot(x[-1], y[-1], "o", color=color, markersize=7, label=f"{name}: {x[-1]:.3g}")
    at.set_ylabel(chart.y_label)
    at.set_ylim(bottom=0)
    at.set_xlim(0, end * 1.04)
    at.yaxis.set_major_formatter(FuncFormatter(_plain))
    at.xaxis.set_major_locator(MaxNLocator(6, steps=STEPS))
    at.grid(color=FAINT)
    columns = min(len(chart.curves), 3)
    at.legend(loc="upper left", bbox_to_anchor=(-0.02, -0.16), ncol=columns, frameon=False, **SPACES)


def _lines(at: Axes, chart: Lines) -> None:
    """Draws measured lines in front and in colour, papers dashed in greys. A model's line is thin and has the colour of
    Whit's line at the same position."""
    order = {"model": 0, "paper": 1, "peer": 2, "ours": 3}
    seen = dict.fromkeys(order, 0)
    for line in chart.lines:
        index, seen[line.whose] = seen[line.whose], seen[line.whose] + 1
        x, y = [point[0] for point in line.points], [point[1] for point in line.points]
        at.plot(x, y, label=line.name, zorder=2 + 0.1 * order[line.whose], **_style(line, index))
    at.set_ylabel(chart.y_label)
    every = [point for line in chart.lines for point in line.points]
    for index, (axis, log) in enumerate(((at.xaxis, chart.log_x), (at.yaxis, chart.log_y))):
        if log:
            (at.set_xscale, at.set_yscale)[index]("log")
            axis.set_major_locator(_log_places([point[index] for point in every]))
            axis.set_minor_formatter(NullFormatter())
        else:
            axis.set_major_locator(MaxNLocator(6, steps=STEPS))
        axis.set_major_formatter(FuncFormatter(_plain))
    if not chart.log_x:
        at.set_xlim(left=0)
    if not chart.log_y:
        at.set_ylim(0, ROOM * max(y for _, y in every))
    at.grid(color=FAINT)
    spaces = {"columnspacing": 1.4, "handlelength": 2.2, "handletextpad": 0.5}
    columns = 1 if max(len(line.name) for line in chart.lines) > 40 else 2
    below = (-0.12, 0)  # space for the axis' label, by borderaxespad
    columns = min(len(chart.lines), columns)
    at.legend(loc="upper left", bbox_to_anchor=below, borderaxespad=4, ncol=columns, frameon=False, **spaces)


def _log_places(values: Sequence[float]) -> Locator:
    """Places ticks at the measured values if these are few."""
    places = sorted(set(values))
    if len(places) <= FEW:
        room = (places[-1] / places[0]) ** 0.06
        apart = places[:1]
        for place in places[1:]:
            if place >= apart[-1] * room:
                apart.append(place)
        return FixedLocator(apart)
    return LogLocator(subs=(1, 2, 5) if places[-1] < 30 * places[0] else (1,))


def _style(line: Line, index: int) -> dict[str, Any]:
    """Returns the style of a line. index: its place among lines of its kind."""
    if line.whose == "model":
        return {"color": OURS[index % len(OURS)], "linewidth": 0.9, "alpha": 0.75}
    mark = MARKS[line.whose][index % len(MARKS[line.whose])]
    every = max(1, len(line.points) // MOST_MARKS)
    style: dict[str, Any] = {"marker": mark, "markevery": every, "markersize": 5.5}
    if line.whose == "paper":
        grey = (INK, GREY, "#9a9a9a")[index % 3]
        return style | {"color": grey, "linestyle": "--", "linewidth": 1.1, "markerfacecolor": "none"}
    if line.whose == "peer":
        return style | {"color": PEERS[index % len(PEERS)], "linewidth": 1.4, "markersize": 4.5}
    return style | {"color": OURS[index % len(OURS)], "linewidth": 2.2}
