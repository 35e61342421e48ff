# SPDX-License-Identifier: MIT
"""`./whit export`: its output is complete, and builds and serves outside of the tree."""

import json
import os
import re
import shutil
import subprocess
from glob import glob
from pathlib import Path

import pytest

from whit.errors import WhitError
from whit.image.build import build
from whit.image.export import export
from whit.machines.emulator import build_machine
from whit.setup.version import version

from .conftest import ROOT, Start, body, get, whit

OUTSIDE = Path(__file__).parent / "outside"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
FORMATS = ("cmake", "arduino")


def run(*command: object, cwd: Path | None = None) -> str:
    """Returns the command's output. Fails if the command fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280)
    assert done.returncode == 0, done.stdout
    return done.stdout


def exported(app: Path, to: Path, form: str = "cmake", link: str | None = None, **overrides: object) -> Path:
    to.parent.mkdir(exist_ok=True)
    return export(str(app), to, form, link=link, overrides=overrides).directory


def test_a_password_is_for_the_eyes_of_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sources contain the password. An export without one is readable by all, without a warning."""
    monkeypatch.setenv("WHIT_DATABASE_PASSWORD", "secret")
    command = [str(ROOT / "whit"), "export", "--format", "cmake"]
    held = run(*command, str(ROOT / "apps" / "catalogue"), tmp_path / "held", "--set", "database.address=10.0.2.2")
    assert "It holds the password of the database: only you may read the directory." in held
    assert (tmp_path / "held").stat().st_mode & 0o777 == 0o700
    plain = run(*command, str(ROOT / "apps" / "contacts"), tmp_path / "plain")
    assert plain == f"{tmp_path / 'plain'}\n"
    assert (tmp_path / "plain").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("app", sorted(path.parent.name for path in (ROOT / "apps").glob("*/app.toml")))
def test_names_are_found_and_clash_nowhere(tmp_path: Path, app: str, form: str) -> None:
    """File names are unique even for the poorest build system. There, quotes mean the same directory or src/, and all
    objects share one place."""
    if (app, form) in (("upload", "arduino"), ("catalogue", "arduino")):
        pytest.skip("needs more memory than an ATmega has")
    src = exported(ROOT / "apps" / app, tmp_path / "out", form) / "src"
    stems = [path.stem for path in src.rglob("*.c")]
    assert len(stems) == len(set(stems))
    hidden = {"limits.h", "stddef.h", "stdint.h", "string.h", "stdbool.h"}
    assert not hidden & {path.name for path in src.glob("*.h")}
    for path in [*src.rglob("*.[ch]"), *src.rglob("*.inc")]:
        for quote, name in INCLUDE.findall(path.read_text()):
            beside = quote == '"' and (path.parent / name).exists()
            ours = (src / name).exists()
            assert beside or ours or quote == "<", f"{path.relative_to(src)} includes {name}"
        assert str(ROOT) not in path.read_text()


def test_engine_is_what_the_build_compiles(tmp_path: Path, counter: Path) -> None:
    for link, connections in (("ethernet", 2), ("slip", 100)):
        overrides: dict[str, object] = {"connections": connections}
        made = build(counter, target="inprocess", link=link, overrides=overrides)
        (unit,) = made.directory.rglob("unity_*_c.c")  # which includes the files of the engine
        compiled = {Path(file).name for file in re.findall(rf'#include "({ROOT}/engine/[^"]+)"', unit.read_text())}
        directory = exported(counter, tmp_path / link, link=link, **overrides)
        assert {path.name for path in (directory / "src" / "engine").rglob("*.c")} == compiled


def test_files_of_the_application_move_with_their_includes(tmp_path: Path) -> None:
    """A helper with a name of the engine, headers from the root and from beside, and content that is not source."""
    app = tmp_path / "odd"
    (app / "sub").mkdir(parents=True)
    (app / "index.html").write_text("<!doctype html>")
    (app / "root.h").write_text("#define ROOT_H 1\n")
    (app / "sub" / "near.h").write_text("#include <root.h>\n#define NEAR ROOT_H\n")
    (app / "body.c").write_text('#include "sub/near.h"\nint help(void);\nint help(void) { return NEAR; }\n')
    (app / "sub" / "say.c").write_text(
        '/* <generator><handlers doGet="say"/>\n'
        '   <properties persistence="volatile" content-type="text/plain"/></generator> */\n'
        '#include "near.h"\n#include <root.h>\n#include "whit/app.h"\nint help(void);\n'
        "static char say(struct args_t *args) { (void)args; out_uint(NEAR + help()); return 1; }\n"
    )
    directory = exported(app, tmp_path / "out")
    ours = directory / "src" / "application"
    assert sorted(str(path.relative_to(ours)) for path in ours.rglob("*.*")) == [
        "app_body.c", "root.h", "sub/near.h", "sub/say.inc",
    ]  # fmt: skip
    for source in (ours / "app_body.c", *(directory / "src" / "generated").glob("*.c")):
        run("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", directory / "src", "-fsyntax-only", source)


def test_mistakes_are_told_in_one_line(tmp_path: Path, counter: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine").write_text("stays")
    (tmp_path / "file").write_text("")
    for directory, options, expected in (
        (full, ["--format", "cmake"], "not an empty directory"),
        (tmp_path / "file", ["--format", "cmake"], "not an empty directory"),
        (tmp_path / "no" / "such", ["--format", "cmake"], "a place that is there"),
        (counter / "out", ["--format", "cmake"], "part of the application"),
        (tmp_path / "new", ["--format", "meson"], "expected one of cmake"),
        (tmp_path / "new", ["--format", "cmake", "--link", "wire"], "expected one of ethernet, slip"),
        (tmp_path / "new", [], "--format"),
    ):
        done = whit("export", counter, directory, *options, cwd=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and expected in done.stderr, done.stderr
    assert [path.name for path in full.iterdir()] == ["mine"]


def test_nothing_is_left_half_written(tmp_path: Path, counter: Path) -> None:
    (counter / "count.c").write_text("/* <generator> */\n")
    with pytest.raises(WhitError, match=r"count\.c:1"):
        exported(counter, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["counter"]


def test_empty_directory_is_filled(tmp_path: Path, counter: Path) -> None:
    (tmp_path / "new").mkdir()
    done = whit("export", counter, "new", "--format", "cmake", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == f"{(tmp_path / 'new').resolve()}\n"
    assert (tmp_path / "new" / "whit.cmake").exists()


def configured(tmp_path: Path, *variables: str) -> Path:
    """The program of the outside project, built."""
    shutil.copytree(OUTSIDE, tmp_path / "thing")
    made = tmp_path / "thing-build"
    common = ("-G", "Ninja", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror -O1", f"-DWHIT_DRIVERS={ROOT / 'drivers'}")
    run("cmake", "-S", tmp_path / "thing", "-B", made, *common, *variables)
    run("ninja", "-C", made)
    return made / "thing"


@pytest.mark.slow
@pytest.mark.parametrize("by", ["directory", "fetch", "package", "installed"])
def test_cmake_package_serves(tmp_path: Path, contacts: Path, start: Start, port: int, by: str) -> None:
    """Files, generators and persistent memory, asked for by curl, from a program that took the package that way."""
    package = exported(contacts, tmp_path / "package")
    variables = [f"-DWHIT_BY={by}", f"-DWHIT_EXPORTED={package}"]
    if by == "package":
        variables.append(f"-DWhit_DIR={package}")
    if by == "installed":
        run("cmake", "-S", package, "-B", tmp_path / "b", "-G", "Ninja")
        run("cmake", "--build", tmp_path / "b")
        run("cmake", "--install", tmp_path / "b", "--prefix", tmp_path / "usr")
        variables.append(f"-DCMAKE_PREFIX_PATH={tmp_path / 'usr'}")
        shutil.rmtree(package)
    start(configured(tmp_path, *variables), port).read_until("ready")
    assert body(get(port, "/style.css")) == (contacts / "style.css").read_bytes()
    url = f"http://127.0.0.1:{port}"
    assert json.loads(run("curl", "-sS", "--fail", f"{url}/cb_add?name=Ada")) == {"id": 0}
    assert json.loads(run("curl", "-sS", "--fail", f"{url}/cb_extract")) == [{"id": 0, "name": "Ada"}]


@pytest.mark.slow
def test_cmake_package_is_a_program(tmp_path: Path, contacts: Path, start: Start, port: int) -> None:
    """The commands of its README make a program that answers, with a file as persistent memory."""
    package = exported(contacts, tmp_path / "package")
    readme = (package / "README.md").read_text()
    configure, serve = re.findall(r"^    (cmake -B build && .*)\n    (\S+) --port 8080$", readme, re.MULTILINE)[0]
    run("sh", "-c", configure, cwd=package)
    start(package / serve, "--port", port, cwd=package).read_until("ready")
    url = f"http://127.0.0.1:{port}"
    assert body(get(port, "/style.css")) == (contacts / "style.css").read_bytes()
    assert json.loads(run("curl", "-sS", "--fail", f"{url}/cb_add?name=Ada")) == {"id": 0}
    assert b"Ada" in (package / "persistent.bin").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed")
@pytest.mark.parametrize("app", ["contacts", "upload"])
def test_cmake_package_has_a_board_to_start_from(tmp_path: Path, app: str) -> None:
    """The package links unchanged for each application, and the README names every file to change."""
    package = exported(ROOT / "apps" / app, tmp_path / "package")
    readme = (package / "README.md").read_text()
    (command,) = re.findall(r"^    (cmake -B build-board .*)$", readme, re.MULTILINE)
    assert "warning" not in run("sh", "-c", command, cwd=package)
    assert (package / "build-board" / f"whit-{app}.elf").read_bytes().startswith(b"\x7fELF")
    named = {Path(name).name for name in re.findall(r"`board/(\S+)`", readme)}
    template = {path.name for path in (ROOT / "ports" / "template").iterdir()} - {"port.cmake"}
    assert named == template | {"template.c"}


def test_cmake_package_wants_c(tmp_path: Path, counter: Path) -> None:
    package = exported(counter, tmp_path / "package")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(thing LANGUAGES NONE)\nfind_package(Whit REQUIRED)\n"
    )
    words = ["cmake", "-S", str(tmp_path), "-B", str(tmp_path / "b"), f"-DWhit_DIR={package}"]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
    assert done.returncode != 0 and "expected a project with the language C" in done.stderr


HARDWARE = Path("/usr/share/arduino/hardware")
arduino = pytest.mark.skipif(
    not all(map(shutil.which, ("arduino-builder", "avr-gcc"))) or not (HARDWARE / "arduino" / "avr").is_dir(),
    reason="arduino-builder, arduino-core-avr or gcc-avr is not installed",
)


def built_sketch(tmp_path: Path, library: Path, board: str = "bench:avr:atmega1284p") -> tuple[Path, str]:
    """Returns the ELF file of the library's example, and the compiler's messages about our files, with all warnings."""
    (example,) = (library / "examples").iterdir()
    made = tmp_path / "made"
    made.mkdir()
    bench = Path(__file__).parent / "arduino"
    hardware = [word for place in (HARDWARE, "/usr/share/arduino-builder", bench) for word in ("-hardware", place)]
    options = ("-tools", "/usr/bin", "-libraries", library.parent, "-fqbn", board, "-warnings", "all")
    sketch = shutil.copytree(example, tmp_path / example.name) / f"{example.name}.ino"
    said = run("arduino-builder", "-compile", *hardware, *options, "-build-path", made, sketch)
    ours = [line for line in said.splitlines() if "warning" in line and str(HARDWARE) not in line]
    return made / f"{sketch.name}.elf", "\n".join(ours)


@arduino
@pytest.mark.slow
@pytest.mark.parametrize("app", ["contacts", "samples"])
def test_example_sketch_compiles(tmp_path: Path, app: str) -> None:
    """The sketch compiles with the Arduino core for an ATmega1284P, by the compiler of Arduino's editor."""
    library = exported(ROOT / "apps" / app, tmp_path / "libraries" / "mine", "arduino")
    elf, warnings = built_sketch(tmp_path, library)
    assert warnings == ""
    assert elf.exists()


@arduino
@pytest.mark.slow
@pytest.mark.skipif(not glob("/usr/include/simavr/sim_avr.h"), reason="libsimavr-dev is not installed")
def test_example_sketch_serves(tmp_path: Path, contacts: Path, start: Start, port: int) -> None:
    """The sketch serves in an emulated ATmega1284P over its UART, and its stored data survives a power cycle. The line
    has no flow control: the client must not send more than the core and the sketch can buffer."""
    library = exported(contacts, tmp_path / "libraries" / "mine", "arduino")
    elf, _ = built_sketch(tmp_path, library)
    words = (build_machine("avr"), "--port", port, "--data", tmp_path / "eeprom", elf)
    url = f"http://127.0.0.1:{port}"
    running = start(*words)
    running.read_until("ready")
    assert json.loads(run("curl", "-sS", "--fail", f"{url}/cb_add?name=Ada")) == {"id": 0}
    assert get(port, "/logo.png").endswith((contacts / "logo.png").read_bytes())
    running.end()
    start(*words).read_until("ready")
    assert json.loads(run("curl", "-sS", "--fail", f"{url}/cb_extract")) == [{"id": 0, "name": "Ada"}]


@arduino
@pytest.mark.slow
def test_library_with_ethernet_compiles(tmp_path: Path, counter: Path) -> None:
    """The example contains the template of a driver."""
    library = exported(counter, tmp_path / "libraries" / "mine", "platformio", link="ethernet")
    (example,) = (library / "examples").iterdir()
    assert "avr" not in "".join(path.read_text().lower() for path in example.iterdir())
    _, warnings = built_sketch(tmp_path, library)
    assert warnings == ""


@pytest.mark.parametrize(("link", "boards"), [("slip", ("avr", "atmelavr")), ("ethernet", ("*", "*"))])
def test_manifests_name_what_is_there(tmp_path: Path, contacts: Path, link: str, boards: tuple[str, str]) -> None:
    """Manifests name the files that exist, and restrict an ATmega's library to its boards."""
    library = exported(contacts, tmp_path / "out", "platformio", link=link)
    manifest = json.loads((library / "library.json").read_text())
    (example,) = manifest["examples"]
    there = library / example["base"]
    assert sorted(example["files"]) == sorted(path.name for path in there.iterdir())
    assert f"{there.name}.ino" in example["files"]
    assert (library / manifest["build"]["srcDir"] / manifest["headers"]).exists()
    properties = dict(line.split("=", 1) for line in (library / "library.properties").read_text().splitlines())
    assert properties["name"] == manifest["name"] and properties["includes"] == manifest["headers"]
    assert (properties["architectures"], manifest["platforms"]) == boards
    assert (properties["version"], manifest["version"]) == (version(), version())
