# SPDX-License-Identifier: MIT
"""A hint where a plain function writes more constant text than the shared buffer holds."""

from pathlib import Path

import pytest

from whit.compiler import compile_application

HEAD = """/* <generator>
     <handlers doGet="say"/>
     <properties persistence="{persistence}"/>
   </generator> */
#include <whit/app.h>

static char say(struct args_t *args)
{{
    (void)args;
    {body}
    return 1;
}}
"""
TWICE = 'out_str("{text}\\n\\x41\\\\");\n    out_flash("{text}"\n "{text}");'


def hints(tmp_path: Path, persistence: str, body: str, toml: str = "") -> list[str]:
    app = tmp_path / "app"
    app.mkdir()
    (app / "say.c").write_text(HEAD.format(persistence=persistence, body=body))
    (app / "app.toml").write_text(toml)
    return [hint.removeprefix(str(app)) for hint in compile_application(app, tmp_path / "out").hints]


@pytest.mark.parametrize(
    ("persistence", "toml", "room", "enough"),
    [
        ("volatile", "", 380, 814),
        ("persistent", "", 256, 1214),
        ("persistent", "connections = 1\n", 508, 611),
        ("volatile", "buffer = 600\n", 446, 814),
    ],
)
def test_what_surely_does_not_fit(tmp_path: Path, persistence: str, toml: str, room: int, enough: int) -> None:
    body = TWICE.replace("{text}", "x" * 201)
    found = hints(tmp_path, persistence, body + '\n    out_str("y");', toml)
    assert found == [
        f"/say.c:1: say writes 607 bytes of text, and the buffer has room for {room}: clients get 500; "
        f"set buffer = {enough} in app.toml, or make it a protothread"
    ]


@pytest.mark.parametrize(
    ("persistence", "body"),
    [
        ("idempotent", f'out_str("{"x" * 900}");'),
        ("volatile", f'out_str("{"x" * 380}");'),
        ("volatile", f'if (args)\n        out_str("{"x" * 300}");\n    else\n        out_str("{"x" * 300}");'),
        ("volatile", f'for (int i = 0; i < 0; i++) {{ out_str("{"x" * 300}"); out_str("{"x" * 300}"); }}'),
        ("volatile", f'/* out_str("{"x" * 900}"); */'),
    ],
)
def test_what_may_fit(tmp_path: Path, persistence: str, body: str) -> None:
    assert not [hint for hint in hints(tmp_path, persistence, body) if "octets of text" in hint]
