# SPDX-License-Identifier: MIT
"""Arm and Thumb, as far as stack and flow go (ARMv4T to ARMv7-M)."""

import re
from collections.abc import Callable

from whit.image.stack.model import (
    POPPED,
    Constant,
    Flow,
    Instruction,
    Machine,
    Popped,
    Relative,
    State,
    Step,
    Value,
    fell,
)

CONDITIONS = ("eq", "ne", "cs", "cc", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
_STACK_NAMES = ("push", "pop", "stmdb", "stmfd", "stm", "ldmia", "ldmfd", "ldm", "str", "strd", "ldr", "ldrd")
_OTHER_NAMES = ("add", "adds", "addw", "sub", "subs", "subw", "mov", "movs", "movw", "lsls", "negs", "tbb", "tbh")
_NAMES = {*_STACK_NAMES, *_OTHER_NAMES, "bx", "blx", "bl", "b"}
_NO_DESTINATION = ("cmp", "cmn", "tst", "teq", "st", "push", "msr", "cb", "it")
_IMMEDIATE = re.compile(r"#(-?\d+)")
REGISTERS = ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "sl", "fp", "ip", "sp", "lr", "pc"]


def _name(mnemonic: str) -> tuple[str, bool]:
    """Returns the mnemonic without condition and width, and True if it has a condition."""
    plain = mnemonic.partition(".")[0]
    if plain in _NAMES:
        return plain, False
    if plain[:1] == "b" and plain[1:] in CONDITIONS:
        return "b", True
    if plain[-2:] in CONDITIONS and plain[:-2] in _NAMES:
        return plain[:-2], True
    return plain, plain[-2:] in CONDITIONS and len(plain) > 4


def _list(operands: str) -> list[str]:
    """The registers in braces."""
    inner = operands[operands.index("{") + 1 : operands.index("}")]
    names: list[str] = []
    for part in inner.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if dash:
            names += REGISTERS[REGISTERS.index(first) : REGISTERS.index(last) + 1]
        else:
            names.append(first)
    return names


def _popped(state: State, names: list[str], conditional: bool) -> Step:
    after = state.at(state.depth - 4 * len(names))
    for name in names:
        after = after.put(name, POPPED)
    return Step(Flow.RETURN if "pc" in names else Flow.NEXT, after, conditional=conditional)


def _loaded(state: State, base: str, names: list[str], conditional: bool) -> Step:
    """Load multiple from elsewhere than the top of the stack, or from there without moving it."""
    for name in [*names, base[:-1]] if base.endswith("!") else names:
        state = state.put(name, None)
    return Step(Flow.NEXT, state, conditional=conditional)


def _moves(name: str, operands: str, state: State, conditional: bool) -> Step | None:
    """Instructions that store at the stack pointer and move it."""
    if name == "push" or (name.startswith("stm") and operands.startswith("sp!")):
        return Step(Flow.NEXT, state.at(state.depth + 4 * len(_list(operands))), conditional=conditional)
    if name == "pop" or (name.startswith("ldm") and operands.startswith("sp!")):
        return _popped(state, _list(operands), conditional)
    if name.startswith("ldm") and not {"pc", "sp"} & set(names := _list(operands)):
        return _loaded(state, operands.partition(",")[0], names, conditional)
    if name in ("str", "strd") and (found := re.search(r"\[sp, #-(\d+)\]!", operands)):
        return Step(Flow.NEXT, state.at(state.depth + int(found[1])), conditional=conditional)
    if name in ("ldr", "ldrd") and (found := re.search(r"\[sp\], #(\d+)", operands)):
        names = [part.strip() for part in operands.partition("[")[0].split(",") if part.strip()]
        after = _popped(state, names, conditional)
        return Step(after.flow, after.state.at(state.depth - int(found[1])), conditional=conditional)
    return None


def _sum(name: str, parts: list[str], state: State) -> Value | None:
    """Returns the result of add or sub; None if unknown."""
    left = state.depth if parts[1] == "sp" else state.relative(parts[1])
    found = _IMMEDIATE.fullmatch(parts[2])
    right = int(found[1]) if found else state.constant(parts[2])
    if right is None:
        return None
    signed = right if name.startswith("sub") else -right
    if left is not None:
        return Relative(left + signed)
    constant = state.constant(parts[1])
    return None if constant is None else Constant(constant - signed)


def _computed(
    name: str, parts: list[str], instruction: Instruction, state: State, word: Callable[[int, int], int | None]
) -> Value | None:
    """Returns the value that an instruction writes to its register, as far as it is known."""
    if name in ("add", "adds", "addw", "sub", "subs", "subw") and len(parts) >= 2:
        return _sum(name, parts if len(parts) > 2 else [parts[0], parts[0], parts[1]], state)
    if name in ("mov", "movs", "movw") and len(parts) == 2:
        if found := _IMMEDIATE.fullmatch(parts[1]):
            return Constant(int(found[1]))
        return Relative(state.depth) if parts[1] == "sp" else state.values.get(parts[1])
    if name == "lsls" and len(parts) == 3 and (found := _IMMEDIATE.fullmatch(parts[2])):
        shifted = state.constant(parts[1])
        return None if shifted is None else Constant(shifted << int(found[1]))
    if name == "negs" and len(parts) == 2:
        negated = state.constant(parts[1])
        return None if negated is None else Constant(-negated)
    if name == "ldr" and len(parts) > 1 and parts[1].startswith("[pc") and instruction.target is not None:
        number = word(instruction.target, 4)
        return None if number is None else Constant(number - (1 << 32) if number >> 31 else number)
    return None


def _to_stack_pointer(instruction: Instruction, value: Value | None, state: State, conditional: bool) -> Step:
    if isinstance(value, Relative):
        return Step(Flow.NEXT, state.at(value.depth), conditional=conditional)
    if isinstance(value, Constant):  # start-up code: the stack begins here
        return Step(Flow.NEXT, state.at(0), conditional=conditional)
    raise fell(instruction)


def _through(register: str, state: State, conditional: bool) -> Step:
    """bx, or a move to the program counter."""
    value = state.values.get(register)
    if isinstance(state.values.get("lr"), Relative):  # follows mov lr, pc
        return Step(Flow.CALL_POINTER, state.put("lr", None), conditional=conditional)
    if register == "lr" or isinstance(value, Popped):
        return Step(Flow.RETURN, state, conditional=conditional)
    if isinstance(value, Constant):
        return Step(Flow.JUMP, state, value.number & 0xFFFFFFFE, conditional)
    return Step(Flow.JUMP_POINTER, state, conditional=conditional)


def _flow(name: str, parts: list[str], instruction: Instruction, state: State, conditional: bool) -> Step | None:
    target = instruction.target
    if name == "udf":
        return Step(Flow.STOP, state)
    if name == "b":
        return Step(Flow.BRANCH if conditional else Flow.JUMP, state, target)
    if name in ("cbz", "cbnz"):
        return Step(Flow.BRANCH, state, target)
    if name == "bl" or (name == "blx" and target is not None):
        return Step(Flow.CALL, state, target, conditional)
    if name == "blx":
        constant = state.constant(parts[0])
        if constant is not None:
            return Step(Flow.CALL, state, constant & 0xFFFFFFFE, conditional)
        return Step(Flow.CALL_POINTER, state, conditional=conditional)
    if name == "bx" and parts[0] == "pc":
        return Step(Flow.JUMP, state, instruction.address + 4 & ~3)
    if name == "bx":
        return _through(parts[0], state, conditional)
    if name in ("tbb", "tbh"):
        return Step(Flow.SWITCH, state)
    return None


def step(instruction: Instruction, state: State, word: Callable[[int, int], int | None]) -> Step:
    name, conditional = _name(instruction.mnemonic)
    operands = instruction.operands
    parts = [part.strip() for part in operands.split(",")]
    if moved := _moves(name, operands, state, conditional):
        return moved
    if flow := _flow(name, parts, instruction, state, conditional):
        return flow
    if name.startswith(_NO_DESTINATION) and name not in ("strex",):
        return Step(Flow.NEXT, state)
    value = _computed(name, parts, instruction, state, word)
    if parts[0] == "pc":
        if name in ("mov", "movs", "subs"):
            return _through(parts[1], state, conditional) if name != "subs" else Step(Flow.RETURN, state)
        if isinstance(value, Constant):
            return Step(Flow.JUMP, state, value.number & 0xFFFFFFFE, conditional)
        return Step(Flow.SWITCH if name.startswith("add") or "[pc" in operands else Flow.JUMP_POINTER, state)
    if parts[0] == "sp":
        return _to_stack_pointer(instruction, value, state, conditional)
    if name == "mov" and operands == "lr, pc":
        value = Relative(0)
    return Step(Flow.NEXT, state.put(parts[0].rstrip("!"), None if conditional else value))


SWITCHES = tuple(f"__gnu_thumb1_case_{kind}" for kind in ("sqi", "uqi", "shi", "uhi", "si"))
MACHINE = Machine(step, 0, SWITCHES, thumb=True)
