# SPDX-License-Identifier: MIT
"""Engines with tests/apps/strategies, in which every kind of generator writes the same text."""

from tests.harness import maker_of
from whit.paths import ROOT

make = maker_of(ROOT / "tests" / "apps", "strategies")


def text(length: int) -> bytes:
    """Returns the output of the generators."""
    return b"".join(b"%06d " % (number % 10**6) for number in range(length // 7 + 1))[:length]


def words(cnt: int) -> bytes:
    """Returns the output of thread_volatile."""
    return b"begin " + text(cnt * 7) + b"%d words: that is all that there is to be said of it" % cnt
