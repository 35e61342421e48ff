# SPDX-License-Identifier: MIT
"""The generated C, compiled without a warning and read back."""

import gzip
import random
import re
from pathlib import Path
from typing import Any

import brotli
import pytest

from tests.compiler.support import dump, generator, make_app, walk
from tests.compiler.test_sums import naive
from whit.compiler import compile_application, words
from whit.compiler.model import Application
from whit.paths import ROOT

TEXT = "".join(f"line {number} of a page\n" for number in range(60))
NOISE = random.Random(7).randbytes(1001)
ARGS = (
    '<args><arg name="a" type="uint8"/><arg name="b" type="uint32" optional="true"/>'
    '<arg name="name" type="str" size="5"/><arg name="c" type="int16"/><arg name="d" type="bool"/></args>'
)
INIT = "static char start(void) { return 1; }\nstatic char get(struct args_t *args) { return args != 0; }\n"
FILES: dict[str, str | bytes] = {
    "index.html": TEXT,
    "sub/index.html": "<p>sub",
    "noise.bin": NOISE,
    "empty.txt": "",
    "odd 'name\\": b"??/\\",
    "a.gzip": "not the variant of a",
    "a": TEXT,
    "plain.c": generator(handlers='init="start" doGet="get"', code=INIT),
    "deep/er/all.c": generator(f'<properties persistence="idempotent" content-type="application/json"/>{ARGS}'),
    "deep/er_all.c": generator('<properties persistence="volatile"/>'),
    "helper.c": '#include "helper.h"\nint twice(int x) { return 2 * x; }\n',
    "helper.h": "int twice(int x);\n",
    "README.md": "not served",
    ".hidden": "not served",
    ".git/config": "not served",
    ".well-known/thing": "served",
    "app.toml": "chunk = 16\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Application, dict[str, Any]]:
    directory = tmp_path_factory.mktemp("tables")
    app = make_app(directory / "app", FILES)
    application = compile_application(app, directory / "out")
    return application, dump(app, directory / "out")


def resource_at(tables: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """The representations of a path, identity first."""
    index = walk(bytes.fromhex(tables["targets"]), 0, path)
    assert index is not None, path
    first: dict[str, Any] = tables["resources"][index]
    return [first, *tables["resources"][index + 1 : index + 1 + first["variant_cnt"]]]


def test_what_is_served(compiled: tuple[Application, dict[str, Any]]) -> None:
    application, tables = compiled
    urls = [url for resource in application.resources for url in resource.urls]
    assert sorted(urls) == sorted(
        ["/", "/index.html", "/sub/", "/sub/index.html", "/noise.bin", "/empty.txt", "/odd 'name\\", "/a.gzip", "/a",
         "/plain", "/deep/er/all", "/deep/er_all", "/.well-known/thing"]
    )  # fmt: skip
    for url in urls:
        assert resource_at(tables, url[1:])[0]["coding"] == 0
    for other in ("sub", "plain.c", "helper", "README.md", ".hidden", "app.toml", "index.htm", "index.html/"):
        assert walk(bytes.fromhex(tables["targets"]), 0, other) is None
    assert [path.name for path in application.sources if path.parent.name == "app"] == ["helper.c"]


def test_bodies_and_variants(compiled: tuple[Application, dict[str, Any]]) -> None:
    _, tables = compiled
    decode = [bytes, gzip.decompress, brotli.decompress]
    for path, content in FILES.items():
        if path.endswith((".c", ".h", ".toml", ".md")) or path in (".hidden", ".git/config"):
            continue
        body = content.encode() if isinstance(content, str) else content
        representations = resource_at(tables, path)
        assert all(decode[one["coding"]](bytes.fromhex(one["body"])) == body for one in representations)
        assert len({one["etag"] for one in representations} - {0}) == len(representations)
        wire = [len(one["head"] + one["body"]) // 2 for one in representations]
        assert wire[1:] == sorted(set(wire[1:]), reverse=True)
        assert all(length < wire[0] for length in wire[1:])
    assert [one["coding"] for one in resource_at(tables, "index.html")] == [0, 1, 2]
    assert len(resource_at(tables, "noise.bin")) == 1
    index_gzip = bytes.fromhex(resource_at(tables, "index.html")[1]["body"])
    assert index_gzip[4:8] == bytes(4), "MTIME"


def test_sums(compiled: tuple[Application, dict[str, Any]]) -> None:
    _, tables = compiled
    for one in tables["resources"]:
        octets = bytes.fromhex(one["head"] + one["body"])
        assert one["sums"] == [naive(octets[:end]) for end in range(16, len(octets) + 16, 16)]
        for part in ("head", "validators"):
            assert one[f"{part}_sum"] == naive(bytes.fromhex(one[part]))


def test_heads(compiled: tuple[Application, dict[str, Any]]) -> None:
    _, tables = compiled
    for one in tables["resources"]:
        head = bytes.fromhex(one["head"]).decode()
        if one["persistence"]:
            assert head.endswith("\r\nCache-Control: no-store\r\n")
            assert one["validators"] == ""
            continue
        assert head.endswith("\r\n\r\n")
        assert f"Content-Length: {len(one['body']) // 2}\r\n" in head
        assert head.startswith(bytes.fromhex(one["validators"]).decode())
        assert head.startswith(f'ETag: "{one["etag"]:08x}"\r\n')
    for path, varies in (("index.html", True), ("noise.bin", False)):
        heads = [bytes.fromhex(one["head"]).decode() for one in resource_at(tables, path)]
        assert all(("Vary: Accept-Encoding\r\n" in head) == varies for head in heads)
    assert "charset=utf-8" in bytes.fromhex(resource_at(tables, "index.html")[0]["head"]).decode()


def test_generators(compiled: tuple[Application, dict[str, Any]]) -> None:
    application, tables = compiled
    plain = resource_at(tables, "plain")[0]
    assert (plain["persistence"], plain["arguments"], plain["args_len"], plain["has_get"]) == (1, [], 0, 1)
    assert resource_at(tables, "deep/er_all")[0]["persistence"] == 2
    full = resource_at(tables, "deep/er/all")[0]
    assert full["persistence"] == 3
    # type, offset, size, optional: uint8, uint32, str, int16, bool, at the alignment of this machine
    assert full["arguments"] == [[0, 0, 1, 0], [2, 4, 4, 1], [8, 8, 5, 0], [4, 14, 2, 0], [6, 16, 1, 0]]
    assert full["args_len"] == 20
    resource = next(one for one in application.generators if one.path == "deep/er/all")
    assert resource.generator is not None
    assert resource.generator.args_len == full["args_len"]
    targets = bytes.fromhex(tables["targets"])
    assert [walk(targets, full["names"], name) for name in ("a", "b", "name", "c", "d")] == [0, 1, 2, 3, 4]
    assert [walk(targets, full["names"], name) for name in ("", "e", "nam", "names")] == [None] * 4


def values_of(enum: str) -> list[str]:
    """Names of the values of an enum in engine/core/tables.h, in their order."""
    header = (ROOT / "engine" / "core" / "tables.h").read_text()
    body = re.search(rf"enum {enum} \{{(.*?)\}}", header, re.DOTALL)
    assert body
    return re.findall(r"WHIT_\w+", re.sub(r"/\*.*?\*/", "", body[1], flags=re.DOTALL))


def check_words(tables: dict[str, Any], expected: dict[str, tuple[str, dict[str, str]]]) -> None:
    """whit_words, by the name of an automaton: its enum, and its words."""
    octets = bytes.fromhex(tables["words"])
    for automaton, (enum, table) in expected.items():
        names = values_of(enum)
        assert {word: names[walk(octets, tables[automaton], word) or 0] for word in table} == table
        assert walk(octets, tables[automaton], "nothing") is None


def test_words(compiled: tuple[Application, dict[str, Any]]) -> None:
    _, tables = compiled
    assert tables["media"] == 0
    assert b"mul" not in bytes(octet & 0x7F for octet in bytes.fromhex(tables["words"]))


def test_words_where_bodies_are_taken(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"x.c": generator(handlers='doPost="get"')})
    compile_application(app, tmp_path / "out")
    tables = dump(app, tmp_path / "out")
    check_words(tables, {"media": ("whit_media", words.MEDIA)})


@pytest.mark.parametrize(("more", "spelled"), [({}, "a%20%7Bb%7D%25.txt"), ({"x.c": generator(ARGS)}, "a {b}%.txt")])
def test_paths_are_spelled_as_they_are_compared(tmp_path: Path, more: dict[str, str | bytes], spelled: str) -> None:
    """Percent-encoding is undone by engines only that have arguments."""
    app = make_app(tmp_path / "app", {"a {b}%.txt": "x"} | more)
    compile_application(app, tmp_path / "out")
    targets = bytes.fromhex(dump(app, tmp_path / "out")["targets"])
    for path in ("a {b}%.txt", "a%20%7Bb%7D%25.txt"):
        assert (walk(targets, 0, path) is not None) == (path == spelled)


def test_heads_that_are_the_same_are_there_once(tmp_path: Path) -> None:
    compile_application(make_app(tmp_path / "app", {name: generator() for name in ("a.c", "b.c")}), tmp_path / "out")
    made = (tmp_path / "out" / "whit_tables.c").read_text()
    assert made.count("octets_a[]") == 1 and "octets_b" not in made
    assert made.count(".octets = octets_a,") == 2


@pytest.mark.parametrize(("connections", "idle", "hashed"), [(64, 64, False), (65, 64, True), (64, 65, True)])
def test_connections_are_looked_up_by_hash_where_they_are_many(
    tmp_path: Path, connections: int, idle: int, hashed: bool
) -> None:
    app = make_app(tmp_path / "app", {"index.html": "hello"})
    limits = {"connections": connections, "idle": idle}
    assert compile_application(app, tmp_path / "out", overrides=limits).hashed == hashed
