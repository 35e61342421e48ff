# SPDX-License-Identifier: MIT
"""The application's directory: its served files, and every mistake in it."""

import os
from pathlib import Path

import pytest

from tests.compiler.support import error_of, generator, make_app
from whit.compiler import CompileError, compile_application
from whit.compiler.mime import content_type_of

GLOBAL = "char get(struct args_t *args) { (void)args; return 1; }\n"
# Files, and the error.
CASES = [
    ("nothing", {"README.md": "", "x.h": "", ".x": "", "app.toml": ""},
     "{app}: nothing to serve: expected a file, index.html for instance"),
    (
        "only a helper",
        {"x.c": "int x;\n"},
        "{app}: nothing to serve: expected a file, index.html for instance, or a <generator> in a comment of x.c",
    ),
    ("C++", {"x.cpp": '#include "whit/app.h"\n'}, "x.cpp: only C is compiled: expected a name that ends in .c; rename"),
    ("two resources", {"cb_get": "x", "cb_get.c": generator()},
     "cb_get.c:1: a second resource under /cb_get: cb_get is the first; rename one"),
    ("two indexes", {"s/index.html": "x", "s/index.html.c": "\n" + generator()},
     "s/index.html.c:2: a second resource under /s/index.html: s/index.html is the first; rename one"),
    ("below an argument", {"a.c": generator('<args><arg name="b" type="bool" source="path"/></args>'), "a/b.txt": ""},
     "a/b.txt: /a takes what follows it as an argument (source): expected nothing below; rename this"),
    ("reserved directory", {"whit/status.html": "x"},
     "whit/status.html: /whit and all below it are reserved for the engine: rename it"),
    ("reserved name", {"whit.c": generator()}, "whit.c: /whit and all below it are reserved for the engine: rename it"),
    ("app.toml served", {"app.toml.bak": "x"},
     "app.toml.bak: names that begin with app.toml are reserved, only the one at the top is read: rename it"),
    ("app.toml further down", {"s/app.toml": "x"}, "s/app.toml: names that begin with app.toml are reserved"),
    ("app.toml as a generator", {"app.toml.c": generator()}, "app.toml.c: names that begin with app.toml are reserved"),
    ("not ASCII", {"caf\u00e9.html": "x"},
     "caf\u00e9.html: the name is not plain ASCII: expected printable ASCII characters; rename it"),
    ("control character", {"a\tb": "x"}, "a\\tb: the name is not plain ASCII"),
    ("line break", {"a\nb": "x"}, "a\\nb: the name is not plain ASCII"),
    ("long path", {f"{'d' * 100}/{'f' * 100}": "x"}, "the path has 201 bytes: expected at most 200; rename it"),
    ("C file with a space", {"a b.c": generator()},
     "a b.c: a C file's name: expected letters, digits and _ . + - only; rename it"),
    ("one handler name in two files", {"a.c": generator(code=GLOBAL), "b.c": generator(code=GLOBAL)},
     "b.c:1: get is defined in a.c as well: expected one of them static, or another name"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_error(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    app = make_app(tmp_path / "app", files)
    assert expected.replace("{app}", str(app)) in error_of(app)


def test_no_directory(tmp_path: Path) -> None:
    app = tmp_path / "app"
    assert error_of(app) == f"{app}: no such directory: expected an application's directory"
    app.write_text("")
    assert error_of(app) == f"{app}: no such directory: expected an application's directory"


def test_a_name_that_is_not_unicode(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {})
    Path(os.fsdecode(os.fsencode(app) + b"/\xff.html")).write_text("x")
    assert error_of(app).startswith("\\udcff.html: the name is not plain ASCII")


def test_what_is_no_file(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    os.mkfifo(app / "pipe")
    assert error_of(app) == "pipe: neither file nor directory: expected only these; remove it"
    (app / "pipe").unlink()
    (app / "gone").symlink_to("nowhere")
    assert error_of(app) == "gone: a symbolic link to nowhere, which does not exist"
    (app / "gone").unlink()
    (app / "app.toml").symlink_to("nowhere.toml")
    assert error_of(app) == "app.toml: a symbolic link to nowhere.toml, which does not exist"
    (app / "app.toml").unlink()
    (app / "loop").symlink_to(app)
    assert error_of(app) == "loop: a symbolic link to a directory: expected a directory; copy it"


def test_a_huge_file(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    with open(app / "disk.img", "wb") as file:
        file.truncate((1 << 24) + 1)
    assert error_of(app) == "disk.img: 16777217 bytes: expected at most 16776192"


def test_output_inside_the_application(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    with pytest.raises(CompileError, match="would become part of the application: expected a directory outside it"):
        compile_application(app, app / "build")
    assert not (app / "build").exists()


def test_too_many_urls(tmp_path: Path) -> None:
    names = (f"{number:03}{'x' * 190}" for number in range(400))
    app = make_app(tmp_path / "app", dict.fromkeys(names, ""))
    assert error_of(app).endswith("bytes: expected at most 32767; shorten paths")


def test_links_to_files_of_the_directory_are_served(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    (app / "here.html").symlink_to("index.html")
    application = compile_application(app, tmp_path / "out")
    assert [one.representations[0].body for one in application.resources] == [b"x", b"x"]


def test_a_link_that_leaves_the_directory(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    there = tmp_path / "there.txt"
    there.write_text("y")
    (app / "here.txt").symlink_to(there)
    told = f"here.txt: a symbolic link to {there}, which is elsewhere, and all files here are served: move it out"
    assert error_of(app).startswith(told)
    (app / "app.toml").write_text('[files]\nserved = ["here.txt"]\n')
    application = compile_application(app, tmp_path / "out")
    assert [one.representations[0].body for one in application.resources] == [b"y", b"x"]


KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("name", "content", "looks"),
    [
        ("server.key", b"", "has the name of a private key"),
        ("ID_RSA", b"", "has the name of a private key"),
        ("old/backup.sql", b"", "has the name of what a database holds"),
        ("all.sql.gz", b"", "has the name of what a database holds"),
        ("site.env", b"", "has the name of a list of passwords"),
        ("both.pem", b"-----BEGIN CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\n", "has a private key in it"),
        ("notes.txt", b"x" * 100_000 + KEY, "has a private key in it"),
    ],
)
def test_a_file_that_looks_private(tmp_path: Path, name: str, content: bytes, looks: str) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    (app / name).parent.mkdir(exist_ok=True)
    (app / name).write_bytes(content)
    way_out = f'move it out of the directory, or allow it in app.toml: [files] with served = ["{name}"]'
    assert error_of(app) == f"{name}: {looks}, and all files here are served: {way_out}"
    (app / "app.toml").write_text(f'[files]\nserved = ["{name}"]\n')
    assert name in [one.path for one in compile_application(app, tmp_path / "out").resources]


def test_what_does_not_look_private(tmp_path: Path) -> None:
    names = ("keyboard.js", "monkey.png", "environment.html", "ca.pem", "sql.html", "dumps.txt", ".env", "README.key")
    app = make_app(tmp_path / "app", dict.fromkeys(names, "x") | {"a.c": f"// {KEY.decode()}"})
    assert len(compile_application(app, tmp_path / "out").resources) == 6  # hidden files and README are not served


def test_what_files_may_say(tmp_path: Path) -> None:
    for text, told in (
        ("files = 3", "app.toml:1: files: expected a table, [files] with"),
        ('[files]\nserved = "a"', "app.toml:2: files.served: expected a list of names"),
        ("[files]\nother = []", "app.toml:2: files.other: expected served, a list of names"),
    ):
        app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": text})
        assert error_of(app).startswith(told)


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("index.html", b"x", "text/html; charset=utf-8"),
        ("a/INDEX.HTML", "\u00fc".encode(), "text/html; charset=utf-8"),
        ("latin1.txt", b"\xfc", "text/plain"),
        ("logo.png", b"x", "image/png"),
        ("data.json", b"{}", "application/json"),
        ("v1.2/file", b"x", "application/octet-stream"),
        ("what.ever", b"x", "application/octet-stream"),
    ],
)
def test_media_types(path: str, content: bytes, expected: str) -> None:
    assert content_type_of(path, content) == expected


def test_hint_of_an_editors_copy(tmp_path: Path) -> None:
    """The file is served anyway: its name may be intended."""
    names = ["index.html~", "s/get.c.orig", "#style.css#", "old.html", "swp"]
    app = make_app(tmp_path / "app", dict.fromkeys(names, "x"))
    found = compile_application(app, tmp_path / "out")
    assert len(found.resources) == len(names)
    assert [hint.removeprefix(f"{app}/").partition(":")[0] for hint in found.hints] == [
        "#style.css#",
        "index.html~",
        "s/get.c.orig",
    ]
    assert found.hints[1].endswith("is served as /index.html~: remove it if clients must not read it")


def test_hint_of_a_template_that_is_sent_as_it_stands(tmp_path: Path) -> None:
    names = ["list.html.j2", "s/item.php", "tpl", "page.html.jinja", "script.js"]
    app = make_app(tmp_path / "app", dict.fromkeys(names, "x"))
    assert [hint.removeprefix(f"{app}/") for hint in compile_application(app, tmp_path / "out").hints] == [
        "list.html.j2: is served as /list.html.j2, unchanged: expected list.html.jinja of a page template",
        "s/item.php: is served as /s/item.php, unchanged: expected s/item.jinja of a page template",
    ]


@pytest.mark.parametrize("name", ["App.toml", "app.tml", "APP.TOML", "ap.toml"])
def test_hint_of_settings_that_are_not_used(tmp_path: Path, name: str) -> None:
    app = make_app(tmp_path / "app", {name: "connections = 2", "index.html": "x", "s/App.toml": "x"})
    assert compile_application(app, tmp_path / "out").hints == (
        f"{app}/{name}: is served as /{name}, and none of its settings are used: expected the name app.toml",
    )


def test_hint_of_what_is_no_error_page(tmp_path: Path) -> None:
    files = {
        "418.html": "x",
        "404.html.jinja": "x",
        "404.c": generator(),
        "405.html": "x",
        "500.css": "x",
        "s/418.html": "x",
    }
    app = make_app(tmp_path / "app", files)
    assert [hint.removeprefix(f"{app}/") for hint in compile_application(app, tmp_path / "out").hints] == [
        "404.c: is served as a page, not with status 404: expected a plain file, 404.html",
        "404.html.jinja: is served as a page, not with status 404: expected a plain file, 404.html",
        "418.html: is served as a page: the engine has no status 418; 400, 404 and 500 are the usual ones",
    ]


def test_hint_of_a_redirect_to_nowhere(tmp_path: Path) -> None:
    targets = ("/", "/index.html", "/a%20b?x=1#y", "/no.html?x", "/add", "/kept")
    pages = {f"{at}.jinja": f'{{% redirect "{target}" %}}' for at, target in enumerate(targets)}
    files = {"index.html": "x", "a b": "x", "add.jinja": "x", "app.toml": "[stored.kept]\nsize = 4"}
    app = make_app(tmp_path / "app", pages | files)
    assert compile_application(app, tmp_path / "out").hints == (
        f'{app}/3.jinja: {{% redirect "/no.html?x" %}}: nothing is served there, clients get 404',
    )
