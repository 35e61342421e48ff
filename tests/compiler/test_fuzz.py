# SPDX-License-Identifier: MIT
"""A short run of the compiler's fuzzer, and its corpus."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.compiler import fuzz_compiler


@pytest.mark.parametrize("path", sorted(fuzz_compiler.CORPUS.iterdir()), ids=lambda path: path.name)
def test_corpus(path: Path) -> None:
    fuzz_compiler.run(path.suffix, path.read_text())


def test_the_corpus_has_what_is_accepted_and_what_is_not() -> None:
    for kind in fuzz_compiler.KINDS:
        assert {fuzz_compiler.run(kind, text) for text in fuzz_compiler.corpus(kind)} == {True, False}


def test_short_run(seed: int) -> None:
    for kind, text in fuzz_compiler.inputs(seed, 2000):
        fuzz_compiler.run(kind, text)


@pytest.mark.parametrize("kind", sorted(fuzz_compiler.KINDS))
def test_any_text(kind: str) -> None:
    words = fuzz_compiler.KINDS[kind][1]

    @given(st.lists(st.one_of(st.sampled_from(words), st.text(max_size=5)), max_size=30).map("".join))
    def check(text: str) -> None:
        fuzz_compiler.run(kind, text)

    check()
