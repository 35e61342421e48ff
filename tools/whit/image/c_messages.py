# SPDX-License-Identifier: MIT
"""Explains errors of the C compiler and the linker to the application's author. A line with a place in the author's
own file comes first, then the original text, shortened."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from whit.compiler import Application, CompileError, c_source
from whit.paths import ROOT

TEXT_LINES_MAX = 12
_NOISE = re.compile(
    r"\[\d+/\d+\]|FAILED:|ninja:|-- |/\S*(cc|gcc|clang)\S* +-|: && |collect2: |In file included from|compilation term"
)
_DIAGNOSTIC = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?P<kind>(?:fatal )?error|warning|note): (?P<text>.*)"
)
_INLINED = re.compile(r"inlined from '\w+' at (?P<place>(?P<file>[^\s:][^:]*):\d+)")
_INSIDE = re.compile(r"[^\s:][^:]*: (?:In function '.*'|At top level):$")
_UNDEFINED = re.compile(r"undefined reference to [`'](?P<name>\w+)'")
_TWICE = re.compile(r"multiple definition of [`'](?P<name>\w+)'")
_TOO_LARGE = re.compile(r"region [`'](?P<region>\w+)' overflowed by (?P<octets>\d+) bytes")
_OUTSIDE = re.compile(r"section [`'](?P<section>[.\w]+)' is not within region")
_PLACE = re.compile(r"(?P<file>/[^:]+):(?P<line>\d+): ")
_OBJECT = re.compile(r"generated/(generator_\w+\.c)")
# An assertion of a macro of ours, which names the line that uses the macro.
_OWN_PLACE = re.compile(r'static assertion failed: "(?P<said>[^"]+:\d+: [^"]+)"')
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_WAY_OUT = "expected a smaller buffer and fewer connections in app.toml, or smaller files"
_NEEDED = re.compile(r"char ?\[(\d+)\]")

# GCC's messages, and their explanations. {0} and so on are the groups.
_SENTENCES = (
    (r"(?:generators|timers)\.h: No such file.*", "expected #include <whit/app.h>, which has what Smews' headers have"),
    (r"(channels|connections)\.h: No such file.*", "{0}.h does not exist: nothing is pushed to clients, and an "
     "application does not see the engine's connections; expected #include <whit/app.h> alone"),
    (r"implicit declaration of function '(server_push|trigger_channel)'.*", "{0}() does not exist: nothing is pushed "
     "to clients; let the page ask again, by fetch() each second for instance"),
    (r"implicit declaration of function '(CONST_WRITE_NBYTES)'.*", "{0}() does not exist: nothing writes constants; "
     "expected a table [persistent.NAME] in app.toml, and persistent_save_NAME()"),
    (r"implicit declaration of function '(mem_(?:alloc|free))'.*", "{0}() does not exist: there is no heap; expected a "
     "static variable, or a field of struct state_t"),
    (r"implicit declaration of function '(clr_timer)'.*", "{0}() does not exist: a timer runs for ever; expected a "
     "callback that returns at once when there is nothing to do"),
    (r"call to '(?:__)?(\w+?)(?:_chk)?' declared with (?:attribute error|'error' attribute): (.*)", "{0}(): {1}"),
    (r"'(?:__)?(\w+?)(?:_chk)?' is unavailable: (.*)", "{0}(): {1}"),
    (r"implicit declaration of function '(v?f?printf|f?puts|f?putc|putchar|perror)'.*", "{0}(): a server has no "
     "standard output; expected out_str(), out_uint() and the others of whit/app.h, which write the response"),
    (r"implicit declaration of function '(f?scanf|f?getc|getchar|f?gets)'.*", "{0}(): a server has no standard input; "
     "expected <args>, which are what the client sends"),
    (r"implicit declaration of function '(malloc|calloc|realloc|free|strdup|v?sn?printf|sscanf|exit|abort|sleep)'.*",
     "'{0}' is not declared: expected a function of whit/app.h; no device has the heap, the "
     "formats, the end or the clock that this one needs; for Linux it is in a header of the C library"),
    (r"implicit declaration of function '(\w+)'(; did you mean '\w+'\?)?.*", "'{0}' is not declared{1}; expected a "
     "function of whit/app.h, of a header that is included, or one that is defined above this line"),
    (r"'(STORED_\w+)' undeclared.*", "'{0}' is not declared: expected a content of that name in app.toml, such as "
     '[stored."photo.png"], and #include "whit_stored.h"'),
    (r"'(\w+)' undeclared[^;]*(; did you mean '\w+'\?)?.*", "'{0}' is not declared{1}"),
    (r"whit_stored\.h: No such file.*", "whit_stored.h does not exist: it is made when app.toml declares a content, "
     'such as [stored."photo.png"] with size = 4096'),
    (r"(whit/[^:]+): No such file or directory", "{0} is not found: an application includes whit/app.h, and nothing "
     "else of Whit"),
    (r"'<unknown>' (?:may be|is) used uninitialized", "memory is read before it was written, such as that of "
     "malloc()"),
    (r"([^:]+): No such file or directory", "{0} is not found: expected a header of the application's directory or of "
     "the C library"),
    (r".*(?:undefined|incomplete) type '(?:const )?struct args_t'.*", "args has no fields: expected "
     '<args><arg name="…" type="…"/></args> in the <generator>'),
    (r"'struct args_t' has no member named '(\w+)'(; did you mean '\w+'\?)?.*", "args has no field '{0}'{1}; expected "
     "one that is declared by an <arg> of the <generator>"),
    (r".*(?:undefined|incomplete) type '(?:const )?struct state_t'.*", "struct state_t is not defined: expected "
     "its definition in this file, before the first handler"),
    (r"unknown type name '(class|namespace|template|using|std|String|boolean|byte)'.*", "'{0}' is C++, or Arduino's: "
     "expected C11"),
    (r"unknown type name '(\w+)'(; did you mean '\w+'\?)?.*", "unknown type '{0}'{1}"),
    (r"passing argument \d+ of 'out_u?int' makes integer from pointer.*", "a pointer is given to a function "
     "that writes a number: a text is written by out_str()"),
    (r"passing argument \d+ of 'out_(?:str|flash)' makes pointer from integer.*", "a number is given to a function "
     "that writes a text: a number is written by out_uint() or out_int(), one character by out_c()"),
    (r"passing argument 1 of '(set_timer)' from incompatible pointer type.*", "{0}() calls a function of another type: "
     "expected static void NAME(void)"),
    (r"passing argument (\d+) of '(\w+)' from incompatible pointer type.*", "argument {0} of {1}() is a pointer to "
     "another type: expected the one of its declaration"),
    (r"passing argument (\d+) of '(\w+)' makes integer from pointer.*", "argument {0} of {1}() is a pointer: expected "
     "a number"),
    (r"passing argument (\d+) of '(\w+)' makes pointer from integer.*", "argument {0} of {1}() is a number: expected "
     "a pointer"),
    (r"(?:control reaches end of non-void function|no return statement in function returning non-void).*",
     "the function ends without a return: a handler returns 1, or 0 when it failed"),
    (r"the (?:comparison|address).* of '(\w+)' will .*", "{0} is never NULL: an optional text that is absent is empty, "
     "{0}[0] == 0"),
    (r"'return' with no value, in function returning non-void.*",
     "return without a value: a handler returns 1, or 0 when it failed"),
    (r"(?:conflicting types for|static declaration of) '(\w+)'.*", "'{0}' is declared elsewhere, with other types or "
     "not static: expected the same declaration, or another name"),
    (r"invalid initializer", "an array begins with a text in quotes, or with values in braces; fault() takes a text in "
     "quotes too"),
    (r"too (few|many) arguments to function '(\w+)'.*", "too {0} arguments for {1}()"),
)  # fmt: skip


@dataclass(frozen=True)
class Diagnostic:
    """A message about a line of a file. `first` is its index in the log."""

    file: str
    line: int
    kind: str
    text: str
    first: int


def explained(log: str, application: Application, generated: Path) -> str:
    """Returns a line for the author and the tools' text. The log is in English, of a build that failed."""
    lines = [re.sub(r"^/\S*/ld: ", "ld: ", line) for line in log.splitlines() if not _NOISE.match(line)]
    errors = [one for one in _diagnostics(lines) if one.kind.endswith("error")]
    author = _Author(application, generated)
    said = author.of_compiler(errors[0], lines) if errors else author.of_linker(lines)
    if errors and said and author.is_unfinished(errors[0]):  # later errors are about generated code after the file
        return near(said)
    if errors:
        lines = [*lines[: errors[0].first], *author.without_ours(lines[errors[0].first :])]
    start = errors[0].first if errors else next((place for place, line in enumerate(lines) if "ld: " in line), 0)
    text = [line for place, line in enumerate(lines) if place >= start and line.strip() and not _is_again(lines, place)]
    more = f"\n... {len(text) - TEXT_LINES_MAX} more lines" if len(text) > TEXT_LINES_MAX else ""
    shown = "\n".join(text[:TEXT_LINES_MAX]) + more
    return near(f"{said}\n{shown}" if said else shown)


def _is_again(lines: list[str], place: int) -> bool:
    """Linkers repeat themselves."""
    return lines[place].startswith("ld: ") and lines[place] in lines[:place]


def of_cmake(log: str) -> str:
    """Returns CMake's first error in one line, then the log."""
    error = re.search(r"^CMake Error[^\n]*:\n+((?:  [^\n]+\n|\n(?=  ))+)", log, re.MULTILINE)
    return f"cmake: {' '.join(error[1].split())}\n{log.strip()}" if error else f"cmake failed:\n{log.strip()}"


def hints(log: str, application: Application) -> tuple[str, ...]:
    """Warnings about the author's files, a line each."""
    return tuple(
        near(f"{one.file}:{one.line}: {_sentence(one.text)}")
        for one in _diagnostics(log.splitlines())
        if one.kind == "warning" and Path(one.file).is_relative_to(application.directory)
    )


def from_here(path: Path) -> str:
    """Returns a path that the user can paste in the current directory."""
    here = Path.cwd()
    return str(path.relative_to(here)) if here != Path("/") and path.is_relative_to(here) else str(path)


def near(text: str) -> str:
    """Shortens paths below the current directory, and those of the tree."""
    here = Path.cwd()
    for place in (here, ROOT) if here != Path("/") else (ROOT,):
        text = re.sub(rf"(?<![\w.-]){re.escape(str(place))}/", "", text)
    return text


def _diagnostics(lines: list[str]) -> Iterator[Diagnostic]:
    for place, line in enumerate(lines):
        if match := _DIAGNOSTIC.match(line):
            yield Diagnostic(match["file"], int(match["line"]), match["kind"], match["text"], place)


def _sentence(text: str) -> str:
    text = re.sub(r" \[-W[\w=-]+\]$", "", text)
    for said, ours in _SENTENCES:
        if match := re.fullmatch(said, text):
            return ours.format(*(group or "" for group in match.groups())).replace("?; expected", "? Expected")
    return text


class _Author:
    """The application's own files, and which of them a generated file was made from."""

    def __init__(self, application: Application, generated: Path) -> None:
        self._application = application
        self._directory = application.directory
        self._sources: Mapping[str, Path] = {
            path.name: application.directory / made[1]
            for path in generated.glob("generator_*.c")
            if (
                made := re.match(
                    r"// Written by the application compiler from (.+?)(?:, <generator>|; do not edit)",
                    path.read_text(),
                )
            )
        }

    def of_compiler(self, error: Diagnostic, lines: list[str]) -> str:
        if match := _OWN_PLACE.match(error.text):
            return match["said"]
        if (source := self._sources.get(Path(error.file).name)) is None:
            if not Path(error.file).is_relative_to(self._directory) and (place := self._inlined(lines[: error.first])):
                return f"{place}: {_sentence(error.text)}"
            return f"{error.file}:{error.line}: {_sentence(error.text)}"
        name = source.relative_to(self._directory)
        if "whit_buffer_needed" in error.text:
            needed = max((int(number) for number in _NEEDED.findall("\n".join(lines))), default=0)
            expected = f"at least {needed}" if needed else "more"  # compilers before GCC 8 do not name it
            file, line = self._directory / "app.toml", ""
            if file.is_file() and (match := re.search(r"^\s*buffer\s*=", file.read_text("utf-8"), re.MULTILINE)):
                line = f":{file.read_text('utf-8').count(chr(10), 0, match.end()) + 1}"
            was = self._application.limits.buffer
            whose = "" if name.suffix == ".jinja" else "the struct state_t of "
            return f"{file}{line}: buffer is {was}: expected {expected} for {whose}{name}"
        if "struct state_t" in error.text:
            line_number = self._line_of(source, r"\bstruct\s+state_t\s*\{")
            return f"{source}:{line_number}: struct state_t takes more than 255 bytes: expected a smaller one"
        if unclosed := self._unclosed(source):
            line_number, bracket = unclosed
            return f"{source}:{line_number}: this {bracket} is never closed: expected a {_CLOSING[bracket]} for it"
        if self.is_unfinished(error):
            line_number = self._line_of(source, r"\S")
            return f"{source}:{line_number}: the file ends in the middle of a declaration: expected its value or its ;"
        return f"{source}: {_sentence(error.text)}"

    def _inlined(self, before: list[str]) -> str:
        """Returns file and line in the author's code that call an inlined function; empty if GCC does not name them."""
        found = (match for line in reversed(before) if (match := _INLINED.search(line)))
        return next((one["place"] for one in found if self._wrote(Path(one["file"]))), "")

    def without_ours(self, lines: list[str]) -> list[str]:
        """Without warnings about files that are not the author's, which stay after his mistake is mended."""
        kept: list[str] = []
        ours, head = False, []  # head: "In function" of the next message
        for line in lines:
            match = _DIAGNOSTIC.match(line)
            if _INSIDE.match(line):
                head, ours = [line], True
                continue
            if match and (match["kind"] != "note" or head):
                ours = match["kind"] == "warning" and not self._wrote(Path(match["file"]))
            kept += [] if ours else [*head, line]
            head = []
        return kept

    def _wrote(self, file: Path) -> bool:
        return file.is_relative_to(self._directory) or file.name in self._sources

    def is_unfinished(self, error: Diagnostic) -> bool:
        """True if the author's file ends too early: the compiler expected more of it, and met generated code."""
        source = self._sources.get(Path(error.file).name)
        return source is not None and (error.text.startswith("expected ") or self._unclosed(source) is not None)

    def of_linker(self, lines: list[str]) -> str | None:
        for place, line in enumerate(lines):
            if match := _UNDEFINED.search(line):
                where = self._place(lines, place, match["name"])
                if where is not None:
                    return f"{where}: '{match['name']}' is defined nowhere: expected its definition in a C file"
            if match := _TWICE.search(line):
                if match["name"] == "main":
                    where = self._place([line.rpartition(";")[2]], 0, "main") or str(self._directory)
                    return f"{where}: main() is the port's: expected an init handler instead"
                first, _, second = line.rpartition(";")
                where, other = self._place([*lines[:place], first], place, match["name"]), self._place([second], 0, "")
                if "whit_engine.dir" in line:
                    return f"{where}: '{match['name']}' is a name of the engine too: expected it static, or another"
                same = f" ({other} is the other one)" if other else ""
                return f"{where}: '{match['name']}' is defined twice{same}: expected one, or both of them static"
            if match := _TOO_LARGE.search(line):
                many = f"{match['octets']} bytes too many for {match['region']} of the target"
                return f"{self._directory}: the image does not fit: {many}; {_WAY_OUT}"
            if match := _OUTSIDE.search(line):
                region = "program memory" if match["section"].startswith(".text") else "RAM"
                return f"{self._directory}: the image does not fit the {region} of the target; {_WAY_OUT}"
        return None

    def _place(self, lines: list[str], place: int, name: str) -> str | None:
        """File and line of the author that the linker means, whether it names them or the object file."""
        if (match := _PLACE.search(lines[place])) and Path(match["file"]).is_relative_to(self._directory):
            return f"{match['file']}:{match['line']}"
        for line in reversed(lines[: place + 1]):
            if match := _OBJECT.search(line):
                source = self._sources.get(match[1])
                return None if source is None else f"{source}:{self._line_of(source, rf'{chr(92)}b{name}{chr(92)}b')}"
            if match := re.search(r"whit_application\.dir(/\S+\.c)\.o", line):
                file = Path(match[1])
                return f"{file}:{self._line_of(file, rf'{chr(92)}b{name}{chr(92)}b')}" if file.is_file() else str(file)
        return None

    def _line_of(self, source: Path, pattern: str) -> int:
        """Returns the last line of code that matches: declarations precede calls."""
        code = _code(source)
        found = list(re.finditer(pattern, code.code)) if code else []
        return code.line_at(found[-1].start()) if code and found else 1

    def _unclosed(self, source: Path) -> tuple[int, str] | None:
        """The outermost bracket that is not closed, and its line."""
        code = _code(source)
        opened: list[re.Match[str]] = []
        for match in re.finditer(r"[(){}\[\]]", code.statements) if code else ():
            if match[0] in _CLOSING:
                opened.append(match)
            elif opened and match[0] == _CLOSING[opened[-1][0]]:
                opened.pop()
        return (code.line_at(opened[0].start()), opened[0][0]) if code and opened else None


def _code(source: Path) -> c_source.CSource | None:
    try:
        return c_source.read(source, source.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, CompileError):
        return None
