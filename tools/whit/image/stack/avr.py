# SPDX-License-Identifier: MIT
"""AVR instructions, as far as stack and control flow need them. The low register names a value of 16 bits."""

import re
from collections.abc import Callable

from whit.image.stack.model import Constant, Flow, Instruction, Machine, Relative, State, Step, fell

SPL = 0x3D
_SKIPS = ("cpse", "sbrc", "sbrs", "sbic", "sbis")
_NO_DESTINATION = (
    *("st", "std", "sts", "cp", "cpc", "cpi", "tst", "sbi", "cbi", "bst"),
    *("nop", "sei", "cli", "sleep", "wdr"),
)
RETURN_LEN = 2  # the ATmega1284P has a program counter of 16 bits


def _pair(register: str) -> str:
    """The low register of a pair."""
    return f"r{int(register[1:]) & ~1}"


def _is_low(register: str) -> bool:
    return int(register[1:]) % 2 == 0


def _forget(state: State, register: str) -> State:
    if not re.fullmatch(r"r\d+", register):
        return state
    low = _pair(register)
    after = state.put(register, None)
    return after.put(low, None) if isinstance(after.values.get(low), Relative) else after


def _moved(state: State, low: str, more: int) -> State:
    """A pair that holds an address on the stack becomes smaller by `more`; the carry of its low half included."""
    depth = state.relative(low)
    if depth is None:
        return _forget(state, low)
    total = depth + more & 0xFFFF
    return state.put(low, Relative(total - 0x10000 if total & 0x8000 else total))


def _offset(operand: str) -> int:
    """Returns the offset of Y+3; 0 for other operands."""
    return int(operand[2:]) if operand.startswith("Y+") else 0


def _number(text: str) -> int:
    return int(text, 0)


def _computed(name: str, parts: list[str], instruction: Instruction, state: State) -> State:
    """Returns the state after an instruction that neither jumps nor moves the stack pointer."""
    first = parts[0]
    if name == "in" and _number(parts[1]) == SPL:
        return state.put(_pair(first), Relative(state.depth))
    if name == "in" and _number(parts[1]) == SPL + 1:
        return state
    if name == "std" and parts[0].startswith("Y+") and _is_low(parts[1]):  # it may keep the stack pointer there
        depth = state.relative(parts[1])
        return state.put(parts[0], None if depth is None else Relative(depth))
    if name == "ldd" and parts[1] in state.values:
        return _forget(state, first).put(first, state.values[parts[1]])
    if name == "ldd" and not _is_low(first) and f"Y+{_offset(parts[1]) - 1}" in state.values:
        return state  # its other half
    if name in ("sbiw", "adiw"):
        return _moved(state, first, _number(parts[1]) * (1 if name == "sbiw" else -1))
    if name in ("subi", "sbci") and state.relative(_pair(first)) is not None:
        return _moved(state, _pair(first), _number(parts[1]) << (0 if _is_low(first) else 8))
    if name in ("sub", "sbc", "add", "adc") and state.relative(_pair(first)) is not None:
        right = 0 if parts[1] == "r1" else state.constant(parts[1])
        if right is None:
            return _forget(state, first)
        signed = right if name in ("sub", "sbc") else -right
        return _moved(state, _pair(first), signed << (0 if _is_low(first) else 8))
    if name == "ldi":
        return _forget(state, first).put(first, Constant(_number(parts[1])))
    if name == "movw":
        after = _forget(_forget(state, first), f"r{int(first[1:]) + 1}")
        for offset in (0, 1):
            source, to = f"r{int(parts[1][1:]) + offset}", f"r{int(first[1:]) + offset}"
            after = after.put(to, state.values.get(source))
        return after
    if name in ("mov", "eor", "clr") and parts[-1] == "r1" and name == "mov":
        return _forget(state, first).put(first, Constant(0))
    return state if name in _NO_DESTINATION or name.startswith("set") else _forget(state, first)


def _flow(instruction: Instruction, state: State) -> Step | None:
    name, target = instruction.mnemonic, instruction.target
    if name in ("ret", "reti"):
        return Step(Flow.RETURN, state)
    if name == "rcall" and target in (None, instruction.following):
        return Step(Flow.NEXT, state.at(state.depth + RETURN_LEN))  # two octets of room
    if name in ("call", "rcall"):
        return Step(Flow.CALL, state, target)
    if name in ("jmp", "rjmp"):
        return Step(Flow.JUMP, state, target)
    if name in ("icall", "eicall"):
        return Step(Flow.CALL_POINTER, state)
    if name in ("ijmp", "eijmp"):
        low, high = state.constant("r30"), state.constant("r31")
        if low is not None and high is not None:
            return Step(Flow.JUMP, state, 2 * (high << 8 | low))
        return Step(Flow.JUMP_POINTER, state)
    if name.startswith("br") and target is not None:
        return Step(Flow.BRANCH, state, target)
    if name in _SKIPS:
        return Step(Flow.SKIP, state)
    return None


def step(instruction: Instruction, state: State, word: Callable[[int, int], int | None]) -> Step:
    name = instruction.mnemonic
    parts = [part.strip() for part in instruction.operands.split(",")]
    if flow := _flow(instruction, state):
        return flow
    if name == "push":
        return Step(Flow.NEXT, state.at(state.depth + 1))
    if name == "pop":
        return Step(Flow.NEXT, _forget(state, parts[0]).at(state.depth - 1))
    if name == "out" and _number(parts[0]) == SPL:
        depth = state.relative(_pair(parts[1]))
        if depth is None and state.constant(_pair(parts[1])) is None:
            raise fell(instruction)
        return Step(Flow.NEXT, state.at(depth or 0))  # a constant: start-up code, the stack begins here
    if name == "out":
        return Step(Flow.NEXT, state)
    return Step(Flow.NEXT, _computed(name, parts, instruction, state))


MACHINE = Machine(step, RETURN_LEN, ("__tablejump2__", "__tablejump__"), pointer_len=2, pointer_unit=2)
