# SPDX-License-Identifier: MIT
"""The automata, walked by a reader that knows engine/core/tables.h only."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compiler.support import assemble, walk
from whit.compiler import automaton, grammar, grammar_code, grammar_octets, words

CHARACTERS = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
KEYS = st.one_of(st.text(CHARACTERS, max_size=12), st.text("ab/", max_size=6), st.text("'\\?/", max_size=4))
VALUES = st.integers(0, 0xFFFF)


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=40), st.lists(KEYS, max_size=20))
def test_every_key_is_found_and_nothing_else(values: dict[str, int], others: list[str]) -> None:
    built = automaton.build({key: str(value) for key, value in values.items()})
    octets = assemble(built.rows, {})
    assert len(octets) == built.octet_cnt
    near = [key[:-1] for key in values] + [key + "a" for key in values]
    for key in (*values, *others, *near):
        assert walk(octets, 0, key) == values.get(key), key


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=20))
def test_the_order_of_keys_does_not_matter(values: dict[str, int]) -> None:
    as_text = {key: str(value) for key, value in values.items()}
    assert automaton.build(as_text) == automaton.build(dict(reversed(as_text.items())))


def test_a_key_of_the_longest_path() -> None:
    built = automaton.build({"a" * 200: "7", "a" * 199 + "b": "8"})
    octets = assemble(built.rows, {})
    assert walk(octets, 0, "a" * 200) == 7
    assert walk(octets, 0, "a" * 199 + "b") == 8
    assert walk(octets, 0, "a" * 199) is None


def test_words_are_spelled_as_they_are_compared() -> None:
    assert all(word == word.lower() for word in words.media(parts=True))


@pytest.mark.parametrize("variants", [False, True])
@pytest.mark.parametrize("bodies", [False, True])
@pytest.mark.parametrize("tags", [False, True])
def test_the_grammar_fits_its_goals(variants: bool, bodies: bool, tags: bool) -> None:
    """The grammar contains no part that is not used."""
    built = grammar_octets.build(grammar.Uses(variants, bodies, tags))
    text = "\n".join(built.automaton.rows)
    assert ("BIT_GZIP" in text, "WHIT_POST" in text, "FIELD_TAG" in text) == (variants, bodies, tags)
    assert dict(built.offsets)["START"] < dict(built.offsets)["FOLDED"] < built.automaton.octet_cnt


@pytest.mark.parametrize("variants", [False, True])
@pytest.mark.parametrize("bodies", [False, True])
@pytest.mark.parametrize("tags", [False, True])
def test_the_grammar_as_code_has_the_same_places(variants: bool, bodies: bool, tags: bool) -> None:
    """The code has a case for each entry and each stop. Its labels are exactly the targets of its gotos."""
    uses = grammar.Uses(variants, bodies, tags)
    code, octets = grammar_code.build(uses), grammar_octets.build(uses)
    cases, stops = (set(map(int, re.findall(pattern, code))) for pattern in (r"case (\d+):", r"STOP\((\d+)\)"))
    entries = {place for name, place in octets.offsets if name != "FOLDED"}
    assert entries | stops <= cases
    assert max(cases) < octets.automaton.octet_cnt
    labels = re.findall(r"^(?!default)(\w+):", code, re.MULTILINE)
    assert sorted(labels) == sorted(set(re.findall(r"goto (\w+);", code)) - {"leave"})


@pytest.mark.parametrize("length", range(1, 300))
def test_a_branch_of_any_length_is_passed_over(length: int) -> None:
    """A branch of 128 octets or more is skipped by two octets, a shorter one by one."""
    values = {"a" + "x" * length: "7", "b": "8", "c": "9"}
    built = automaton.build(values)
    octets = assemble(built.rows, {})
    assert len(octets) == built.octet_cnt
    assert [walk(octets, 0, key) for key in values] == [7, 8, 9]
    assert walk(octets, 0, "a" + "x" * (length - 1)) is None
