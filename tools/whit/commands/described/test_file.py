# SPDX-License-Identifier: MIT
"""test.py of an application: calls each of its functions once. It needs Python alone."""

from collections.abc import Iterable
from pathlib import Path

from .skeleton import sample
from .wanted import Function

TEMPLATE = Path(__file__).parent / "call_template.py"
TOKEN = "CALLS: list[Call] = []\n"


def test_file(name: str, functions: Iterable[Function]) -> str:
    calls = [call for function in functions for call in _calls(function)]
    template = TEMPLATE.read_text()
    assert TOKEN in template
    calls_text = "CALLS: list[Call] = [\n" + "".join(f"    {call!r},\n" for call in calls) + "]\n"
    return template.replace(TOKEN, calls_text).replace("@NAME@", name)


def _calls(function: Function) -> Iterable[tuple[object, ...]]:
    """Returns a call for each way: way, path, namespace, name, arguments, names of the expected values."""
    arguments = {value.name: sample(value) for value in function.arguments}
    values = [value.name for value in function.result]
    single = [value.name for value in function.result if not value.count]
    for way in function.ways.split():
        path = f"/{function.service if way == 'soap' else function.path}"
        # An array without elements is nothing in XML, and in lines.
        needed = values if way in ("json", "get") else single
        yield way, path, function.namespace, function.name, arguments, needed
