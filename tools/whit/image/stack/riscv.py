# SPDX-License-Identifier: MIT
"""RISC-V of 32 bits with compressed instructions, as far as stack and flow go."""

import re
from collections.abc import Callable

from whit.image.stack.model import Constant, Flow, Instruction, Machine, Relative, State, Step, Value, fell

_STORES = ("sb", "sh", "sw", "fence", "csrw", "csrs", "csrc", "csrsi", "csrci", "csrwi", "ecall", "wfi", "nop")


def _number(text: str) -> int | None:
    return int(text, 0) if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text) else None


def _sum(parts: list[str], sign: int, state: State) -> Value | None:
    number = _number(parts[2])
    right = state.constant(parts[2]) if number is None else number
    if right is None:
        return None
    left = state.depth if parts[1] == "sp" else state.relative(parts[1])
    if left is not None:
        return Relative(left - sign * right)
    constant = state.constant(parts[1])
    return None if constant is None else Constant(constant + sign * right)


def _computed(name: str, parts: list[str], state: State) -> Value | None:
    """Returns the value that an instruction writes to its register, as far as it is known."""
    if name in ("add", "addi", "c.addi16sp") and len(parts) == 3:
        return _sum(parts, 1, state)
    if name == "sub":
        return _sum(parts, -1, state)
    if name == "mv":
        return Relative(state.depth) if parts[1] == "sp" else state.values.get(parts[1])
    number = _number(parts[-1])
    if name == "li" and number is not None:
        return Constant(number - (1 << 32) if number >> 31 == 1 else number)
    if name == "lui" and number is not None:
        return Constant((number << 12) - (1 << 32 if number >> 19 & 1 and number > 0 else 0))
    if name == "auipc":
        return Constant(0)  # an address: start-up code sets the stack pointer by it
    return None


def _flow(instruction: Instruction, parts: list[str], state: State) -> Step | None:
    name, target = instruction.mnemonic, instruction.target
    if name in ("ret", "mret"):
        return Step(Flow.RETURN, state)
    if name == "ebreak":
        return Step(Flow.STOP, state)
    if name == "j":
        return Step(Flow.JUMP, state, target)
    if name == "jal" and parts[0] == "t0":  # registers are saved by a function of the compiler's library
        return Step(Flow.JUMP, state.put("t0", Constant(instruction.following)), target)
    if name == "jal":
        return Step(Flow.CALL, state, target)
    if name == "jalr" and parts[0] == "t0":
        return Step(Flow.JUMP, state.put("t0", Constant(instruction.following)), target)
    if name == "jalr":
        return Step(Flow.CALL, state, target) if target is not None else Step(Flow.CALL_POINTER, state)
    if name == "jr":
        known = state.constant(parts[0]) if parts[0] == "t0" else None
        if known is not None:
            return Step(Flow.JUMP, state, known)
        return Step(Flow.JUMP, state, target) if target is not None else Step(Flow.JUMP_POINTER, state)
    if name.startswith("b") and target is not None:
        return Step(Flow.BRANCH, state, target)
    return None


def step(instruction: Instruction, state: State, word: Callable[[int, int], int | None]) -> Step:
    parts = [part.strip() for part in instruction.operands.split(",")]
    if flow := _flow(instruction, parts, state):
        return flow
    if instruction.mnemonic in _STORES:
        return Step(Flow.NEXT, state)
    value = _computed(instruction.mnemonic, parts, state)
    if parts[0] != "sp":
        return Step(Flow.NEXT, state.put(parts[0], value))
    if state.constant("sp") is not None:  # the second half of an address
        return Step(Flow.NEXT, state.at(0).put("sp", None))
    if isinstance(value, Relative):
        return Step(Flow.NEXT, state.at(value.depth))
    if isinstance(value, Constant):  # start-up code: the stack begins here
        return Step(Flow.NEXT, state.at(0).put("sp", value))
    raise fell(instruction)


MACHINE = Machine(step, 0)
