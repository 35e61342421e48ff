# SPDX-License-Identifier: MIT
"""The output for a small application, octet by octet. When it is meant to change:
PYTHONPATH=tools python -m tests.compiler.test_golden
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.compiler.head_table import table_of
from tests.compiler.support import HERE, INCLUDES, WARNINGS, generator, make_app
from whit.compiler import compile_application
from whit.compiler.__main__ import main
from whit.paths import ROOT

APP = HERE / "golden" / "app"
OUT = HERE / "golden" / "out"
HEAD, TABLE = "whit_head.h", "whit_head.txt"


def contents(directory: Path) -> dict[str, str]:
    """Returns the files of an output. The table of head_table.py stands for whit_head.h."""
    texts = {path.name: path.read_text() for path in directory.iterdir()}
    if HEAD in texts:
        texts[TABLE] = table_of(texts.pop(HEAD))
    return dict(sorted(texts.items()))


def test_golden(tmp_path: Path) -> None:
    compile_application(APP, tmp_path)
    found, expected = contents(tmp_path), contents(OUT)
    assert list(found) == list(expected)
    for name, text in expected.items():
        assert found[name] == text, name


def test_elsewhere_and_in_another_order_of_files(tmp_path: Path) -> None:
    there = tmp_path / "some" / "where else"
    there.mkdir(parents=True)
    for path in sorted(APP.iterdir(), reverse=True):
        shutil.copy(path, there / path.name)
    environment = os.environ | {"PYTHONHASHSEED": "12345", "PYTHONPATH": str(ROOT / "tools"), "TZ": "Asia/Tokyo"}
    command = [sys.executable, "-m", "whit.compiler", "where else", "out"]
    subprocess.run(command, cwd=there.parent, env=environment, check=True)
    assert contents(there.parent / "out") == contents(OUT)


def test_what_does_not_change_keeps_its_time(tmp_path: Path) -> None:
    app = tmp_path / "app"
    shutil.copytree(APP, app)
    compile_application(app, tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        os.utime(path, (1, 1))
    with open(app / "index.html", "a") as file:
        file.write("<!-- changed -->\n")
    compile_application(app, tmp_path / "out")
    changed = {path.name for path in (tmp_path / "out").iterdir() if path.stat().st_mtime != 1}
    assert changed == {"whit_tables.c", "app.json"}


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    for path in (*OUT.glob("*.c"), *APP.glob("lamp_driver.c")):
        command = [
            "gcc",
            *WARNINGS,
            "-Wconversion",
            *INCLUDES,
            f"-I{OUT}",
            f"-I{APP}",
            "-c",
            str(path),
            "-o",
            str(tmp_path / "o"),
        ]
        subprocess.run(command, check=True)


def test_the_description(tmp_path: Path) -> None:
    application = compile_application(APP, tmp_path)
    described = json.loads((tmp_path / "app.json").read_text())
    assert [one["urls"] for one in described["resources"]] == [["/", "/index.html"], ["/lamp"], ["/log"]]
    page, lamp, _ = application.resources
    assert [[one["name"] for one in resource["strategies"]] for resource in described["resources"]] == [
        ["S0 pre-processed"],
        ["S1 kept until acknowledged"],
        ["S4 from rerun points, S3 if a run is expensive", "S1 kept until acknowledged"],
    ]
    identity = page.representations[0]
    response = b"HTTP/1.1 200 \r\n" + identity.head.octets + (APP / "index.html").read_bytes()
    assert identity.wire_len == len(response) == described["resources"][0]["representations"][0]["wire"]
    assert described["resources"][1]["representations"] == [
        {"coding": "identity", "head": len(b"HTTP/1.1 200 \r\n" + lamp.representations[0].head.octets),
         "body": None, "wire": None}
    ]  # fmt: skip


def test_command_line(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main([str(APP), str(out), "--set", "connections=2", "--set", "link.local=true"]) == 0
    page = (out / "whit_limits.h").read_text()
    assert "#define WHIT_CONNECTIONS 2 " in page
    assert "#define WHIT_LINK_LOCAL 1 " in page


def test_command_line_error(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"x.c": generator("<oops/>")})
    command = [sys.executable, "-m", "whit.compiler", str(app), str(tmp_path / "out")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{app}/x.c:3: <generator> has no element <oops>: expected handlers,")
    assert done.stderr.count("\n") == 1


def renew() -> None:
    """Writes the output anew."""
    shutil.rmtree(OUT)
    compile_application(APP, OUT)
    (OUT / TABLE).write_text(contents(OUT)[TABLE])
    (OUT / HEAD).unlink()


if __name__ == "__main__":
    renew()
