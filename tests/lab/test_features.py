# SPDX-License-Identifier: MIT
"""The image contains no feature that the application does not use: sizes and symbols of Cortex-M images, by feature."""

from functools import cache
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from whit_lab.instruments.image import look

PAGE = {"index.html": "<p>A page.</p>"}
PLAIN = """/* <generator><handlers {handler}="f"/><properties persistence="{persistence}"/>{args}</generator> */
#include <whit/app.h>
static char f(struct args_t *args) {{ (void)args; out_uint(7); return 1; }}
"""
THREAD = """/* <generator><handlers doGet="f"/><properties persistence="{persistence}"/></generator> */
#include <whit/app.h>
struct state_t {{ uint8_t i; }};
static char f(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{{
    (void)args;
    PT_BEGIN(pt);
    for (state->i = 0; state->i < 100; state->i++)
        PT_OUT_UINT(pt, state->i);
    PT_END(pt);
}}
"""
INDEX = """/* <generator><handlers doGet="f"/><properties persistence="volatile"/></generator> */
#include <whit/app.h>
static char f(struct args_t *args, uint32_t index, uint16_t length)
{
    (void)args;
    for (; length != 0 && index < 1000; length--, index++)
        out_c('x');
    return 1;
}
"""
UPLOAD = """/* <generator><handlers doPostIn="take" doPostOut="answer"/></generator> */
#include <whit/app.h>
struct state_t { uint32_t len; };
static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    int16_t octet;
    (void)part;
    PT_BEGIN(pt);
    for (;;) {
        PT_WAIT_UNTIL(pt, whit_pt_in_ready());
        if ((octet = in()) < 0)
            break;
        state->len++;
    }
    PT_END(pt);
}
static char answer(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    out_uint(state->len);
    return 1;
}
"""
TICK = """#include <whit/app.h>
/* <generator><handlers init="begin" doGet="f"/><properties persistence="persistent"/></generator> */
static uint8_t ticks;
static void tick(void) { ticks++; }
static char begin(void) { return set_timer(tick, 1000); }
static char f(struct args_t *args) { (void)args; out_uint(ticks); return 1; }
"""
ARGS = '<args><arg name="n" type="uint8"/></args>'


def plain(persistence: str, args: str = "", handler: str = "doGet") -> dict[str, str]:
    return {"g.c": PLAIN.format(persistence=persistence, args=args, handler=handler)}


# Name: files beside the page, and symbols that only such an application needs.
FEATURES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "persistent": (plain("persistent"), ("kept_walk", "content_run")),
    "volatile": (plain("volatile"), ("replay_walk",)),
    "arguments": (plain("persistent", ARGS), ("arguments_begin",)),
    "S3": ({"g.c": THREAD.format(persistence="persistent")}, ("kept_thread_begin",)),
    "S4 thread": ({"g.c": THREAD.format(persistence="volatile")}, ("rerun_walk",)),
    "S4 index": ({"g.c": INDEX}, ("rerun_walk",)),
    "timer": ({"g.c": TICK}, ("timer_due",)),
    "form": (plain("persistent", ARGS, "doPost"), ("form_run",)),
    "parts": ({"g.c": UPLOAD}, ("parts_run",)),
    "stored": ({"app.toml": '[stored."a.txt"]\nsize = 64\n'} | plain("volatile"), ("stored_walk",)),
}
EVERY_SYMBOL = {symbol for _, symbols in FEATURES.values() for symbol in symbols}


@cache
def image(directory: Path) -> tuple[int, frozenset[str]]:
    """Returns the engine's flash in octets, and the functions in the image."""
    footprint = look(directory, "cortex-m", one_unit=False)  # where no function goes into another one's
    with footprint.built.image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        names = frozenset(symbol.name for symbol in table.iter_symbols())
    return footprint.engine_flash, names


def application(directory: Path, files: dict[str, str]) -> Path:
    directory.mkdir()
    for name, content in (PAGE | files).items():
        (directory / name).write_text(content)
    return directory


@pytest.fixture(scope="module")
def static_only(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, frozenset[str]]:
    return image(application(tmp_path_factory.mktemp("features") / "static", {}))


def test_files_alone_need_nothing_of_generators(static_only: tuple[int, frozenset[str]]) -> None:
    assert not EVERY_SYMBOL & static_only[1]


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_brings_itself_and_no_other(
    feature: str, static_only: tuple[int, frozenset[str]], tmp_path: Path
) -> None:
    files, symbols = FEATURES[feature]
    flash, names = image(application(tmp_path / "app", files))
    print(f"{feature}: {flash - static_only[0]} octets of the engine more than {static_only[0]}")
    assert flash > static_only[0]
    assert set(symbols) <= names
    foreign = {symbol for other, (_, theirs) in FEATURES.items() for symbol in theirs if other != feature}
    shared = {"kept_walk", "content_run", "rerun_walk", "replay_walk", "arguments_begin"}
    assert not (foreign - set(symbols) - shared) & names
