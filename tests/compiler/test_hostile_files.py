# SPDX-License-Identifier: MIT
"""Applications that others wrote: each file ends with one line, or with an image in which its text is data. Nothing is
read without end, written elsewhere or run."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.compiler.support import INCLUDES, generator, make_app
from whit.image.export import export
from whit.paths import ROOT

Maker = Callable[[Path], object]
MEMORY_MAX = 3 << 30
CALL = "static char get(struct result_t *result) { (void)result; return 1; }\n"
VALUE = '<result><value name="v" type="int8"/></result>'
DATABASE = '[database]\naddress = "10.0.0.9"\n'
NUL = "a\\u0000b"


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link(to: str) -> Maker:
    return lambda path: path.symlink_to(to)


def service(security: str = "") -> str:
    return generator(VALUE + f'<service name="a" as="soap"{security}/>', 'call="get"', CALL)


def pem(path: str) -> str:
    return f'[https]\ncertificate = "{path}"\nkey = "../key.pem"\n'


def keys(what: str, security: str) -> dict[str, str | Maker]:
    return {"app.toml": f"[keys.a]\n{what}\n", "s.c": service(f' security="{security}"')}


Files = Mapping[str, str | Maker]
# The files of the application, and the beginning of the error line; "": the build succeeds and the C is right.
CASES: dict[str, tuple[Files, str]] = {
    "settings: a pipe": ({"app.toml": pipe}, "app.toml: cannot be read: Not a file"),
    "settings: endless": ({"app.toml": link("/dev/zero")}, "app.toml: cannot be read: Not a file"),
    "settings: huge": ({"app.toml": "#" * (1 << 19)}, "app.toml: cannot be read: More than 262144 bytes"),
    "settings: deep": ({"app.toml": "a=" + "[" * 100_000}, "app.toml: not TOML that can be read"),
    "settings: a long key": ({"app.toml": "a" + ".a" * 50_000 + "=1"}, "app.toml:1: a key of many parts"),
    "settings: quoted parts": ({"app.toml": '"a"' + ' . "a"' * 9000 + "=1"}, "app.toml:1: a key of many parts"),
    "header: hidden pipe": ({".x/y.h": pipe}, ""),
    "header: a pipe": ({"y.h": pipe}, "y.h: neither file nor directory"),
    "header: elsewhere": ({"y.h": link("/etc/passwd")}, "y.h: a symbolic link to /etc/passwd, which is elsewhere"),
    "source: elsewhere": ({"y.c": link("/etc/passwd")}, "y.c: a symbolic link to /etc/passwd, which is elsewhere"),
    "template: elsewhere": ({"_y.html.jinja": link("/etc/passwd")}, "_y.html.jinja: a symbolic link to /etc/passwd"),
    "certificate: endless": ({"app.toml": pem("/dev/zero")}, "app.toml:2: /dev/zero: Not a file"),
    "certificate: a pipe": ({"app.toml": pem("../p"), "../p": pipe}, "app.toml:2: ../p: Not a file"),
    "certificate: not one": ({"app.toml": pem("/etc/passwd")}, "app.toml:2: /etc/passwd: "),
    "certificate: a directory": ({"app.toml": pem("/etc")}, "app.toml:2: /etc: Is a directory"),
    "certificate: NUL": ({"app.toml": pem(f"../{NUL}")}, "app.toml:2: https.certificate is '../a\\x00b': expected"),
    "certificate: nobody's": ({"app.toml": pem("~no-such-user/a")}, "app.toml:2: ~no-such-user/a: no such file"),
    "password: endless": ({"app.toml": f'{DATABASE}password = "file:/dev/zero"'}, "app.toml:3: /dev/zero: Not a file"),
    "password: a pipe": ({"app.toml": f'{DATABASE}password = "file:../p"', "../p": pipe}, "app.toml:3: ../p: Not a"),
    "password: NUL": ({"app.toml": f'{DATABASE}password = "file:{NUL}"'}, "app.toml:3: database.password is 'file:a"),
    "database: SQL": ({"app.toml": f'{DATABASE}database = "x`; DROP TABLE y"'}, "app.toml:3: database.database is 'x`"),
    "key: endless": (keys('password = "file:/dev/zero"', "digest"), "app.toml:2: /dev/zero: Not a file"),
    "key: NUL": (keys(f'password = "file:{NUL}"', "digest"), "app.toml:2: keys.a.password: 'a\\x00b'"),
    "signer: endless": (keys('certificate = "/dev/zero"', "signed"), "app.toml:2: /dev/zero: Not a file"),
    "signer: NUL": (keys(f'certificate = "{NUL}"', "signed"), "app.toml:2: keys.a.certificate: 'a\\x00b'"),
    "stored: above": ({"app.toml": '[stored."../../x"]\nsize = 9'}, "app.toml:1: stored '../../x': expected a path"),
    "stored: absolute": ({"app.toml": '[stored."/etc/x"]\nsize = 9'}, "app.toml:1: stored '/etc/x': expected a path"),
    "stored: a line": ({"app.toml": '[stored."a\\nb"]\nsize = 9'}, "app.toml:1: stored 'a\\nb': expected a path"),
    "stored: C": ({"app.toml": '[stored."a\\"*/b\\\\??/.png"]\nsize = 9'}, ""),
    "area: C": ({"app.toml": '[persistent."a;b"]\nx = { type = "int8" }'}, "app.toml:1: [persistent.a;b]: expected"),
    "default: C": ({"app.toml": '[persistent.a]\nx={type="str",size=20,default="\\"*/\\\\??/\\n"}'}, ""),
    "name: C, CMake, shell": ({"app.toml": 'name = "*/\\"\\\\$(touch RAN);${A}??/"'}, ""),
    "file: C": ({'a"b': "x", "c*": "x", "d\\": "x", "e??": "x", "$(touch RAN)": "x"}, ""),
    "file: a line": ({"a\n\x1b[2J": "x"}, "a\\n\\x1b[2J: the name is not plain ASCII"),
    "source: CMake": ({'a");execute_process(COMMAND touch "RAN.c': "int a;"}, 'a");execute_process(COMMAND touch'),
    "source: shell": ({"$(touch RAN).c": generator()}, "$(touch RAN).c: a C file's name: expected letters"),
    "template: C": ({"p.html.jinja": '<p>*/ ??/ \\ " {{ 1 }} ??/\n\\\n"; system("x"); //</p>{# */ x #}'}, ""),
    "template: above": ({"p.html.jinja": '{% include "../../etc/passwd" %}'}, "p.html.jinja:1: no template '../.."),
    "template: absolute": ({"p.html.jinja": '{% extends "/etc/passwd" %}'}, "p.html.jinja:1: no template '/etc"),
    "template: deep": ({"p.html.jinja": "{% if 1 %}" * 3000 + "{% endif %}" * 3000}, "p.html.jinja:1: tags"),
    "template: operators": ({"p.html.jinja": "<p>{{ 1" + " + 1" * 20_000 + " }}</p>"}, "p.html.jinja:1: tags, parenth"),
    "annotation: entities": (
        {"g.c": f'/* <generator><!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]></generator> */\n{CALL}'},
        "g.c:1: the <generator> element is not XML",
    ),
    "annotation: deep": (
        {"g.c": f"/* <generator>{'<args>' * 5000}{'</args>' * 5000}</generator> */\n"},
        "g.c:1: the <generator> element is not XML: Excessive depth",
    ),
    "annotation: a head": (
        {"g.c": generator('<properties content-type="a/b&#13;&#10;X: y"/>')},
        "g.c:3: content-type is 'a/b\\r\\nX: y': expected",
    ),
    "annotation: C": ({"g.c": generator(handlers='doGet="get; x()"')}, "g.c:2: doGet is 'get; x()': expected the name"),
}  # fmt: skip


def compiled(app: Path) -> subprocess.CompletedProcess[str]:
    """Compiles in a process of its own, which may take neither all memory nor all time."""
    return subprocess.run(
        [sys.executable, "-m", "whit.compiler", str(app), str(app.parent / "out")],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=app.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tools")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX)),
    )


@pytest.mark.parametrize("name", CASES)
def test_one_line_or_data(tmp_path: Path, name: str) -> None:
    files, expected = CASES[name]
    app = make_app(tmp_path / "app", {"index.html": "x"})
    for path, content in files.items():
        (app / path).parent.mkdir(exist_ok=True)
        (app / path).write_text(content) if isinstance(content, str) else content(app / path)
    before = {path.name for path in tmp_path.iterdir()}
    done = compiled(app)
    said = done.stderr.replace(f"{app}/", "").replace(f"{tmp_path}/", "../")
    assert {path.name for path in tmp_path.iterdir()} - before == (set() if expected else {"out"}), said
    if expected:
        assert done.returncode == 1 and said.count("\n") == 1 and said.startswith(expected), said
        return
    assert (done.returncode, said) == (0, "")
    out = tmp_path / "out"
    for source in out.glob("*.c"):
        flags = ["-std=c11", "-trigraphs", "-w", "-fsyntax-only", *INCLUDES, f"-I{out}", "-idirafter", str(app)]
        subprocess.run(["gcc", *flags, str(source)], check=True, capture_output=True)


@pytest.mark.parametrize("hidden", [False, True])
def test_directories_in_one_another(tmp_path: Path, hidden: bool) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    place = os.open(app, os.O_RDONLY)
    for name in (".d" if hidden else "d", *["d"] * 1200):
        os.mkdir(name, dir_fd=place)
        place, before = os.open(name, os.O_RDONLY, dir_fd=place), place
        os.close(before)
    os.close(os.open("x.h", os.O_CREAT, dir_fd=place))
    os.close(place)
    try:
        done = compiled(app)
    finally:
        subprocess.run(["rm", "-rf", str(app)], check=True)
    said = done.stderr
    assert said == "" if hidden else said.endswith("directories in one another: expected at most 100\n"), said
    assert said.count("\n") <= 1


def test_a_name_in_what_an_export_says(tmp_path: Path) -> None:
    """The name stays a string of JSON: PlatformIO starts programs that another member names."""
    name = 'x", "build": {"extraScript": "y.py"}, "z": "\\\\'
    toml = "name = '''" + name + "'''\n"
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": toml})
    library = export(str(app), tmp_path / "made", "platformio", overrides=None).directory / "library.json"
    said = json.loads(library.read_text())
    assert name in said["description"] and "z" not in said
