# SPDX-License-Identifier: MIT
"""The faults of `whit test --mutants`: their places, one change each, the same draw for a seed, and the fate of
some."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from whit.errors import WhitError
from whit.image.build import build
from whit.paths import ROOT
from whit_lab.mutants import c_faults, objects, python_faults, reach
from whit_lab.mutants.run import _equivalents, _key_of, all_faults, draw
from whit_lab.mutants.switches import with_switches
from whit_lab.mutants.trials import COMPILER_TESTS, ENGINE_TESTS, TRIAL_S, Verdict, _hows, _judged, runs_sanitized

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


def test_places_are_asked_for() -> None:
    found = {fault.file for fault in draw(400, 1, ["engine/wss/", "database/packet.c"])}
    assert "database/packet.c" in found and {name.rsplit("/", 1)[0] for name in found} == {"engine/wss", "database"}
    first = next(all_faults())
    of_a_line = draw(10**6, 1, [f"{first.file}:{first.line}"])
    assert first in of_a_line and {fault.line for fault in of_a_line} == {first.line}
    with pytest.raises(WhitError, match="--in engine/tc: expected a file, a folder or FILE:LINE"):
        draw(1, 1, ["engine/tc"])


def test_there_are_tests() -> None:
    assert all((ROOT / name).exists() for stage in (ENGINE_TESTS, *COMPILER_TESTS) for name in stage)


def test_those_under_sanitizers_are_those_of_all_tests() -> None:
    """https is no part of http: one of its tests reads all memory, which a sanitizer ends."""
    assert runs_sanitized("tests/http/test_log.py") and runs_sanitized("tests/database/test_kept.py")
    assert not runs_sanitized("tests/https/test_wiped.py") and not runs_sanitized("tests/database/test_terse.py")


def test_every_file_bears_a_switch() -> None:
    """The first possible fault of each file, with its switch, compiles."""
    for path in [path for folder in ("database", "engine") for path in sorted((ROOT / folder).rglob("*.c"))]:
        text, file = path.read_text(), str(path.relative_to(ROOT))
        found = [fault for fault in c_faults.faults(file, text) if fault.kind in ("statement", "condition")]
        assert not found or any(objects.compiles(file, with_switches(text, [(1, fault)])) for fault in found[:3]), file


def test_switches_lie_in_each_other() -> None:
    faults = [fault for fault in c_faults.faults("f.c", C) if fault.line >= 8]
    text = with_switches(C, enumerate(faults, 1))
    assert text.count("\n") == C.count("\n")
    assert all(text.count(f"whit_switched({number})") == 1 for number in range(1, len(faults) + 1))
    alone = next(fault for fault in faults if fault.before == "<")
    assert "if ((whit_switched(1) ? (a <= 10 && text[0] == '<') : (a < 10 && text[0] == '<')))" in with_switches(
        C, [(1, alone)]
    )


def test_one_fault_that_does_not_compile_leaves_the_others_their_switches() -> None:
    good, bad, elsewhere = [next(one for one in all_faults() if one.file == f"engine/net/{file}.c")
                            for file in ("ip", "ip", "ethernet")]  # fmt: skip
    bad = replace(bad, after="no_such_name")
    python = next(one for one in all_faults() if one.file.endswith(".py"))
    assert dict(_hows([good, bad, elsewhere, python], 2)) == {good: True, bad: None, elsewhere: True, python: False}


def test_a_difference() -> None:
    fault = next(fault for fault in c_faults.faults("f.c", C) if fault.kind == "sign")
    assert fault.difference(C) == "-         left = left - 1;\n+         left = left + 1;"


def test_the_same_object_code_is_known(tmp_path: Path) -> None:
    directory = tmp_path / "contacts-inprocess-0"
    directory.symlink_to(build(ROOT / "apps" / "contacts", target="inprocess").directory)
    file = "engine/net/ip.c"
    fault = next(fault for fault in all_faults() if fault.file == file and fault.kind == "condition")
    assert not objects.leaves_the_code(fault, tmp_path)
    same = replace(fault, after=f"!!({fault.before})")
    assert objects.leaves_the_code(same, tmp_path)


def test_tests_of_different_files_take_turns() -> None:
    seen = [reach.Seen(name, seconds, True, frozenset()) for name, seconds in
            (("a::1", 1.0), ("a::2", 2.0), ("b::1", 9.0), ("b::2", 0.5))]  # fmt: skip
    assert [one.name for one in reach.order(seen)] == ["b::2", "a::1", "a::2", "b::1"]


def test_a_few_files_come_first() -> None:
    places = [(file, test) for file in range(9) for test in range(3)]
    seen = [reach.Seen(f"{file}::{test}", file + test / 100, True, frozenset()) for file, test in places]
    first, rest = reach.portions(seen)
    assert {one.file for one in first} == {"0", "1", "2", "3"} and len(first) == 12
    assert first + rest != seen and set(first + rest) == set(seen)
    assert reach.portions(seen[:3]) == [seen[:3]] and reach.portions([]) == []


def test_equal_places_of_a_line_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int a)\n{\n    return 0 < a && a != 0 && 0 < a;\n}\n")
    faults = c_faults.faults("f.c", (tmp_path / "f.c").read_text())
    assert [fault.nth(tmp_path) for fault in faults if fault.before == "0"] == [1, 2, 3]


def test_each_fault_that_is_set_apart_can_be_drawn() -> None:
    """Each exception is identified by its line: an edit of the line asks for a new review of the reason."""
    known = {tuple(one.get(key, 1) for key in ("file", "line", "before", "after", "nth")) for one in _equivalents()}
    assert not known - {_key_of(fault) for fault in all_faults()}


def test_time_that_is_over_decides_nothing() -> None:
    """Many tests that pass slowly are not one that hangs."""
    fault = next(all_faults())
    assert _judged(fault, None, "").verdict is Verdict.UNDECIDED
    assert _judged(fault, 1, "+++ Timeout +++").verdict is Verdict.HUNG
    assert _judged(fault, 1, "FAILED a::b").verdict is Verdict.CAUGHT
    many = [reach.Seen(str(number), 1.0, True, frozenset()) for number in range(1000)]
    assert reach.trial_s(many[:10], TRIAL_S) == TRIAL_S < 1000 < reach.trial_s(many, TRIAL_S)
