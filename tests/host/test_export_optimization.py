# SPDX-License-Identifier: MIT
"""The output of `./whit export` links as part of a project, with and without optimisation."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from whit.image.left_out import definitions, left_out

from .conftest import ROOT, Start, body, get
from .test_export import exported, run

FLAGS = ("-O0", "-O0 -flto", "-Og", "-O2 -flto")
SOURCE = """\
static bool nobodys(int one)
{
    return other(one);
}
#if WHIT_ONE
uint8_t *pointer(void) { return NULL; }
#else
bool otherwise(const struct thing *one,
               int two)
{
#ifdef WHIT_TWO
    calls(two);
#endif
}
#endif
__attribute__((noinline)) uint16_t always(uint8_t len)
{
}
void declared(void);
"""
CALLER = """\
extern const struct row table[] WHIT_FLASH;
extern uint8_t here[LEN];
uint8_t here[LEN];
void asker(int one) { pointer(); absent(); }
"""


def test_what_is_there_under_which_conditions() -> None:
    assert definitions(SOURCE) == {
        "pointer": ["(WHIT_ONE)"],
        "otherwise": ["!((WHIT_ONE))"],
        "always": ["1"],
    }


def test_only_what_is_called_and_not_there(tmp_path: Path) -> None:
    """The engine's functions get no second definition, and functions without a caller get none."""
    (tmp_path / "there.c").write_text(SOURCE)
    (tmp_path / "caller.c").write_text(CALLER)
    (tmp_path / "without.c").write_text(
        "void absent(void)\n{\n}\nvoid unasked(void) { }\nuint16_t always(void)\n{\n}\n"
    )
    text = left_out([tmp_path / "without.c"], [tmp_path / "there.c", tmp_path / "caller.c"], [])
    assert "void absent(void) { never(); }" in text and "#if !((WHIT_ONE))\nvoid pointer(void);" in text
    assert "const char table[1];" in text
    assert not [name for name in ("unasked", "always", "here", "nobodys", "asker") if f" {name}" in text]


def built(package: Path, compiler: str, flags: str) -> Path:
    """The program. Debug builds of CMake are -g without a level."""
    if shutil.which(compiler) is None or (compiler == "clang" and shutil.which("ld.lld") is None):
        pytest.skip(f"{compiler} with its linker is not installed")
    made = package / "made"
    linker = "-fuse-ld=lld" if compiler == "clang" else ""
    words = [
        f"-DCMAKE_C_COMPILER={compiler}",
        f"-DCMAKE_C_FLAGS=-Wall -Wextra -Werror {flags}",
        f"-DCMAKE_EXE_LINKER_FLAGS={linker}",
    ]
    run("cmake", "-S", package, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", *words)
    assert "warning: type" not in run("ninja", "-C", made)
    (program,) = made.glob("whit-*[!.]")
    return program


def defined(file: Path) -> set[str]:
    said = subprocess.run(["nm", "--defined-only", file], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in said.splitlines() if line.split()[-2] in "Tt"}


def stands_in(program: Path) -> set[str]:
    """Returns the names of left_out.c that the program contains. Its object has machine code, even under link-time
    optimisation."""
    (left_out,) = program.parent.rglob("left_out.c.o")
    names = defined(left_out)
    assert len(names) > 20
    return names & defined(program)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield exported(ROOT / "apps" / "contacts", tmp_path_factory.mktemp("export") / "contacts")


@pytest.mark.slow
@pytest.mark.xdist_group("export-optimization")
@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_it_links(package: Path, compiler: str, flags: str) -> None:
    """An optimised program contains none of the omitted functions."""
    shutil.rmtree(package / "made", ignore_errors=True)
    assert bool(stands_in(built(package, compiler, flags))) == ("-O0" in flags)


@pytest.mark.slow
@pytest.mark.parametrize("app", ["apps/services", "apps/upload", "tests/apps/records", "tests/apps/client"])
def test_other_parts_link_too(app: str, tmp_path: Path) -> None:
    assert stands_in(built(exported(ROOT / app, tmp_path / "package"), "gcc", "-g -w"))


@pytest.mark.slow
def test_it_serves_without_optimisation(contacts: Path, tmp_path: Path, start: Start, port: int) -> None:
    program = built(exported(contacts, tmp_path / "package"), "gcc", "-g")
    start(program, "--port", port, "--data", tmp_path / "data.bin").read_until("ready")
    assert body(get(port, "/style.css")) == (contacts / "style.css").read_bytes()
    assert body(get(port, "/cb_add?name=Ada")) == b'{"id":0}'
