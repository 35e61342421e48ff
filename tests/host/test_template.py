# SPDX-License-Identifier: MIT
"""The templates of ports and drivers compile, and link to an image."""

import shutil
import subprocess
from pathlib import Path

import pytest

from whit.compiler import compile_application

from .conftest import ROOT

TEMPLATE = ROOT / "ports" / "template"


def run(*command: object) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize(
    "source", [*sorted(TEMPLATE.glob("*.c")), ROOT / "drivers" / "template.c"], ids=lambda p: p.name
)
def test_compiles_without_a_warning(tmp_path: Path, contacts: Path, source: Path) -> None:
    """The template compiles on machines with 64-bit pointers too."""
    compile_application(contacts, tmp_path)
    places = (ROOT / "include", tmp_path, ROOT / "ports" / "flat", ROOT / "ports" / "common", TEMPLATE)
    include = [word for place in places for word in ("-I", place)]
    run("gcc", "-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Werror", *include, "-c", source, "-o", tmp_path / "x.o")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="gcc-arm-none-eabi is not installed")
@pytest.mark.parametrize("app", ["contacts", "plain"])
def test_links(tmp_path: Path, app: str) -> None:
    """A board outside the list of targets is built by hand, as docs/porting.md describes."""
    generated = tmp_path / "generated"
    compile_application(ROOT / "apps" / app, generated)
    variables = {
        "CMAKE_TOOLCHAIN_FILE": TEMPLATE / "toolchain.cmake",
        "WHIT_PORT": "template",
        "WHIT_GENERATED": generated,
        "WHIT_APP_DIR": ROOT / "apps" / app,
        "WHIT_OPTIMIZE": "-Os",
    }
    words = [f"-D{name}={value}" for name, value in variables.items()]
    run("cmake", "-S", ROOT, "-B", tmp_path / "made", "-G", "Ninja", *words)
    said = run("ninja", "-C", tmp_path / "made")
    assert "warning" not in said, said
    symbols = run("arm-none-eabi-nm", tmp_path / "made" / "whit-app.elf")
    assert " T whit_tick" in symbols and " whit_stack_bottom" in symbols and " whit_stack_top" in symbols
    assert (tmp_path / "made" / "whit-app.bin").stat().st_size > 4_000
