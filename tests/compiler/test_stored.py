# SPDX-License-Identifier: MIT
"""[stored."path"] in app.toml: every mistake with its line, the layout of persistent memory, the names in C."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.compiler.support import HANDLER, INCLUDES, WARNINGS, error_of, make_app, walk
from whit.commands.overrides import parse_overrides
from whit.compiler import compile_application
from whit.compiler.model import Persistence
from whit.machines.start import rows
from whit.paths import ROOT

SIZE = "size = 100\n"
CASES = [
    ("stored = 1", '1: stored: expected tables [stored."path"], at most 255'),
    ("[stored]\nsize = 4", "1: stored 'size': expected a table [stored.\"size\"] with a size"),
    ('[stored."a.png"]', "1: size of a.png is not given: expected an integer, 1 to 32768, the bytes that it may have"),
    ('idle = 3\n[stored."a.png"]\n\nsize = 0', "4: size of a.png is 0: expected an integer, 1 to 32768"),
    ('[stored."a.png"]\nsize = 32769', "2: size of a.png is 32769: expected an integer, 1 to 32768"),
    ('[stored."a.png"]\nsize = true', "2: size of a.png is true: expected an integer, 1 to 32768"),
    ('[stored."a.png"]\nsize = "4"', "2: size of a.png is '4': expected an integer, 1 to 32768"),
    (f'[stored."a.png"]\n{SIZE}type = "x"', "3: unknown key 'type': expected one of size, content-type"),
    (f'[stored."a.png"]\n{SIZE}content-type = "png"', "3: content-type is 'png': expected type/subtype;"),
    (f'[stored."a.png"]\n{SIZE}content-type = 3', "3: content-type is 3: expected type/subtype;"),
    (f'[stored.""]\n{SIZE}', "1: stored '': expected a path of 1 to 200 printable ASCII characters"),
    (f'[stored."\\u00e4"]\n{SIZE}', "1: stored 'ä': expected a path of 1 to 200 printable ASCII characters"),
    (f'[stored."/a"]\n{SIZE}', "1: stored '/a': expected a path as dir/name, with no slash at its"),
    (f'[stored."a/"]\n{SIZE}', "1: stored 'a/': expected a path as dir/name"),
    (f'[stored."a//b"]\n{SIZE}', "1: stored 'a//b': expected a path as dir/name"),
    (f'[stored."../b"]\n{SIZE}', "1: stored '../b': expected a path as dir/name"),
    (f'[stored."whit/b"]\n{SIZE}', "1: /whit and all below it are reserved for the engine: rename it"),
    (f'name = "n"\n[stored."page.txt"]\n{SIZE}', "2: a second resource under /page.txt: page.txt is the first;"),
    (f'[stored."x"]\n{SIZE}', "1: a second resource under /x: x.c is the first; rename one"),
    (
        '[persistent]\nsize = 10\n[stored."a"]\nsize = 10000\n[stored."b"]\nsize = 6000',
        "6: b takes 12768 bytes of persistent memory (two banks of 6384), 11490 are left of 32768: give it",
    ),
    ("chunk = 4\n[stored.a]\nsize = 20000", "3: a takes 60016 bytes of persistent memory (two banks of 30008), 32768"),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[expected for _, expected in CASES])
def test_error(tmp_path: Path, text: str, expected: str) -> None:
    handler = f'/* <generator><handlers doGet="get"/></generator> */\n{HANDLER}'
    files = {"app.toml": text, "x.c": handler, "page.txt": "x"}
    said = error_of(make_app(tmp_path / "app", files))
    assert said.startswith(f"app.toml:{expected}")
    assert "\n" not in said


def test_set_changes_a_content_and_makes_one(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": '[stored."a.png"]\nsize = 5\n'})
    words = ['stored."a.png".size=7', "stored.'b=c.txt'.size = 9", 'stored."b=c.txt".content-type="text/x"']
    compiled = compile_application(app, tmp_path / "out", overrides=parse_overrides(words))
    sizes = {one.path: (one.stored.size, one.content_type) for one in compiled.resources if one.stored}
    assert sizes == {"a.png": (7, "image/png"), "b=c.txt": (9, "text/x")}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ('stored."a.png".size=0', "--set: size of a.png is 0: expected an integer, 1 to 32768, the bytes"),
        ('stored."b.png".szie=4', "--set: unknown key 'szie': expected one of size, content-type; did you mean size?"),
        ("stored.a.png.size=4", "--set: stored.a.png.size: expected a path in quotes and a key, as in --set 'stored."),
        ("stored.a=4", "--set: stored.a: expected a path in quotes and a key, as in --set 'stored.\"logo"),
        ("stored=4", "--set: stored: expected a path in quotes and a key"),
    ],
)
def test_set_of_a_content_that_is_wrong(tmp_path: Path, word: str, expected: str) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": '[stored."a.png"]\nsize = 5\n'})
    assert error_of(app, parse_overrides([word])).startswith(expected)


@pytest.mark.parametrize(
    ("word", "key", "value"),
    [
        ("connections=2", "connections", 2),
        (' "connections" = 2', "connections", 2),
        ("network . 'address'=10.0.0.2", "network.address", "10.0.0.2"),
        ('name="a=b"', "name", "a=b"),
        ('stored."a\\"=b".size=1', 'stored."a\\"=b".size', 1),
        ("stored.'a.b'.size=1", 'stored."a.b".size', 1),
        ("a b=1", "a b", 1),
        ('"a=1', '"a', 1),
    ],
)
def test_keys_of_set(word: str, key: str, value: object) -> None:
    assert parse_overrides([word]) == {key: value}


STORED = """chunk = 32
[persistent]
size = 7
[stored."photo.png"]
size = 4000
[stored."Photo_png"]
size = 1
content-type = "text/plain"
[stored."sub/index.html"]
size = 33
"""


def test_layout(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"app.toml": STORED, "index.html": "x"})
    application = compile_application(app, tmp_path / "out")
    found = {one.path: one.stored for one in application.resources if one.stored}
    # Header of 8, two octets of a sum for each chunk, octets; two of these.
    assert [(path, one.address, one.bank_len) for path, one in found.items()] == [
        ("Photo_png", 7, 11),
        ("photo.png", 29, 8 + 250 + 4000),
        ("sub/index.html", 8545, 8 + 4 + 33),
    ]
    assert application.limits.persistent_size == 8545 + 90
    assert len({one.seal for one in found.values()}) == 3
    types = {one.path: one.content_type for one in application.resources}
    assert types["photo.png"] == "image/png"
    assert types["Photo_png"] == "text/plain"
    assert types["sub/index.html"] == "text/html; charset=utf-8"
    assert {one.persistence for one in application.resources if one.stored} == {Persistence.STORED}
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    assert "#define WHIT_PERSISTENT_SIZE 8635 " in page
    assert "#define WHIT_PERSISTENT_RAW 7 " in (tmp_path / "out" / "whit_persistent.h").read_text()
    assert "#define WHIT_HAS_STORED 1 " in page
    described = json.loads((tmp_path / "out" / "app.json").read_text())
    assert described["persistent"]["size"] == 7
    assert described["persistent"]["stored"][1] == {
        "url": "/photo.png", "name": "STORED_PHOTO_PNG_2", "address": 29, "size": 4000, "bank": 4258, "banks": 2
    }  # fmt: skip
    wires = {one["source"]: one["representations"][0]["wire"] for one in described["resources"]}
    assert wires["app.toml"] is None and wires["index.html"]


def test_without_any(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"app.toml": "[stored]\n[persistent]\nsize = 9\n", "index.html": "x"})
    compile_application(app, tmp_path / "out")
    assert not (tmp_path / "out" / "whit_stored.h").exists()
    assert "whit_stored" not in (tmp_path / "out" / "whit_tables.c").read_text()
    assert "persistent" not in json.loads((tmp_path / "out" / "app.json").read_text())
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    assert "#define WHIT_PERSISTENT_RAW 9 " in (tmp_path / "out" / "whit_persistent.h").read_text()
    assert "#define WHIT_HAS_STORED 0 " in page


DUMP = r"""
#include <stdio.h>
#include "whit_tables.c"
#include "whit_stored.h"
int main(void)
{
    printf("[%d, %d, %d, [", STORED_PHOTO_PNG, STORED_PHOTO_PNG_2, STORED_SUB_INDEX_HTML);
    for (int i = 0; i < whit_stored_cnt; i++)
        printf("%s[%u, %u, %u, %u]", i ? ", " : "", whit_stored[i].resource, whit_stored[i].address,
               whit_stored[i].size, whit_stored[i].seal);
    printf("], [");
    for (int i = 0; i < whit_resource_cnt; i++)
        printf("%s[%d, %lu, %d]", i ? ", " : "", whit_resources[i].persistence == WHIT_STORED,
               (unsigned long)(whit_resources[i].persistence == WHIT_STORED ? whit_resources[i].etag
               : whit_resources[i].len - whit_resources[i].head_len), whit_resources[i].variant_cnt);
    printf("], \"");
    for (unsigned i = 0; i < sizeof whit_targets; i++)
        printf("%02x", whit_targets[i]);
    printf("\"]");
}
"""


def test_tables(tmp_path: Path) -> None:
    app, out = make_app(tmp_path / "app", {"app.toml": STORED, "zz.bin": "x"}), tmp_path / "out"
    application = compile_application(app, out)
    (out / "dump.c").write_text(DUMP)
    command = ["gcc", *WARNINGS, *INCLUDES, f"-I{out}", str(out / "dump.c"), "-o", str(out / "dump")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(subprocess.run([str(out / "dump")], capture_output=True, text=True, check=True).stdout)
    seals = [one.stored.seal for one in application.resources if one.stored]
    assert said[:3] == [0, 1, 2]
    assert said[3] == [[0, 7, 1, seals[0]], [2, 29, 4000, seals[1]], [4, 8545, 33, seals[2]]]
    assert said[4] == [[1, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 2, 0], [1, 2, 0], [0, 1, 0]]
    targets = bytes.fromhex(said[5])
    paths = ("Photo_png", "photo.png", "sub/", "sub/index.html", "zz.bin")
    assert [walk(targets, 0, path) for path in paths] == [0, 2, 4, 4, 6]


def test_seal_follows_the_layout_of_a_bank(tmp_path: Path) -> None:
    seals = []
    for number, text in enumerate((STORED, STORED.replace("4000", "4001"), STORED.replace("32", "16", 1))):
        app = make_app(tmp_path / f"app{number}", {"app.toml": text, "index.html": "x"})
        application = compile_application(app, tmp_path / f"out{number}")
        seals.append(next(one.stored.seal for one in application.resources if one.path == "photo.png" and one.stored))
    assert len(set(seals)) == 3
    assert all(0 < seal < 0xFFFF for seal in seals)


def test_the_example_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "application.md").read_text().split("## Contents that are stored at run time")[1]
    files = {language: re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)[0] for language in ("toml", "c")}
    assert (ROOT / "tests" / "apps" / "stored" / "upload.c").read_text().endswith(files["c"])
    app, out = make_app(tmp_path / "app", {"app.toml": files["toml"], "upload.c": files["c"]}), tmp_path / "out"
    application = compile_application(app, out)
    assert [one.urls for one in application.resources] == [("/photo.png",), ("/upload",)]
    command = ["gcc", *WARNINGS, *INCLUDES, f"-I{out}", f"-I{app}", "-c", f"{out}/generator_upload.c", "-o", f"{out}/o"]
    subprocess.run(command, check=True)


def test_urls_of_the_image_in_its_order(tmp_path: Path) -> None:
    """--counters names resources by this table: a stored content appears once for each bank."""
    app = make_app(tmp_path / "app", {"a.txt": "x", "c.txt": "y", "app.toml": f'[stored."b.png"]\n{SIZE}'})
    assert rows(compile_application(app, tmp_path / "out")) == [
        "/a.txt", "/b.png (first bank)", "/b.png (second bank)", "/c.txt",
    ]  # fmt: skip
    tables = (tmp_path / "out" / "whit_tables.c").read_text()
    assert re.search(r"whit_resources\[\] .*?\n};", tables, re.S)[0].count("{") == 5
