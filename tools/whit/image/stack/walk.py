# SPDX-License-Identifier: MIT
"""Walks all paths through a function of an image, and records the stack's depth at each of its calls."""

import re
from dataclasses import dataclass, field

from whit.image.stack.listing import Listing
from whit.image.stack.model import CannotFollow, Flow, Instruction, Machine, Relative, StackError, State, Step

MILLICODE = ("__riscv_save_", "__riscv_restore_", "__prologue_saves", "__epilogue_restores")
DEPTHS_MAX = 64  # different ones at the same instruction: more is a loop that pushes


@dataclass(frozen=True)
class Call:
    """`depth` is that of the caller, without the return address. `target` None: through a pointer."""

    address: int
    depth: int
    target: int | None
    tail: bool = False  # does not return


@dataclass
class Walked:
    """`depth`: the most that it takes by itself. `calls`: the deepest of each kind."""

    entry: int
    depth: int = 0
    calls: set[Call] = field(default_factory=set)


class Walker:
    """`pointers`: addresses of jumps that are known to be calls through a pointer."""

    def __init__(self, listing: Listing, machine: Machine) -> None:
        self._listing = listing
        self._machine = machine

    def walk(self, entry: int, pointers: frozenset[int]) -> Walked:
        return _Walk(self._listing, self._machine, entry, pointers).run()


class _Walk:
    def __init__(self, listing: Listing, machine: Machine, entry: int, pointers: frozenset[int]) -> None:
        self._listing = listing
        self._machine = machine
        self._entry = entry
        self._pointers = pointers
        self._result = Walked(entry)
        self._seen: dict[int, set[int]] = {}
        self._waiting: list[tuple[int, State]] = [(entry, State())]
        self._switches: list[State] = []
        self._jumps: list[tuple[int, State]] = []  # through a pointer, before anything is known of them

    def run(self) -> Walked:
        self._follow()
        for address, state in self._jumps:
            if state.depth == 0 and (address in self._pointers or self._unseen() is None):
                self._result.calls.add(Call(address, 0, None, tail=True))
            else:
                self._switches.append(state)
        if self._switches:
            deepest = max(self._switches, key=lambda state: state.depth)
            while (place := self._unseen()) is not None:
                self._waiting.append((place, deepest))
                self._follow()
        return self._result

    def _follow(self) -> None:
        while self._waiting:
            address, state = self._waiting.pop()
            seen = self._seen.setdefault(address, set())
            if state.depth in seen:
                continue
            seen.add(state.depth)
            if len(seen) > DEPTHS_MAX:
                raise StackError(self._text(f"the stack grows in a loop at 0x{address:x}"))
            instruction = self._listing.instructions.get(address)
            if instruction is None:
                continue  # data, or an address outside the image: it does not return
            self._result.depth = max(self._result.depth, state.depth)
            try:
                step = self._machine.step(instruction, state, self._listing.word)
            except CannotFollow as error:
                what = f"the stack pointer changes at 0x{address:x} ({error}) by what is not known before it runs"
                raise StackError(self._text(f"{what}: an array of variable length, or alloca()")) from None
            self._result.depth = max(self._result.depth, step.state.depth)
            self._go_on(instruction, state, step)

    def _text(self, what: str) -> str:
        return f"{self._listing.path.name}: the stack has no bound: in {self._listing.name(self._entry)}(), {what}"

    def _go_on(self, instruction: Instruction, state: State, step: Step) -> None:
        flow, after, following = step.flow, step.state, instruction.following
        if step.conditional:
            self._waiting.append((following, state))
        if flow in (Flow.NEXT, Flow.BRANCH, Flow.SKIP):
            self._waiting.append((following, after))
        if flow == Flow.SKIP and (skipped := self._listing.instructions.get(following)):
            self._waiting.append((skipped.following, after))
        if flow in (Flow.BRANCH, Flow.JUMP):
            self._jump(instruction, after, step.target)
        elif flow == Flow.CALL:
            self._call(instruction, after, step.target)
        elif flow == Flow.CALL_POINTER:
            self._called(instruction, after, None)
        elif flow == Flow.JUMP_POINTER:
            self._jumps.append((instruction.address, after))
        elif flow == Flow.SWITCH:
            self._switches.append(after)

    def _call(self, instruction: Instruction, state: State, target: int | None) -> None:
        if target is not None and self._listing.name(target) in self._machine.switches:
            self._switches.append(state)
        elif target is not None and self._is_inside(target) and self._is_pointer_jump(target):
            self._called(instruction, state, None)  # bl to a bx: how ARMv4T calls through a register
        elif target is not None and self._machine.thumb and self._is_inside(target):
            self._jump(instruction, state, target)  # ARMv4T jumps so to a place further than 2 KB away
        else:
            self._called(instruction, state, target)

    def _called(self, instruction: Instruction, state: State, target: int | None) -> None:
        self._result.calls.add(Call(instruction.address, state.depth, target))
        if not self._is_behind(instruction.following):
            self._waiting.append((instruction.following, _clobbered(state)))

    def _is_behind(self, address: int) -> bool:
        """True if another function begins at the address: the call before it does not return."""
        while (instruction := self._listing.instructions.get(address)) and _is_padding(instruction):
            address = instruction.following
        return address != self._entry and address in self._listing.functions

    def _jump(self, instruction: Instruction, state: State, target: int | None) -> None:
        if target is None:
            self._jumps.append((instruction.address, state))
        elif self._listing.name(target) in self._machine.switches:
            self._switches.append(state)
        elif target != self._entry and target in self._listing.functions and not self._is_millicode(target):
            self._result.calls.add(Call(instruction.address, state.depth, target, tail=True))
        else:
            self._waiting.append((target, state))

    def _is_millicode(self, target: int) -> bool:
        """Functions of the compiler's library that move the stack pointer for their callers are part of these."""
        return self._listing.name(target).startswith(MILLICODE)

    def _is_inside(self, address: int) -> bool:
        function = self._listing.functions.get(self._entry)
        return function is not None and function.address < address < function.address + function.len

    def _is_pointer_jump(self, address: int) -> bool:
        instruction = self._listing.instructions.get(address)
        return instruction is not None and instruction.mnemonic == "bx"

    def _unseen(self) -> int | None:
        """An instruction of this function to which no way led yet."""
        function = self._listing.functions.get(self._entry)
        if function is None:
            return None
        address, end = function.address, function.address + function.len
        while address < end:
            instruction = self._listing.instructions.get(address)
            if instruction is None:
                address += 2
            elif address in self._seen or _is_padding(instruction):
                address = instruction.following
            else:
                return address
        return None


_PADDING = re.compile(
    r"(c\.)?nop[wl]?\b|unimp\b|\.|(data16 )*(cs )?nop|xchg %ax,%ax|lea 0x0\((%e[sd]i)(,%eiz,1)?\),\3"
)  # the last ones are IA-32's long ones


def _is_padding(instruction: Instruction) -> bool:
    return _PADDING.match(f"{instruction.mnemonic} {instruction.operands}") is not None


def _clobbered(state: State) -> State:
    """Returns the state after a call: only registers that hold an address on the stack keep their values."""
    return State(state.depth, {name: value for name, value in state.values.items() if isinstance(value, Relative)})
