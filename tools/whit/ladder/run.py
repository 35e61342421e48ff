# SPDX-License-Identifier: MIT
"""The ladder of a `whit run`."""

from pathlib import Path

from whit.compiler.model import Application
from whit.errors import WhitError
from whit.ladder.pcap import NothingPassed, ladder_of_capture, read_capture
from whit.ladder.strategy import of_application
from whit.ladder.write import write_ladder


def write_ladder_of_run(capture: Path, application: Application, path: Path) -> None:
    """Draws the ladder of a run. WhitError: the capture has no segment."""
    try:
        seen = read_capture(capture)
    except NothingPassed:
        raise WhitError(f"nothing passed, so {path} is not written", 1) from None
    title = f"{application.name}: what passed"
    write_ladder(ladder_of_capture(seen, title=title, strategy_of=of_application(application)), path)
