# SPDX-License-Identifier: MIT
"""A comparison of models, as tables and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from whit.image.cost import number, plain_table
from whit.model.words import say_link, say_rate
from whit_lab.model.comparison import ONE, Answer, Bulk, Comparison, Question
from whit_lab.model.presets import Preset

LEGEND = (
    "one: a server with one segment in flight, as uIP; S0: a file; S1: generated and kept; S2: generated again; "
    "S3, S4: the same of a thread, of any length."
)


def print_comparison(console: Console, compared: Comparison, reading: Preset | None) -> None:
    """Prints a comparison. reading: the paper's preset; its remark about the content is printed below the tables."""
    question = compared.question
    client = question.client
    console.print(f"{say_link(question.link)}; MSS {client.mss}, window {client.window}, client: {client.ack.value}")
    console.print(
        f"{number(question.content)} octets of content; refined: request of {question.request}, head of "
        f"{question.head}, buffer of {question.server.buffer}{_in_flight(question)}"
    )
    console.print(_strategies(compared))
    console.print(LEGEND)
    if any(answer.refined is None for answer in compared.answers):
        room = number(question.server.buffer)
        console.print(f"S1 keeps all of it: {number(question.content)} octets do not fit --buffer {room}.")
    if question.link.loss:
        console.print("ST, charge and the papers' columns are without loss; response is to be expected with it.")
    if compared.bulk:
        console.print(_bulk(compared.bulk, question))
    if compared.ratios:
        console.print(_ratios(compared))
    if reading:
        console.print(_reading(reading, question.content))


def _in_flight(question: Question) -> str:
    return "" if question.in_flight is None else f"; {question.in_flight} segments in flight at most"


def _strategies(compared: Comparison) -> Table:
    table = plain_table("")
    papers, own = ("papers\nST, s", "\ngain", "\nB·s"), ("refined\nST, s", "\ngain", "\nB·s")
    for column in (*papers, *own, "response\ns", "segments"):
        table.add_column(column, justify="right")
    one = next((answer for answer in compared.answers if answer.strategy == ONE), None)
    for answer in compared.answers:
        table.add_row(answer.strategy, *_paper_cells(answer, one), *_own_cells(answer, one))
    return table


def _paper_cells(answer: Answer, one: Answer | None) -> tuple[str, ...]:
    return seconds(answer.paper_s), _gain(one.paper_s if one else None, answer.paper_s), charge(answer.paper_charge_bs)


def _own_cells(answer: Answer, one: Answer | None) -> tuple[str, ...]:
    own = answer.refined
    if own is None:
        return ("–",) * 5
    theirs = one.refined.st_s if one and one.refined else None
    gain = _gain(theirs, own.st_s)
    return seconds(own.st_s), gain, charge(own.charge_bs), seconds(own.whole_s), str(own.segments)


def _gain(one_s: float | None, own_s: float) -> str:
    return f"×{one_s / own_s:.2f}" if one_s and own_s else ""


def _bulk(bulk: tuple[Bulk, ...], question: Question) -> Table:
    table = plain_table("\na long file")
    for column in ("papers\noverhead", "\nthroughput", "\nof line", "refined\nthroughput", "\nof line"):
        table.add_column(column, justify="right")
    rate = question.link.rate or 0.0
    for one in bulk:
        share, own = one.throughput / rate, one.refined / rate
        name = "one segment in flight" if one.name == ONE else "without a pause"
        cells = (say_rate(one.throughput), f"{100 * share:.1f} %", say_rate(one.refined), f"{100 * own:.1f} %")
        table.add_row(name, f"{100 * one.overhead:.1f} %", *cells)
    return table


def _ratios(compared: Comparison) -> str:
    told = compared.ratios
    assert told is not None
    s1 = "" if told.s1 is None else f", eq. 17 (S1) {told.s1:.2f}"
    return (
        f"One segment in flight takes so many times longer: eq. 15 (S0) {told.s0:.2f}{s1}, eq. 20 (S3) {told.s3:.2f}; "
        f"S3 is as fast as it with a buffer of {told.equal_buffer} octets."
    )


def _reading(preset: Preset, content: int) -> str:
    told = f"{preset.what}. Its reading, with requests and heads: {preset.response_s(content):.2f} s as a file"
    if preset.generates:
        told += f", {preset.response_s(content, generated=True):.2f} s when it is generated"
    if preset.strategy == ONE:
        told += f", {preset.charge_bs(content):.1f} B·s then"
    return told + "."


def as_json(compared: Comparison, reading: Preset | None) -> dict[str, Any]:
    """Returns seconds, bytes, bytes a second and byte seconds; null if a model has no answer."""
    question = compared.question
    link, client = question.link, question.client
    settings = {
        "rate": link.rate, "rtt_s": link.rtt_s, "half_duplex": link.half_duplex, "loss": link.loss,
        "framing": link.framing.name, "mss": client.mss, "window": client.window, "ack": client.ack.name.lower(),
        "content": question.content, "request": question.request, "head": question.head,
        "buffer": question.server.buffer, "in_flight": question.in_flight,
    }  # fmt: skip
    told: dict[str, Any] = {"settings": settings}
    told["strategies"] = [
        {
            "strategy": answer.strategy,
            "paper": _rounded({"st_s": answer.paper_s, "charge_bs": answer.paper_charge_bs}),
            "refined": _rounded(asdict(answer.refined)) if answer.refined else None,
        }
        for answer in compared.answers
    ]
    told["bulk"] = [_rounded(asdict(one)) for one in compared.bulk]
    told["ratios"] = _rounded(asdict(compared.ratios)) if compared.ratios else None
    if reading:
        told["reading"] = {"preset": reading.name, "response_s": round(reading.response_s(question.content), 6)}
    return told


def _rounded(fields: dict[str, Any]) -> dict[str, Any]:
    """Rounds to microseconds."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in fields.items()}


def seconds(value: float) -> str:
    """Returns seconds in three or four digits."""
    return f"{value:.3f}" if value < 10 else f"{value:.2f}"


def charge(value: float) -> str:
    """Returns byte seconds for a reader."""
    return "0" if value == 0 else f"{value:.1f}" if value < 1000 else number(round(value))
