# SPDX-License-Identifier: MIT
"""tests/checks/words.py: one fault of each kind is found in a small tree, at its line; a clean tree passes."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from whit.paths import ROOT

LONG = " ".join(["word"] * 30) + " `code of two words`."
C = "// SPDX-License-Identifier: MIT\n"
HEAD = C + "\nint one;\n"  # the next line is the fourth
PYTHON = '# SPDX-License-Identifier: MIT\n"""A module."""\n\n'


def check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("words_check", ROOT / "tests" / "checks" / "words.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # the dataclasses look it up
    spec.loader.exec_module(module)
    for bounds in (module.OPENINGS_MOST, module.LONG_MOST, module.PRIVATE_MOST, module.OCTETS_MOST):
        bounds.update(dict.fromkeys(bounds, 0))
    return module


def tree(tmp: Path, place: str, text: str) -> Path:
    path = tmp / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    subprocess.run(["git", "init", "-q", tmp], check=True)
    subprocess.run(["git", "-C", tmp, "add", "."], check=True)
    return tmp


@pytest.mark.parametrize(
    ("place", "text", "expected"),
    [
        ("engine/a.c", HEAD + "// What it returns.\nint a;\n", '4: begins with "What": expected its subject'),
        ("engine/a.c", HEAD + "// of a peer\n", '4: begins with "of"'),
        ("engine/a.c", HEAD + "int b;    // Of a peer.\n", '4: begins with "Of"'),
        ("engine/a.c", HEAD + "int b;    // of a peer\n", '4: begins with "of"'),
        ("engine/a.c", HEAD + '/* Whether "//" ends it. */\n', '4: begins with "Whether"'),
        ("engine/a.c", HEAD + "// One.\n// Two\n\n// So it ends.\n", '7: begins with "So"'),
        ("tools/a.py", PYTHON + "# Those are left out.\n", '4: begins with "Those"'),
        ("tools/a.py", PYTHON + 'def f():\n    """How it ends."""\n', '5: begins with "How"'),
        ("tools/a.py", PYTHON + 'def f():\n    """Rests until then."""\n', '5: "Rests": not plain English'),
        ("lab/a.h", HEAD + f"// {LONG}\n", "4: \"word word word word word word ...\": 31 words, expected at most 30"),
        ("tools/a.py", PYTHON + f'def f():\n    """One.\n\n    {LONG}\n    """\n', '7: "word'),
        ("docs/a.md", f"# Title\n\nOne. {LONG}\n", '3: "word'),
        ("README.md", f"# Title\n\n- {LONG}\n", '3: "-'),
        ("engine/README.md", f"| one | two |\n|---|---|\n| a | {LONG} |\n", '3: "word'),
        ("engine/a.c", HEAD + "// True if there is\n// none. It is none\n", '4: "is none": not plain English'),
        ("docs/a.md", "The peer stands\nin vain.\n", '1: "in vain"'),
        ("tests/a.py", PYTHON + "x = 1  # comes again\n", '4: "comes again"'),
        ("README.md", "Two octets.\n", '1: "octets": expected "byte"'),
        ("tools/a.py", PYTHON + 'print("an octet")\n', '4: "octet"'),
    ],
)  # fmt: skip
def test_a_fault_is_found(
    place: str, text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check().main(tree(tmp_path, place, text), ()) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"{place}:{expected}") for line in lines), lines
    assert any(line.startswith("tests/checks/words.py: ") and "expected at most 0" in line for line in lines)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("engine/a.c", HEAD + 'int b;    // the peer\nint c;    // "of": Returns 1.\nchar *d = "// What";\n'),
        ("engine/a.c", HEAD + '// Inner, `told`, "is none", the rest of it, stands for.\n'),
        ("engine/a.c", HEAD + f"// An example:\n//     {LONG}\n"),
        ("engine/a.c", HEAD + "/* <generator>\nWhat\n</generator> */\n"),
        ("engine/a.c", HEAD + f"// {LONG.replace('word ', 'e.g. ', 1).replace('word ', 'one. ', 1)}\n"),
        ("tools/a.py", PYTHON + 'text = """\n// What\n# What is none\n"""\n'),
        ("tools/a.py", PYTHON + "x = 1  # noqa: E501\n# type: ignore\n# fmt: off\n"),
        ("docs/a.md", f"```\n{LONG} told\n```\n\n    {LONG} told\n\nAn octet of RFC 9293.\n"),
        ("docs/lab/a.md", f"Told in vain: {LONG}\n"),
        ("tests/compiler/golden/a.c", "// What is none.\n"),
        ("elsewhere/a.c", "// What is none.\n"),
    ],
)
def test_a_clean_tree_passes(place: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check().main(tree(tmp_path, place, text), ()) == 0
    assert capsys.readouterr().out == ""


def test_the_list_has_all_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = check()
    module.OPENINGS_MOST["C"] = module.PRIVATE_MOST["C"] = 100
    tree(tmp_path, "engine/a.c", HEAD + "// What is none.\n")
    assert module.main(tmp_path, ("--list",)) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert module.main(tmp_path, ("--counts",)) == 0
    assert "C engine: 1 of 1 comments begin without their subject" in capsys.readouterr().out
