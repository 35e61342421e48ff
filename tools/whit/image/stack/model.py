# SPDX-License-Identifier: MIT
"""Data of the analysis: instructions, and the effect of each on the stack pointer and the control flow.

Depths are octets between the stack pointer at a function's entry and now; the stack grows downwards on every target.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from whit.errors import WhitError


class StackError(WhitError):
    """A stack that has no bound which the analysis can find."""


@dataclass(frozen=True)
class Instruction:
    address: int
    len: int  # octets
    mnemonic: str
    operands: str
    target: int | None  # an address that it names

    @property
    def following(self) -> int:
        return self.address + self.len


class Flow(Enum):
    """Control flow after an instruction."""

    NEXT = auto()
    BRANCH = auto()  # NEXT, or `target`
    SKIP = auto()  # NEXT, or the instruction after it
    JUMP = auto()  # `target`
    CALL = auto()  # `target`, then NEXT
    CALL_POINTER = auto()  # somewhere, then NEXT
    JUMP_POINTER = auto()  # a function through a pointer, or a place in this one
    SWITCH = auto()  # a place in this function, by a table
    RETURN = auto()
    STOP = auto()  # a trap: the compiler puts it where control does not arrive, as after a read through NULL


@dataclass(frozen=True)
class Relative:
    """A value that is the address of `depth` octets below the function's entry."""

    depth: int


@dataclass(frozen=True)
class Constant:
    number: int


class Popped:
    """A value that a pop read: a return address when it is jumped to."""


Value = Relative | Constant | Popped
POPPED = Popped()


@dataclass(frozen=True)
class State:
    """The state before an instruction. `values`: registers with known values."""

    depth: int = 0
    values: Mapping[str, Value] = field(default_factory=dict)

    def at(self, depth: int) -> "State":
        return State(depth, self.values)

    def put(self, register: str, value: Value | None) -> "State":
        """Returns the state with a new value of a register; None: unknown."""
        if value is None and register not in self.values:
            return self
        values = {name: known for name, known in self.values.items() if name != register}
        return State(self.depth, values if value is None else values | {register: value})

    def constant(self, register: str) -> int | None:
        value = self.values.get(register)
        return value.number if isinstance(value, Constant) else None

    def relative(self, register: str) -> int | None:
        value = self.values.get(register)
        return value.depth if isinstance(value, Relative) else None


@dataclass(frozen=True)
class Step:
    """The effect of an instruction. `conditional`: it may have no effect."""

    flow: Flow
    state: State
    target: int | None = None
    conditional: bool = False


class CannotFollow(Exception):
    """The stack pointer takes a value that the analysis does not know."""


@dataclass(frozen=True)
class Machine:
    """An instruction set. `word` reads an octet string of the image as a number: address, octets."""

    step: Callable[[Instruction, State, Callable[[int, int], int | None]], Step]
    return_len: int  # octets that a call pushes
    switches: tuple[str, ...] = ()  # functions of the compiler's library that go on at a place in their caller
    pointer_len: int = 4
    pointer_unit: int = 1  # octets of code for each unit of a function's address
    thumb: bool = False  # bit 0 of a function's address selects the encoding


def fell(instruction: Instruction) -> CannotFollow:
    return CannotFollow(f"{instruction.mnemonic} {instruction.operands}".strip())
