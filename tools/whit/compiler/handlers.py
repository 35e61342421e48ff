# SPDX-License-Identifier: MIT
"""Checks a generator's handlers: their combination, and their parameters."""

from collections.abc import Callable, Mapping

from .c_source import Function
from .model import Get, Parts, Persistence, Writer

KINDS = ("init", "initGet", "doGet", "doPost", "doPostIn", "doPostOut", "call")
Form = tuple[str, ...]
# Tells a mistake: message, and the handler that it is about.
Complain = Callable[[str, str | None], Exception]

_ARGS, _STATE, _THREAD = "struct args_t *", "struct state_t *", "struct whit_pt *"
_INDEX = (_ARGS, "uint32_t", "uint16_t")
_GET_THREAD, _GET_THREAD_STATE = (_THREAD, _ARGS), (_THREAD, _ARGS, _STATE)
_IN = ("uint8_t", "uint8_t", "char *", "void **")
_IN_THREAD = (_THREAD, "struct whit_part *", _STATE)
_RESULT = "struct result_t *"
_OUT, _OUT_STATE = ("uint8_t", "void *"), ("uint8_t", _STATE)

# The parameter lists that each kind of handler may have (include/whit/app.h).
FORMS: dict[str, tuple[Form, ...]] = {
    "init": ((),),
    "initGet": ((_ARGS,),),
    "doGet": ((_ARGS,), _INDEX, _GET_THREAD, _GET_THREAD_STATE),
    "doPost": ((_ARGS,), _GET_THREAD_STATE),
    "doPostIn": (_IN, _IN_THREAD),
    "doPostOut": (_OUT, _OUT_STATE),
    "call": ((_ARGS, _RESULT), (_RESULT,), (_ARGS,), ()),
}


def unknown_form(kind: str, function: Function) -> str | None:
    """Returns the mistake in a handler's parameters or return type; None if they are right."""
    if function.name == "main":
        return f"{kind} is main, which is the name of a program's own function: expected another name"
    if function.parameters in FORMS[kind]:
        return None if function.returns_char else f"{kind} is {function.name}: expected that it returns char, 1 or 0"
    return f"{kind} is {function.name}{_shown(function.parameters)}: expected {_choice(FORMS[kind])}"


def get_of(handlers: Mapping[str, Function]) -> Get | None:
    """Returns doGet with its way of writing, which follows from its parameters."""
    if (function := handlers.get("doGet")) is None:
        return None
    if function.parameters in (_GET_THREAD, _GET_THREAD_STATE):
        return Get(function.name, Writer.THREAD, function.parameters == _GET_THREAD_STATE)
    return Get(function.name, Writer.INDEX if function.parameters == _INDEX else Writer.PLAIN)


def form_thread_of(handlers: Mapping[str, Function]) -> bool:
    """True if doPost is a protothread."""
    return "doPost" in handlers and handlers["doPost"].parameters == _GET_THREAD_STATE


def parts_of(handlers: Mapping[str, Function], types: tuple[str, ...]) -> Parts | None:
    """Returns doPostIn and doPostOut, which need each other; None without them."""
    if "doPostIn" not in handlers:
        return None
    take, answer = handlers["doPostIn"], handlers["doPostOut"]
    return Parts(
        take=take.name,
        thread=take.parameters == _IN_THREAD,
        answer=answer.name,
        typed=answer.parameters == _OUT_STATE,
        types=types,
    )


def check_together(said: Mapping[str, str], error: Complain) -> None:
    """Checks which handlers need or exclude each other; `said` are their names by kind."""
    if "call" in said and (others := set(said) - {"call", "init"}):
        other = min(others)
        raise error(f"call and {other}: expected one of them; a function that is called writes nothing itself", other)
    if "doPostIn" in said and "doPostOut" not in said:
        raise error("doPostIn without doPostOut: expected both; doPostOut writes the answer", "doPostIn")
    if "doPostOut" in said and "doPostIn" not in said:
        raise error("doPostOut without doPostIn: expected both; doPostIn takes the body", "doPostOut")
    if "doPost" in said and "doPostIn" in said:
        raise error("doPost and doPostIn: expected one of them; doPost takes forms, doPostIn any other body", "doPost")
    if not {"doGet", "doPost", "doPostIn", "call"} & set(said):
        raise error(
            'a generator needs a handler: expected <handlers doGet="function"/>, doPost, call, '
            "or doPostIn and doPostOut",
            None,
        )
    if "initGet" in said and "doGet" not in said:
        raise error("initGet without doGet: expected doGet; it runs before it", "initGet")


def check_forms(handlers: Mapping[str, Function], persistence: Persistence, error: Complain) -> None:
    """Checks that the handlers' parameters fit together."""
    get = get_of(handlers)
    if get and get.writer == Writer.INDEX and persistence == Persistence.PERSISTENT:
        why = "a handler with an index may be called again for the same bytes, a persistent one runs once"
        raise error(f"{why}: make {get.name} a protothread, or persistence volatile or idempotent", "doGet")
    out = handlers.get("doPostOut")
    if out and out.parameters == _OUT_STATE and handlers["doPostIn"].parameters == _IN:
        expected = f"expected {_shown(_OUT)}, or {_shown(_IN_THREAD)} for doPostIn"
        raise error(f"doPostOut is {out.name}{_shown(out.parameters)}: {expected}", "doPostOut")


def _shown(form: Form) -> str:
    return f"({', '.join(form) or 'void'})"


def _choice(forms: tuple[Form, ...]) -> str:
    *others, last = map(_shown, forms)
    return f"{', '.join(others)} or {last}" if others else last
