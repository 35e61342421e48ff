# SPDX-License-Identifier: MIT
"""Computes the deepest stack of an image."""

import subprocess
from dataclasses import dataclass

from whit.compiler.app_toml import FILE
from whit.image.build_result import BuildResult
from whit.image.stack import arm, avr, handlers, listing, notes, riscv, x86
from whit.image.stack.listing import Listing
from whit.image.stack.model import Machine, StackError
from whit.image.stack.walk import Call, Walked, Walker
from whit.image.stack.worst import Chain, Graph, Recursion
from whit.paths import ROOT
from whit.targets import Target, find_target

MACHINES: dict[str, Machine] = {
    "avr-": avr.MACHINE,
    "arm-none-eabi-": arm.MACHINE,
    "riscv64-unknown-elf-": riscv.MACHINE,
    "i686-linux-gnu-": x86.MACHINE,
}


@dataclass(frozen=True)
class Frame:
    """A function on the stack; `len` octets until it calls the next one. A name without "()": the machine stores it."""

    name: str
    len: int


@dataclass(frozen=True)
class Stack:
    """`chain`: from the program's entry to the deepest function, then the chain of an interrupt, if any."""

    chain: tuple[Frame, ...]

    @property
    def len(self) -> int:
        return sum(frame.len for frame in self.chain)


def analyse(result: BuildResult) -> Stack:
    """Returns the worst case of a device's image. StackError states in one line why no bound exists."""
    target = find_target(result.target)
    machine = MACHINES.get(target.toolchain)
    if machine is None:
        raise StackError(
            f"{target.name}: the stack cannot be proven: expected the tools {', '.join(MACHINES)}, "
            f"these are {target.toolchain}; tools/whit/image/stack has a file for each"
        )
    return _Analysis(result, target, machine).stack()


class _Analysis:
    def __init__(self, result: BuildResult, target: Target, machine: Machine) -> None:
        self._target = target
        self._machine = machine
        self._app_toml = result.application.directory / FILE
        self._listing: Listing = listing.read(result.image, target.toolchain, machine.thumb)
        self._notes = notes.read(target.port, result.application.calls, result.application.recursion)
        objects = result.directory / "CMakeFiles" / "whit_application.dir"
        self._handlers = handlers.handlers(self._listing, machine, objects)
        self._walker = Walker(self._listing, machine)
        self._walked: dict[int, Walked] = {}
        self._targets: dict[int, tuple[int, ...]] = {}  # of calls through pointers, by the address of the call

    def stack(self) -> Stack:
        entry = self._listing.entry
        interrupts = self._interrupts()
        self._walk_all([entry, *interrupts])
        again = {
            function.address: count for name, count in self._notes.recursion.items() for function in self._named(name)
        }
        graph = Graph(self._walked, self._called, self._machine.return_len, again, self._listing.name)
        try:
            main = graph.deepest(entry)
            deepest = max((graph.deepest(address) for address in interrupts), key=lambda chain: chain.len, default=None)
        except Recursion as error:
            raise self._recursion(error) from None
        return Stack((*self._frames(main), *(self._interrupt(deepest) if deepest else ())))

    def _interrupt(self, chain: Chain) -> tuple[Frame, ...]:
        stored = self._notes.frame + self._machine.return_len
        return (*((Frame("interrupt", stored),) if stored else ()), *self._frames(chain))

    def _frames(self, chain: Chain) -> tuple[Frame, ...]:
        return tuple(Frame(f"{self._listing.name(link.address)}()", link.len) for link in chain.links)

    def _interrupts(self) -> list[int]:
        found = []
        for name in self._notes.interrupts:
            for address, function in self._listing.functions.items():
                if function.name == name or (name.endswith("*") and function.name.startswith(name[:-1])):
                    found.append(address)
        return found

    # ------------------------------------------------------------------------------------------------ who calls whom

    def _walk_all(self, roots: list[int]) -> None:
        """Walks all reachable functions; targets of a pointer may call through pointers, too."""
        waiting = list(roots)
        while waiting:
            unknown: list[Call] = []
            while waiting:
                address = waiting.pop()
                if address in self._walked:
                    continue
                walked = self._walked[address] = self._walker.walk(address, frozenset(self._targets))
                waiting += [call.target for call in walked.calls if call.target is not None]
                unknown += [call for call in walked.calls if call.target is None]
            self._resolve([call.address for call in unknown if call.address not in self._targets])
            waiting = [target for call in unknown for target in self._targets[call.address]]

    def _called(self, call: Call) -> tuple[int, ...]:
        return self._targets[call.address] if call.target is None else (call.target,)

    def _resolve(self, addresses: list[int]) -> None:
        for address, places in zip(addresses, self._places(addresses), strict=True):
            noted = next((name for name, _ in places if name in self._notes.calls), None)
            if noted is None:
                raise self._unknown(address, places)
            self._targets[address] = tuple(
                target for name in self._notes.calls[noted] for target in self._noted(noted, name)
            )

    def _noted(self, caller: str, name: str) -> list[int]:
        if name in self._handlers:
            return self._handlers[name]
        found = [function.address for function in self._named(name)]
        if not found:
            raise StackError(
                f"{self._listing.path.name}: the stack has no bound: [calls] {caller}: no function "
                f'"{name}" in the image, expected names of the source; a function that is inlined everywhere has none'
            )
        return found

    def _named(self, name: str) -> list[listing.Function]:
        """The compiler may have made several of one: name.part.0, name.constprop.0."""
        return [function for function in self._listing.functions.values() if function.name.partition(".")[0] == name]

    def _places(self, addresses: list[int]) -> list[list[tuple[str, str]]]:
        """Returns for each address the source functions that contain it, innermost first, and file:line."""
        if not addresses:
            return []
        command = [f"{self._target.toolchain}addr2line", "-i", "-f", "-a", "-e", str(self._listing.path)]
        done = subprocess.run(command, input="\n".join(map(hex, addresses)), capture_output=True, text=True)
        places: list[list[tuple[str, str]]] = []
        lines = iter(done.stdout.splitlines())
        for line in lines:
            if line.startswith("0x"):
                places.append([])
            else:
                places[-1].append((line, next(lines).partition(" (")[0]))
        for found, address in zip(places, addresses, strict=True):
            found.append((self._listing.around(address).partition(".")[0], ""))
        return places

    # ------------------------------------------------------------------------------------------------ what is wrong

    def _unknown(self, address: int, places: list[tuple[str, str]]) -> StackError:
        name, place = places[0]
        where = f" ({_short(place)})" if place and not place.startswith("?") else ""
        name = self._listing.around(address) if name.startswith("?") else name
        return StackError(
            f"{self._listing.path.name}: the stack has no bound: {name}(){where} calls through a pointer, "
            f'expected its targets in {_short(str(self._app_toml))}: [calls] {name} = ["FUNCTION"]'
        )

    def _recursion(self, error: Recursion) -> StackError:
        name = self._listing.name(error.addresses[0]).partition(".")[0]
        return StackError(
            f"{self._listing.path.name}: the stack has no bound: {error}, expected no recursion, or its depth in "
            f"{_short(str(self._app_toml))}: [recursion] {name} = 4"
        )


def _short(path: str) -> str:
    return path.removeprefix(f"{ROOT}/")
