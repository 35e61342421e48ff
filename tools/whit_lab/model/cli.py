# SPDX-License-Identifier: MIT
"""`whit model`: one content on one link, by the papers' model and by ours."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from whit.errors import WhitError
from whit.model.parties import Client, Link, Server
from whit.model.words import read_link, read_policy, read_size
from whit.output import check_output, write_output
from whit_lab.model.comparison import ALL, ONE, Question, compare
from whit_lab.model.paper import Setting
from whit_lab.model.presets import Preset, find
from whit_lab.model.show import as_json, print_comparison

DEFAULT = "figure1"
REQUEST, HEAD = 400, 100  # octets, of a browser and of this engine
MSS_LEAST, MSS_MOST = 88, 1460
FLIGHT_MOST = 64
PLOT_SUFFIXES = (".svg", ".png")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass(frozen=True)
class Options:
    """The options of the command line. None: the value of the preset, or else the default."""

    link: str | None = None
    preset: str | None = None
    size: str | None = None
    strategy: list[str] | None = None
    ack: str = "delayed"
    mss: int | None = None
    window: str = "65535"
    in_flight: int | None = None
    request: str | None = None
    head: str | None = None
    buffer: str | None = None
    json_file: Path | None = None
    plot_file: Path | None = None


def model(console: Console, options: Options) -> None:
    """Prints the comparison, and writes the requested files."""
    _check_outputs(options)
    preset = find(options.preset or DEFAULT)
    question = read_question(options, preset)
    is_row = bool(options.preset and preset.request)  # of 001 Table 2: one server
    reading = preset if is_row and question.setting is not None and options.mss is None else None
    strategies = read_strategies(options.strategy, (preset.strategy,) if is_row else ALL)
    compared = compare(question, strategies, only_content=is_row)
    if options.json_file is None or str(options.json_file) != "-":
        print_comparison(console, compared, reading)
    if options.json_file is not None:
        text = json.dumps(as_json(compared, reading), indent=1)
        if str(options.json_file) == "-":
            print(text)
        else:
            write_output(options.json_file, text + "\n")
    if options.plot_file is not None:
        from whit_lab.model.sweep import draw_sweeps

        draw_sweeps(question, strategies, options.plot_file)


def _link_of(setting: Setting) -> Link:
    """Returns the link of a paper's setting."""
    return Link(setting.bandwidth, setting.rtt_s, half_duplex=setting.charge_acks)


def read_question(options: Options, preset: Preset) -> Question:
    """Returns the question. Raises WhitError for impossible options."""
    setting = preset.link
    link = read_link(options.link) if options.link is not None else _link_of(setting)
    if options.mss is not None and not MSS_LEAST <= options.mss <= MSS_MOST:
        raise WhitError(f"--mss {options.mss}: expected {MSS_LEAST} to {MSS_MOST} octets")
    mss = options.mss or setting.mss
    if options.in_flight is not None and not 1 <= options.in_flight <= FLIGHT_MOST:
        raise WhitError(f"--in-flight {options.in_flight}: expected 1 to {FLIGHT_MOST} segments")
    client = Client(mss=mss, window=read_size("--window", options.window, least=mss, most=65535))
    client = replace(client, ack=read_policy(options.ack), segment=mss)
    buffer = mss if options.buffer is None else read_size("--buffer", options.buffer, least=128, most=32768)
    return Question(
        link,
        client,
        Server(buffer=buffer),
        preset.content if options.size is None else read_size("--size", options.size, least=1),
        preset.request or REQUEST
        if options.request is None
        else read_size("--request", options.request, least=20, most=16384),
        preset.static_head or sum(preset.heads) or HEAD
        if options.head is None
        else read_size("--head", options.head, least=20, most=1024),
        options.in_flight,
        options.buffer is None,
        None if options.link or options.ack != "delayed" else replace(setting, mss=mss),
    )


def read_strategies(words: list[str] | None, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the strategies, or the usual ones if no word is given."""
    names = {name.lower(): name for name in ALL}
    for word in words or []:
        if word.lower() not in names:
            raise WhitError(f"--strategy {word}: expected {', '.join(ALL)}; {ONE}: one segment in flight")
    return tuple(names[word.lower()] for word in words) if words else usual


def _check_outputs(options: Options) -> None:
    if options.json_file and str(options.json_file) != "-":
        check_output("--json", options.json_file)
    if options.plot_file:
        check_output("--plot", options.plot_file, PLOT_SUFFIXES)


@app.command()
def read(
    link: Annotated[
        str | None, typer.Option(metavar="LINK", help="Such as 10kB/s,50ms or 14.4kB/s,50ms,half,1%,slip.")
    ] = None,
    size: Annotated[str | None, typer.Option(metavar="OCTETS", help="Of the content: 5805, 8kB.")] = None,
    strategy: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only that one: S0 to S4, or one: one segment in flight.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(metavar="NAME", help="A paper's setting: figure1, dynaweb, uip, miniweb, smews.")
    ] = None,
    ack: Annotated[
        str, typer.Option(metavar="POLICY", help="The client's: every, delayed, late, xp, linux.")
    ] = "delayed",
    mss: Annotated[int | None, typer.Option(metavar="OCTETS", help="Of a segment at most.")] = None,
    window: Annotated[str, typer.Option(metavar="OCTETS", help="The client's.")] = "65535",
    in_flight: Annotated[int | None, typer.Option(metavar="N", help="So many segments in flight at most.")] = None,
    buffer: Annotated[
        str | None, typer.Option(metavar="OCTETS", help="What S1 to S4 have for octets; one MSS if not given.")
    ] = None,
    request: Annotated[str | None, typer.Option(metavar="OCTETS", help="Of the request; 400.")] = None,
    head: Annotated[str | None, typer.Option(metavar="OCTETS", help="In front of the content; 100.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write it there; - for here.")
    ] = None,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it by size and by segments: .svg or .png.")
    ] = None,
) -> None:
    """Print how long a content takes on a link, and what memory it holds: the papers' model beside ours."""
    sizes = (ack, mss, window, in_flight, request, head, buffer)
    model(
        Console(highlight=False, width=None if sys.stdout.isatty() else 160),
        Options(link, preset, size, strategy, *sizes, json_file, plot_file),
    )


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    return int(app(arguments, prog_name="whit model", standalone_mode=False) or 0)
