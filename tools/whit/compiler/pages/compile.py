# SPDX-License-Identifier: MIT
"""A page template becomes a generator: its annotation, and its C."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from .. import answers, c_source
from ..model import ARGS_MAX, Generator, Get, Persistence, Writer
from ..statements import Place, Statement
from . import c_text, queries, writer
from .source import Page, served_as

CONTENT_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Compiled:
    """A page."""

    generator: Generator
    code: str
    statements: tuple[Statement, ...]


def compile_page(directory: Path, source: str) -> Compiled:
    """Compiles a page template. Raises CompileError for its author's mistakes."""
    page = Page(directory, source)
    written = writer.Writer(page)
    written.write()
    found = tuple(written.queries.found.values())
    is_post = "post" in page.declared.page
    arguments = tuple(page.declared.arguments.values())
    once = bool(found) or is_post or written.chooses
    state = once or bool(written.state)
    generator = Generator(
        line=1,
        get=None if is_post else Get("page", Writer.THREAD, state),
        init=None,
        persistence=_persistence(page, written, once),
        content_type=CONTENT_TYPE,
        arguments=arguments,
        form="page" if is_post else None,
        form_thread=is_post,
        later=once,
    )
    if generator.args_len > ARGS_MAX:
        message = f"the arguments take {generator.args_len} bytes: expected at most {ARGS_MAX}; make a str shorter"
        raise page.error(source, arguments[-1].line, message)
    statements = tuple(_statement(directory, source, query) for query in found)
    code = _code(page, written, found, statements, once, state)
    chosen = answers.read(directory / source, c_source.read(directory / source, code), generator)
    return Compiled(replace(generator, answers=chosen), code, statements)


def _statement(directory: Path, source: str, query: queries.Query) -> Statement:
    name = f"{re.sub(r'[^A-Za-z0-9]', '_', served_as(source))}_{query.number}"
    file, line = query.place
    needs = {at: replace(need, file=directory / str(need.file)) for at, need in query.needs.items()}
    return Statement(f"page_{name}"[-63:], query.sql, Place(directory / file, line), query.kept_s > 0, needs)


def _persistence(page: Page, written: writer.Writer, once: bool) -> Persistence:
    words = page.declared.page
    for one in ("volatile", "idempotent"):
        if one in words and once:
            message = f"{{% page {one} %}} of a page with queries, a form or a status: expected none; it runs once"
            raise page.error(*words[one], message)
    if "volatile" in words and "idempotent" in words:
        raise page.error(*words["volatile"], "volatile and idempotent: expected one of them")
    if once:
        return Persistence.PERSISTENT
    asks = bool(written.expressions.calls) and "idempotent" not in words
    return Persistence.VOLATILE if asks or "volatile" in words else Persistence.IDEMPOTENT


def _code(
    page: Page,
    written: writer.Writer,
    found: tuple[queries.Query, ...],
    statements: tuple[Statement, ...],
    once: bool,
    state: bool,
) -> str:
    head = f"// Written by the application compiler from {page.name}; do not edit.\n"
    if found:
        head += "#include <string.h>\n\n#include <whit/database.h>\n"
    head += "#include <whit/page.h>\n" + ("#include <whit/row.h>\n\n" if found else "\n")
    for function in page.declared.functions.values():
        head += f"{function.declaration}    // {function.place[0]}:{function.place[1]}\n"
    if page.declared.functions:
        head += "\n"
    if state:
        fields = ["struct whit_query query;", "uint8_t status;    // enum query_status"] if found else []
        fields += written.state or ([] if found else ["uint8_t none;"])
        head += "struct state_t {\n" + "".join(f"    {one}\n" for one in fields) + "};\n\n"
    body = written.body_text()
    used = set(re.findall(r"\btext_[0-9]+\b", body))
    for octets, name in written.texts.items():
        if name not in used:
            continue
        head += f"static const char {name}[] WHIT_FLASH =\n{c_text.literal(octets, '    ')};\n"
    head += "".join(map(_query, found, statements))
    parameters = "struct whit_pt *pt, struct args_t *args" + (", struct state_t *state" if state else "")
    unused = "" if page.declared.arguments else "    (void)args;\n"
    unused += "    (void)state;\n" if state and not found and not written.state else ""
    later = "    answer_later();\n" if once else ""
    return f"{head}\nstatic char page({parameters})\n{{\n{unused}    PT_BEGIN(pt);\n{later}{body}    PT_END(pt);\n}}\n"


def _query(query: queries.Query, statement: Statement) -> str:
    values = "".join(f"        {value},\n" for value in query.values)
    array = f"    struct query_value values[] = {{\n{values}    }};\n" if values else ""
    given = f"values, {len(query.values)}" if values else "NULL, 0"
    given = f"&state->query, {statement.constant}, {given}"
    asks = f"query_begin_kept({given}, {query.kept_s})" if query.kept_s else f"query_begin({given})"
    return (
        f"\n// {query.place[0]}:{query.place[1]}: {query.sql}\n"
        f"static enum query_status query_{query.number}(struct args_t *args, struct state_t *state)\n{{\n"
        f"{array}    (void)args;\n    return {asks};\n}}\n"
    )
