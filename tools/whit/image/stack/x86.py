# SPDX-License-Identifier: MIT
"""IA-32 in AT&T's syntax, as far as stack and flow go."""

import re
from collections.abc import Callable

from whit.image.stack.model import Constant, Flow, Instruction, Machine, Relative, State, Step, Value, fell

WORD = 4
_PREFIXES = re.compile(r"^(?:rep[a-z]*|lock|data16|addr16|[cdefgs]s)$")
_PUSHED = {"push": 4, "pushl": 4, "pushw": 2, "pusha": 32, "pushal": 32, "pushf": 4}
_POPPED = {"pop": 4, "popl": 4, "popw": 2, "popa": 32, "popal": 32, "popf": 4}
_LOOKS = ("cmp", "test", "out", "nop", "bt")  # which change no register that they name
_PLACE = re.compile(r"(-?0x[0-9a-f]+)?\((%e\w\w)\)")


def _parts(operands: str) -> list[str]:
    """Apart at the commas that are not in parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", operands)]


def _number(text: str) -> int | None:
    """Returns the value of an immediate operand, with its sign; None for others."""
    if not re.fullmatch(r"\$-?(0x[0-9a-f]+|\d+)", text):
        return None
    number = int(text[1:], 0)
    return number - (1 << 32) if number >> 31 == 1 else number


def _value(name: str, parts: list[str], state: State) -> Value | None:
    """Returns the value that an instruction writes to its register, as far as it is known."""
    number = _number(parts[0])
    depth = state.depth if parts[-1] == "%esp" else state.relative(parts[-1])
    if name in ("sub", "add") and number is not None and depth is not None:
        return Relative(depth + (number if name == "sub" else -number))
    if name == "lea" and (found := _PLACE.fullmatch(parts[0])):
        base = state.depth if found[2] == "%esp" else state.relative(found[2])
        return None if base is None else Relative(base - int(found[1] or "0", 16))
    if name == "mov" and number is not None:
        return Constant(number)
    if name == "mov":
        return Relative(state.depth) if parts[0] == "%esp" else state.values.get(parts[0])
    return None


def _flow(instruction: Instruction, state: State) -> Step | None:
    name, target = instruction.mnemonic, instruction.target
    through = instruction.operands.startswith("*")
    if name in ("ret", "iret"):
        return Step(Flow.RETURN, state)
    if name == "ud2":
        return Step(Flow.STOP, state)
    if name == "jmp" and through:
        by_table = re.fullmatch(r"\*0x[0-9a-f]+\(,%e\w\w,4\)", instruction.operands)
        return Step(Flow.SWITCH if by_table else Flow.JUMP_POINTER, state)
    if name == "jmp":
        return Step(Flow.JUMP, state, target)
    if name == "call":
        return Step(Flow.CALL_POINTER, state) if through else Step(Flow.CALL, state, target)
    if name.startswith(("j", "loop")) and target is not None:
        return Step(Flow.BRANCH, state, target)
    return None


def _named(register: str) -> str:
    """Returns the name of the 32-bit register that contains this part."""
    found = re.fullmatch(r"%([abcd])[lhx]|%(bp|si|di|sp)", register)
    if found is None:
        return register
    return f"%e{found[1]}x" if found[1] else f"%e{found[2]}"


def step(instruction: Instruction, state: State, word: Callable[[int, int], int | None]) -> Step:
    name, parts = instruction.mnemonic, _parts(instruction.operands)
    if _PREFIXES.match(name):
        return Step(Flow.NEXT, state)
    if flow := _flow(instruction, state):
        return flow
    if name in _PUSHED:
        return Step(Flow.NEXT, state.at(state.depth + _PUSHED[name]))
    if name == "leave":
        depth = state.relative("%ebp")
        if depth is None:
            raise fell(instruction)
        return Step(Flow.NEXT, state.put("%ebp", None).at(depth - WORD))
    if name in _POPPED:
        return Step(Flow.NEXT, state.put(_named(parts[0]), None).at(state.depth - _POPPED[name]))
    if name.rstrip("bwl") in _LOOKS:
        return Step(Flow.NEXT, state)
    value, register = _value(name, parts, state), _named(parts[-1])
    if name.startswith("xchg"):
        state = state.put(_named(parts[0]), None)
    if register != "%esp":
        return Step(Flow.NEXT, state.put(register, value))
    if isinstance(value, Relative):
        return Step(Flow.NEXT, state.at(value.depth))
    if isinstance(value, Constant):  # start-up code: the stack begins here
        return Step(Flow.NEXT, state.at(0))
    raise fell(instruction)


MACHINE = Machine(step, WORD)
