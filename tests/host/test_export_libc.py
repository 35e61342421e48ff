# SPDX-License-Identifier: MIT
"""An exported application calls no function that its board lacks: the compiler that builds it reports such calls."""

import subprocess
from pathlib import Path

import pytest

from tests.compiler.support import make_app
from whit.image.export import export

SAY = """\
/* <generator><handlers doGet="say"/></generator> */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <whit/app.h>

static char say(struct args_t *args)
{
    char text[9];
    memset(text, (int)sizeof args, sizeof text);
    CALL;
    out_c(text[0]);
    return 1;
}
"""
CALLS = {
    "puts(text)": ("a server has no standard output", "a server has no standard output"),
    "fputs(text, stderr)": ("", "a device has no files"),
    "snprintf(text, 9, text)": ("", "a device has no formats"),
    "out_str(malloc(2))": ("", "a device has no heap"),
    "text[1] = 0": ("", ""),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("level", ["-O0", "-Os"])
def test_calls_of_what_is_not_there(tmp_path: Path, call: str, level: str) -> None:
    app = make_app(tmp_path / "app", {"app.toml": "", "say.c": SAY.replace("CALL", call)})
    src = export(str(app), tmp_path / "out", "cmake", overrides=None).directory / "src"
    for board, expected in zip(((), ("-DWHIT_IS_DEVICE=1",)), CALLS[call], strict=True):
        command = ["gcc", "-std=c11", level, *board, f"-I{src}", "-c", "-o", str(tmp_path / "o"), "-w"]
        done = subprocess.run([*command, str(src / "generated" / "generator_say.c")], capture_output=True, text=True)
        assert (done.returncode != 0) == bool(expected), done.stderr
        assert expected in done.stderr
