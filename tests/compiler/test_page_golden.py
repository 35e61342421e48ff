# SPDX-License-Identifier: MIT
"""The C of a page template, octet by octet. When it is meant to change: WHIT_GOLDEN=1 with this test writes it."""

import os
from pathlib import Path

from tests.compiler.support import HERE
from whit.compiler import c_source, protothread
from whit.compiler.pages import compile_page

APP = HERE / "golden" / "pages"
EXPECTED = APP / "page_list_html.h"


def test_golden() -> None:
    compiled = compile_page(APP, "list.html.jinja")
    if os.environ.get("WHIT_GOLDEN"):
        EXPECTED.write_text(compiled.code)
    assert compiled.code == EXPECTED.read_text()
    assert compiled.generator.answers[0].status == 404
    (statement,) = compiled.statements
    assert statement.name == "page_list_html_1"
    assert statement.sql == "SELECT id, name AS title, picture FROM item WHERE name = ? LIMIT ?, 10"
    assert (Path(str(statement.place.file)).name, statement.place.line) == ("list.html.jinja", 11)


def test_it_is_a_sound_protothread() -> None:
    """The checks that an author's C gets."""
    protothread.check("page", c_source.read("page", EXPECTED.read_text()))


def test_it_does_not_name_the_directory() -> None:
    assert str(APP) not in compile_page(APP, "list.html.jinja").code
