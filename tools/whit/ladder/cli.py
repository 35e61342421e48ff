# SPDX-License-Identifier: MIT
"""`whit ladder`: a capture as a ladder."""

import tempfile
from pathlib import Path

from rich.console import Console

from whit.errors import WhitError
from whit.ladder.pcap import ladder_of_capture, read_capture
from whit.ladder.strategy import StrategyOf, of_application, unknown
from whit.ladder.text import lines
from whit.ladder.write import DRAWN, write_ladder
from whit.output import check_output


def ladder(
    console: Console, capture: Path, *, svg: Path | None, connection: int | None, app_dir: str | None, most: int
) -> None:
    """Prints the ladder in the terminal, or writes it as an SVG file."""
    if svg is not None:
        check_output("--svg", svg, DRAWN)
    captured = read_capture(capture)
    strategy_of = _strategies(app_dir) if app_dir else unknown
    read = ladder_of_capture(captured, connection=connection, most=most, strategy_of=strategy_of)
    if svg is not None:
        write_ladder(read, svg)
        return
    for line in lines(read):
        console.print(line, soft_wrap=True)


def _strategies(app_dir: str) -> StrategyOf:
    from whit.compiler import CompileError, compile_application
    from whit.image.build import find_application

    with tempfile.TemporaryDirectory() as directory:
        try:
            return of_application(compile_application(find_application(app_dir), Path(directory)))
        except CompileError as error:
            raise WhitError(str(error)) from error
