# SPDX-License-Identifier: MIT
"""Finds mistakes in protothreads (include/whit/app.h) that a C compiler does not see.

* a local variable is read after a wait
* a `switch` is around a wait
* two waits are on one line

Code is read as it is written: loops that a macro makes are not seen, and a `goto` is taken for going anywhere.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

from .c_body import ASSIGNS, Body, Variable
from .c_source import CSource, Function
from .errors import CompileError

BLOCKING = (
    "PT_OUT_C",
    "PT_OUT_STR",
    "PT_OUT_FLASH",
    "PT_OUT_MEM",
    "PT_OUT_UINT",
    "PT_OUT_INT",
    "PT_IN",
    "PT_WAIT_UNTIL",
)
_MACRO = re.compile(rf"\b(?:PT_BEGIN|PT_END|{'|'.join(BLOCKING)})\b")
_LINES_MAX = 65535


def check(file: object, source: CSource) -> None:
    """All functions of a file."""
    end = 0
    for function in source.definitions:
        if function.start < end:
            continue  # not one of its own
        end = function.end
        if _MACRO.search(source.statements, function.body, function.end):
            _Thread(file, source, function).check()


def check_statics(file: object, source: CSource, function: Function) -> None:
    """A function that is run again for octets that were sent before keeps nothing in variables of its own."""
    body = Body(source, function)
    for variable in body.variables():
        if variable.static and not variable.constant:
            message = (
                f"{variable.name} is static and {function.name} is run again for bytes that are sent again: "
                "put it into struct state_t"
            )
            raise CompileError(file, body.line(variable.at), message)


@dataclass(frozen=True)
class _Wait:
    """A blocking macro: the tokens of its call, and the tokens that PT_IN writes to."""

    name: str
    call: range
    target: range


@dataclass(frozen=True)
class _Use:
    """A variable's name in the code, or its declaration with a value."""

    at: int
    writes: bool
    reads: bool


class _Thread:
    """A function that holds a protothread's macros."""

    def __init__(self, file: object, source: CSource, function: Function) -> None:
        self.file, self.function = file, function
        self.body = Body(source, function)
        self.waits = [self._wait(index) for index in self.body.find(*BLOCKING)]
        self.wait_starts = [wait.call.start for wait in self.waits]
        self.targets = {wait.target.start: wait.call.start for wait in self.waits if len(wait.target) == 1}
        self.loops = [self.body.statement(index) for index in self.body.find("for", "while", "do")]
        self.waiting_loops = [loop for loop in self.loops if any(start in loop for start in self.wait_starts)]
        self.cases = self.body.find("case", "default")
        self.has_goto = bool(self.body.find("goto"))
        self.variables = self.body.variables()
        self.begin = 0

    def error(self, index: int, message: str) -> CompileError:
        return CompileError(self.file, self.body.line(index), message)

    def check(self) -> None:
        self.begin = self._check_frame()
        self._check_lines()
        self._check_switches()
        for variable in self.variables:
            if not variable.static:
                self._check_variable(variable, [one.scope for one in self.variables if one.name == variable.name])

    def _wait(self, index: int) -> _Wait:
        call = self.body.call(index)
        target = range(0)
        if self.body.text(index) == "PT_IN":
            comma = next((at for at in call if self.body.text(at) == "," and self.body.opener(at) == index + 1), None)
            target = range(0) if comma is None else range(comma + 1, call.stop - 1)
        return _Wait(self.body.text(index), call, target)

    def _check_frame(self) -> int:
        """Checks the order of PT_BEGIN, all waits, PT_END. Returns the index of PT_BEGIN."""
        begins, ends = self.body.find("PT_BEGIN"), self.body.find("PT_END")
        name = self.function.name
        if not begins:
            what = self.waits[0].name if self.waits else "PT_END"
            at = self.waits[0].call.start if self.waits else ends[0]
            raise self.error(
                at, f"{what} without PT_BEGIN in {name}: expected PT_BEGIN(pt) before it, or out_ functions"
            )
        for macro, places in (("PT_BEGIN", begins), ("PT_END", ends)):
            if len(places) > 1:
                raise self.error(places[1], f"a second {macro} in {name}: expected one")
        if not ends or ends[0] < begins[0]:
            raise self.error(begins[0], f"PT_BEGIN without PT_END in {name}: expected PT_END(pt); at its end")
        for wait in self.waits:
            if not begins[0] < wait.call.start < ends[0]:
                raise self.error(
                    wait.call.start, f"{wait.name} outside of PT_BEGIN and PT_END: expected it between them"
                )
        return begins[0]

    def _check_lines(self) -> None:
        last = 0
        for wait in self.waits:
            first = self.body.line(wait.call.start)
            if first <= last:
                raise self.error(
                    wait.call.start,
                    f"a second place to wait on the line of another: put {wait.name} on a line of its own",
                )
            last = self.body.line(wait.call.stop - 1)
            if last > _LINES_MAX:
                raise self.error(wait.call.start, f"expected {wait.name} on the first {_LINES_MAX} lines of a file")

    def _check_switches(self) -> None:
        for index in self.body.find("switch"):
            statement = self.body.statement(index)
            for wait in self.waits:
                if wait.call.start in statement:
                    message = f"{wait.name} inside the switch of line {self.body.line(index)}: expected if and else"
                    raise self.error(wait.call.start, message)

    def _check_variable(self, variable: Variable, scopes: list[range]) -> None:
        uses = self._uses(variable, [scope for scope in scopes if scope.start > variable.scope.start])
        if variable.at < self.begin:
            # Assignments before PT_BEGIN run each time the function is entered.
            uses = [use for use in uses if use.at > self.begin]
            if variable.constant or not any(use.writes for use in uses):
                return
        loops = [
            loop
            for loop in self.waiting_loops
            if loop.start >= variable.scope.start and loop.stop <= variable.scope.stop
        ]
        waits = [wait for wait in self.waits if wait.call.start in variable.scope]
        reads = [use for use in uses if use.reads and not self._is_fresh(use, uses)]
        straight: list[range] = []
        for wait, turns in [(wait, straight) for wait in waits] + [(wait, loops) for wait in waits]:
            around = [loop for loop in turns if wait.call.start in loop]
            if self._crosses(wait, uses, reads, around):
                where = f"{wait.name} on line {self.body.line(wait.call.start)}"
                message = f"local variable {variable.name} is lost where {where} waits: put it into struct state_t"
                raise self.error(variable.at, message)

    def _crosses(self, wait: _Wait, uses: list[_Use], reads: list[_Use], loops: list[range]) -> bool:
        """True if a use comes before the wait and a read after it, also by a turn of a loop around it."""

        def turns(use: _Use) -> bool:
            return any(use.at in loop for loop in loops)

        before = any(use.at < wait.call.start or turns(use) or _again(use, wait) for use in uses)
        return before and any(use.at > wait.call.start or turns(use) for use in reads)

    def _uses(self, variable: Variable, hidden: list[range]) -> list[_Use]:
        """Returns the uses of a variable, except where another variable of that name hides it."""
        uses = [_Use(variable.at, True, False)] if variable.initialised else []
        for at in range(variable.at + 1, variable.scope.stop):
            if self.body.text(at) != variable.name or any(at in scope for scope in hidden):
                continue
            before, behind = self.body.text(at - 1), self.body.text(at + 1)
            if before in (".", "->", "struct", "union", "enum", "goto", "sizeof"):
                continue
            if before == "(" and self.body.text(at - 2) == "sizeof":
                continue
            sets = behind == "=" or at in self.targets
            changes = behind in ASSIGNS or before in ("++", "--", "&") or behind == "." or variable.array
            uses.append(_Use(at, sets or changes, not sets))
        return uses

    def _is_fresh(self, read: _Use, uses: list[_Use]) -> bool:
        """True if the read value was surely set after the function was entered. A statement before it, in a block
        around it, sets it, and no path from there waits."""
        if self.has_goto:
            return False
        before = bisect_left(self.wait_starts, read.at)
        waited = self.wait_starts[before - 1] if before else -1
        sets = (use.at for use in uses if waited < use.at < read.at and use.writes and not use.reads)
        return any(self._reaches(at, read.at) for at in sets)

    def _reaches(self, write: int, read: int) -> bool:
        if read not in self._region(write) or read < self.body.expression_end(write):
            return False
        if any(write < at < read for at in self.cases):
            return False
        for loop in self.waiting_loops:
            once = loop.start > write or self.body.opener(write) == loop.start + 1  # the write is in its head
            if once and read in loop:
                return False
        return True

    def _region(self, write: int) -> range:
        """The tokens that are reached through this write only."""
        for variable in self.variables:
            if variable.at == write:
                return variable.scope
        start = self.targets.get(write, write)
        opener = self.body.opener(start)
        if self.body.text(start - 1) == "(" and self.body.text(start - 2) == "for":
            return self.body.statement(start - 2)
        if self.body.text(opener) == "{" and self.body.text(start - 1) in ("{", "}", ";"):
            return range(start, self.body.partners[opener])
        return range(0)


def _again(use: _Use, wait: _Wait) -> bool:
    """True if a blocking macro evaluates this use each time the function is entered."""
    return use.at in wait.call and use.at not in wait.target
