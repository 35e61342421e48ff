# SPDX-License-Identifier: MIT
"""The faults of `whit test --mutants`: where they are, that each is one change, and that a seed draws the same."""

import ast

import pytest
from whit.commands.mutants import c_faults, python_faults
from whit.commands.mutants.concern import tests_of as concerned
from whit.commands.mutants.run import all_faults, draw
from whit.errors import WhitError
from whit.paths import ROOT

C = """#define LIMIT 4 < 5
static const int table[] = {1, 2};

// a comment: a < b && c
int f(int a, const char *text)
{
    int left = 3;
    if (a < 10 && text[0] == '<')
        left = left - 1;
    count(left);
    return true;
}
"""
PYTHON = '''def f(a: int) -> bool:
    """a < b"""
    if a < 10 and a != 3:
        raise ValueError(f"{a - 1}")
    return True
'''


def test_faults_of_c() -> None:
    found = {(fault.line, fault.kind, fault.before, fault.after) for fault in c_faults.faults("f.c", C)}
    assert (8, "comparison", "<", "<=") in found
    assert (8, "comparison", "==", "!=") in found
    assert (8, "logic", "&&", "||") in found
    assert (8, "number", "10", "11") in found
    assert (9, "sign", "-", "+") in found
    assert (9, "statement", "left = left - 1", "") in found
    assert (10, "statement", "count(left)", "") in found
    assert any(line == 8 and kind == "condition" and after.startswith("!(a < 10") for line, kind, _, after in found)
    assert all(line >= 7 for line, *_ in found)  # no comment, no macro, no table


def test_faults_of_python() -> None:
    faults = list(python_faults.faults("f.py", PYTHON))
    found = {(fault.line, fault.kind) for fault in faults}
    assert found >= {(3, "comparison"), (3, "logic"), (3, "condition"), (3, "number"), (4, "statement"), (5, "truth")}
    for fault in faults:
        assert ast.dump(ast.parse(fault.applied(PYTHON))) != ast.dump(ast.parse(PYTHON)), fault


def test_each_is_one_change_of_the_tree() -> None:
    texts: dict[str, str] = {}
    for fault in all_faults():
        text = texts.setdefault(fault.file, (ROOT / fault.file).read_text())
        assert text[fault.start : fault.end] == fault.before != fault.after
        assert text.count("\n", 0, fault.start) + 1 == fault.line
    assert len(texts) > 40


def test_a_seed_draws_the_same() -> None:
    assert draw(30, 5) == draw(30, 5) != draw(30, 6)
    with pytest.raises(WhitError, match="expected at most"):
        draw(10**6, 1)


def test_every_file_has_tests() -> None:
    for file in {fault.file for fault in all_faults()}:
        assert all((ROOT / name).exists() for name in concerned(file)), file
