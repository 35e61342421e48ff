# SPDX-License-Identifier: MIT
"""Words that both drawings of a ladder use."""

from collections.abc import Sequence

from whit.ladder.steps import Event, Ladder, Step

STRATEGIES = {
    "S0": "S0: from flash or persistent memory",
    "S1": "S1: kept until acknowledged",
    "S2": "S2: its generator runs again",
    "S3": "S3: kept, a part at a time",
    "S4": "S4: made again from a rerun point",
}


def number(value: int) -> str:
    """Thousands apart."""
    return f"{value:,}".replace(",", " ")


def milliseconds(time_us: int) -> str:
    """Returns milliseconds to a tenth, or to a hundredth below 10 ms."""
    return f"{time_us / 1000:.2f}" if 0 < time_us < 9_995 else f"{time_us / 1000:.1f}"


def several(ladder: Ladder) -> bool:
    """More than one connection."""
    return len({step.connection for step in ladder.steps} - {0}) > 1


def step_words(step: Step, *, numbered: bool) -> str:
    """Returns the step's strategy, label and length; `numbered`: its connection too."""
    connection = f"#{step.connection}" if numbered and step.connection else ""
    return " ".join(word for word in (connection, step.strategy, step.label, f"· {number(step.octets)} B") if word)


def event_words(event: Event, *, numbered: bool) -> str:
    """Returns the event's label. numbered: with the number of its connection."""
    return f"#{event.connection} {event.label}" if numbered and event.connection else event.label


def colour_of(strategy: str) -> str:
    """The key of STRATEGIES: the first of several among which the engine chooses, or ""."""
    first = strategy.partition("/")[0]
    return first if first in STRATEGIES else ""


def strategies_in(ladder: Ladder) -> Sequence[str]:
    """Keys of STRATEGIES, sorted."""
    return sorted({colour_of(step.strategy) for step in ladder.steps} - {""})


def ending(ladder: Ladder) -> str:
    """Returns a summary of the ladder in one line."""
    lost = sum(step.end_us is None for step in ladder.steps)
    again = sum(step.again for step in ladder.steps)
    octets = sum(step.octets for step in ladder.steps)
    times = [time_us for step in ladder.steps for time_us in (step.begin_us, step.end_us) if time_us is not None]
    took_us = max(times) - min(times) if times else 0
    words = [f"{number(len(ladder.steps))} datagrams", f"{number(octets)} bytes", f"{milliseconds(took_us)} ms"]
    words += [f"{lost} lost"] if lost else []
    words += [f"{again} sent again"] if again else []
    held_most = max((held for _, held in ladder.held), default=0)
    words += [f"at most {number(held_most)} bytes held"] if held_most else []
    return ", ".join(words)
