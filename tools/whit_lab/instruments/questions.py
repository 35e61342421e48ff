# SPDX-License-Identifier: MIT
"""Counts lookups that the engine repeats within one entry call.

A lookup is repeated if a function is called again with equal arguments, without a change of its answer in between. The
engine is compiled as for devices, without inlining. It calls lab/questions.c at the entry of each function. The third
request of a connection is counted, with the acknowledgments of its response.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from whit_lab.instruments.instructions import Program

ENTRY_CALLS = ("whit_input", "whit_input_end", "whit_output", "whit_tick")
TRACED = ("-pg", "-mfentry")
# Functions declared inline stay inline: by this, the compiler leaves out what an image does not have.
NOT_INLINED = ("-fno-inline-functions", "-fno-inline-small-functions", "-fno-inline-functions-called-once")
OPTIMIZE = ";".join(("-O2", *TRACED, *NOT_INLINED, "-fno-ipa-icf", "-fno-ipa-cp", "-fno-ipa-sra"))

_SLOTS = ("table_take", "table_release")
_BLOCKS = (
    *("buffer_make", "buffer_keep", "buffer_cut", "buffer_append", "buffer_trim", "buffer_move", "buffer_free"),
    *_SLOTS,
)
_REQUEST = ("request_begin", "request_copy", "request_starve", "request_read_again", "path_end", "tail_end", *_SLOTS)
_RESPONSE = ("response_begin", "response_advance", "write_chunk", *_SLOTS)
FIRST, BOTH = slice(1), slice(2)
QUESTIONS: Mapping[str, tuple[slice, Sequence[str]]] = {
    "buffer_find": (BOTH, _BLOCKS),
    "body_kept": (FIRST, _BLOCKS),
    "body_here": (FIRST, (*_BLOCKS, *_REQUEST, "buffer_reserve_block")),
    "body_of": (FIRST, (*_BLOCKS, *_REQUEST, "buffer_reserve_block")),
    "body_post": (FIRST, (*_REQUEST, *_RESPONSE)),
    "body_block_len": (FIRST, ()),
    "body_is_endpoint": (FIRST, ()),
    "content_generator": (FIRST, _RESPONSE),
    "generated_strategy": (FIRST, (*_RESPONSE, *_BLOCKS)),
    "thread_of": (FIRST, _BLOCKS),
    "response_extent": (FIRST, (*_RESPONSE, *_BLOCKS)),
    "response_head_len": (BOTH, (*_RESPONSE, *_BLOCKS)),
    "response_status": (FIRST, _RESPONSE),
    "piece_len": (BOTH, _RESPONSE),
    "text_after_head": (BOTH, _RESPONSE),
    "connection_ends": (FIRST, (*_RESPONSE, *_BLOCKS, "take_fin")),
    "peer_of": (FIRST, _SLOTS),
    "rtt_times": (FIRST, ("rtt_sample", "rtt_backed_off", "count_try", *_RESPONSE)),
}
"""By name: which of its arguments count, and the functions after which its answer may be another one."""

EXCEPTIONS: Mapping[str, str] = {
    "piece_len": "reads a number of the resource: on the stack of an AVR it would cost more than its flash",
    "text_after_head": "a switch over a value that is passed down",
    "peer_of": "looks at as many places as there are slots; beside a slot, it costs an octet of RAM and 30 of flash",
    "rtt_times": "numbers of the slot's host; passed down, they cost 100 octets of flash on an AVR",
    "connection_ends": "three bits of the slot; kept in an extent it costs 30 octets of flash on an AVR",
}
"""At most five: questions that may be asked again, with the reason."""


class Asker(Program):
    """A program that finds repeated lookups in requests to an application."""

    def __init__(self, application: Path, directory: Path) -> None:
        super().__init__(application, directory, "questions.c", optimize=OPTIMIZE, flags=TRACED)
        self._at = sorted(_functions(self.program))

    def again(self, request: bytes) -> Counter[str]:
        """Returns for each lookup the number of its repetitions within an entry call."""
        entered = [(self._name(int(at, 16)), first, second) for at, first, second in self.entered(request)]
        if not any(name == "whit_input" for name, _, _ in entered):
            raise self.none_entered()
        return repeated(entered)

    def _name(self, at: int) -> str:
        return self._at[bisect_right(self._at, (at, "\xff")) - 1][1]


def repeated(entered: Sequence[tuple[str, str, str]]) -> Counter[str]:
    """Counts repetitions. entered: (function, first argument, second argument) of each call, in order."""
    changes = {change: [name for name, (_, those) in QUESTIONS.items() if change in those] for change in _changers()}
    found: Counter[str] = Counter()
    asked: dict[str, set[tuple[str, ...]]] = {name: set() for name in QUESTIONS}
    for name, *arguments in entered:
        if name in ENTRY_CALLS:
            asked = {question: set() for question in QUESTIONS}
        for question in changes.get(name, ()):
            asked[question].clear()
        if name in QUESTIONS:
            those = tuple(arguments[QUESTIONS[name][0]])
            found[name] += those in asked[name]
            asked[name].add(those)
    return +found


def _changers() -> set[str]:
    return {change for _, those in QUESTIONS.values() for change in those}


def _functions(program: Path) -> Iterator[tuple[int, str]]:
    with program.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        if isinstance(table, SymbolTableSection):
            for symbol in table.iter_symbols():
                if symbol["st_info"]["type"] == "STT_FUNC":
                    yield symbol["st_value"], symbol.name.partition(".")[0]
