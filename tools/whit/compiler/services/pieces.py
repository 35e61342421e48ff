# SPDX-License-Identifier: MIT
"""Arguments and values in base64 that go by pieces: <arg take="function"/> and <value give="function"/>."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from lxml import etree

from ..c_source import Function
from ..model import Argument
from .model import Operation, Security, Way, laid_out

KEPT_MAX = 230  # octets of a result with values by pieces, 4 for each of these; with the engine's own, a state of 255
FORMS = {
    "take": ("struct args_t *", "const uint8_t *", "uint8_t"),
    "give": ("struct args_t *", "uint32_t", "uint8_t *", "uint8_t"),
}
"""Parameters of each function; both return a bool (docs/services.md)."""


def placed(arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """With the places of their functions."""
    taken = [one.name for one in arguments if one.take]
    return tuple(replace(one, place=taken.index(one.name)) if one.take else one for one in arguments)


def check(
    root: etree._Element,
    functions: Mapping[str, Function],
    operation: Operation,
    error: Callable[[etree._Element, str, str | None], Exception],
) -> bool:
    """Checks elements of a <generator> that name such functions. True if there are any."""
    found = False
    for element in root.iter("arg", "value"):
        kind = "take" if element.tag == "arg" else "give"
        if (name := element.get(kind)) is None:
            continue
        found = True
        if complaint := _complaint(kind, element, functions.get(name), operation):
            raise error(element, complaint, kind)
    if operation.gives and (octets := laid_out(operation.result)) > KEPT_MAX:
        message = f"the result takes {octets} bytes beside what is given by pieces: expected at most {KEPT_MAX}"
        raise error(next(root.iter("result")), f"{message}, as they are kept until the answer has left", None)
    return found


def _complaint(kind: str, element: etree._Element, function: Function | None, operation: Operation) -> str | None:
    """Returns the mistake in an element that names a function; None if it is right."""
    name, said = element.get("name"), element.get(kind)
    parent = element.getparent()
    if parent is not None and parent.tag == "record":
        return f"{kind} of {name!r}, which is in a record: expected it in <args> or <result> itself"
    for attribute in ("count", "default", "scale", "values"):
        if attribute in element.attrib:
            return f"{attribute} of {name!r}, a base64 that goes by pieces: expected none"
    if Way.GET in operation.ways:
        return f'{kind} of {name!r}, and as is "get": expected as="json", as a query has no pieces'
    if kind == "take" and operation.security != Security.NONE:
        what = "its bytes would be taken before the caller is known"
        return f'take of {name!r}, and security is "{operation.security}": expected none, as {what}'
    if function is None:
        return f"{kind} is {said!r}: no function of that name is defined in this file"
    expected = f"static bool {said}({', '.join(FORMS[kind])})"
    if function.parameters != FORMS[kind] or not function.returns_bool:
        return f"{kind} is {said}({', '.join(function.parameters) or 'void'}): expected {expected}"
    return None
