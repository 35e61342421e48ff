# SPDX-License-Identifier: MIT
"""Each mistake in docs/guide.md, made in the guide's applications, gives the guide's message."""

import re
import shutil
from pathlib import Path

import pytest

from tests.compiler.support import error_of
from whit.paths import ROOT

GUIDE = (ROOT / "docs" / "guide.md").read_text()
MISTAKES = {
    "local": ("samples/samples.c", "state->i", "i"),
    "line": ("samples/samples.c", "% 10);\n        PT_OUT_C", "% 10); PT_OUT_C"),
    "switch": ("samples/samples.c", "PT_OUT_C(pt, '.');", "switch (1) { default:\n            PT_OUT_C(pt, '.'); }"),
    "end": ("samples/samples.c", "    PT_END(pt);\n", "    return PT_DONE;\n"),
    "index": ("samples/samples_index.c", "volatile", "persistent"),
    "out": ("upload/picture.c", ' doPostOut="answer"', ""),
    "word": ("upload/picture.c", '"volatile"', '"fresh"'),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_message_is_in_the_guide(tmp_path: Path, mistake: str) -> None:
    place, right, wrong = MISTAKES[mistake]
    name, _, file = place.partition("/")
    app = Path(shutil.copytree(ROOT / "apps" / name, tmp_path / name))
    text = (app / file).read_text()
    assert right in text
    if mistake == "local":
        text = text.replace("    PT_BEGIN", "    uint32_t i = 0;\n    PT_BEGIN")
    (app / file).write_text(text.replace(right, wrong))
    said = error_of(app)
    message = re.fullmatch(rf"{re.escape(file)}:\d+: (.+)", said)
    assert message, said
    listed = re.findall(r"^\| `(.+?)` \|", GUIDE, re.MULTILINE)
    numberless = [re.sub(r"line \d+", "line N", one) for one in listed]
    assert re.sub(r"line \d+", "line N", message[1]) in numberless
