# SPDX-License-Identifier: MIT
"""A ladder for the terminal: one line for each datagram, timer and change of held memory."""

from collections.abc import Sequence

from rich.text import Text

from whit.ladder.steps import Event, Ladder, Step
from whit.ladder.words import colour_of, ending, event_words, milliseconds, several, step_words

TIME_LEN, ARROW_LEN = 10, 62  # columns
LOST_LEN = ARROW_LEN * 3 // 5  # of an arrow that does not arrive
COLOURS = {"S0": "blue", "S1": "dark_orange3", "S2": "green", "S3": "magenta", "S4": "cyan"}


def lines(ladder: Ladder) -> list[Text]:
    """The times are those at which the first octet leaves and the last one arrives, in ms."""
    numbered = several(ladder)
    head = Text("".rjust(TIME_LEN + 2) + ladder.left.ljust(ARROW_LEN // 2) + ladder.right.rjust(ARROW_LEN // 2 + 2))
    rows: list[tuple[int, int, Text]] = []
    rows += [(event.time_us, 0, _event(event, numbered=numbered)) for event in ladder.events]
    rows += [(step.begin_us, 1, _step(step, numbered=numbered)) for step in ladder.steps]
    rows += [(time_us, 2, _held(time_us, octets)) for time_us, octets in _changes(ladder)]
    rows.sort(key=lambda row: row[:2])
    body = [Text(ladder.title, "bold"), head, *(row for _, _, row in rows), Text(ending(ladder), "dim")]
    for line in body:
        line.rstrip()
    return body


def plain(ladder: Ladder) -> str:
    """Returns the ladder as in a terminal, without colours."""
    return "".join(f"{line.plain}\n" for line in lines(ladder))


def _step(step: Step, *, numbered: bool) -> Text:
    words = f" {step_words(step, numbered=numbered)} "
    words = words if len(words) < ARROW_LEN - 4 else f"{words[: ARROW_LEN - 7]}… "
    dash = "╌" if step.again else "─"
    length = ARROW_LEN if step.end_us is not None else max(LOST_LEN, len(words) + 4)
    shaft = dash * (length - len(words) - 3)
    tip = "✗" if step.end_us is None else ("▶" if step.left_to_right else "◀")
    arrow = f"{dash}{dash}{words}{shaft}{tip}" if step.left_to_right else f"{tip}{shaft}{words}{dash}{dash}"
    arrow = arrow.ljust(ARROW_LEN) if step.left_to_right else arrow.rjust(ARROW_LEN)
    arrived = "lost" if step.end_us is None else milliseconds(step.end_us)
    return Text.assemble(
        (milliseconds(step.begin_us).rjust(TIME_LEN), "dim"),
        "  │",
        (arrow, _style(step)),
        "│",
        (f"{arrived:>9}", "dim"),
    )


def _style(step: Step) -> str:
    if step.end_us is None or step.kind == "reset":
        return "red"
    if step.kind == "ack":
        return "dim"
    return COLOURS.get(colour_of(step.strategy), "")


def _event(event: Event, *, numbered: bool) -> Text:
    label = f"● {event_words(event, numbered=numbered)}"
    placed = f" {label}".ljust(ARROW_LEN) if event.on_left else f"{label} ".rjust(ARROW_LEN)
    return Text.assemble((milliseconds(event.time_us).rjust(TIME_LEN), "dim"), "  │", (placed, "yellow"), "│")


def _held(time_us: int, octets: int) -> Text:
    label = f"{octets} bytes held".rjust(ARROW_LEN)
    return Text.assemble((milliseconds(time_us).rjust(TIME_LEN), "dim"), "  │", (label, "dim"), "│")


def _changes(ladder: Ladder) -> Sequence[tuple[int, int]]:
    """Returns the changes of held memory, without an initial zero."""
    return ladder.held[1:] if ladder.held and ladder.held[0][1] == 0 else ladder.held
