# SPDX-License-Identifier: MIT
"""Test builds check invariants inside of the engine after each packet (engine/core/limits.h)."""

import signal
import subprocess
import sys

from whit.image.build import build
from whit.paths import ROOT

BREAK = """
import ctypes, sys
engine = ctypes.CDLL(sys.argv[1])
free_slot = ctypes.create_string_buffer(64)
engine.http_parse(free_slot, b"G", 1)
"""


def test_what_does_not_hold_ends_a_test_build() -> None:
    """Octets of a request for a slot that is free. The image is not sanitized, whatever this process is."""
    image = str(build(ROOT / "apps" / "plain", target="inprocess").image)
    done = subprocess.run([sys.executable, "-c", BREAK, image], capture_output=True, text=True)
    assert done.returncode == -signal.SIGABRT
    assert done.stderr == "the engine is broken: expected t->state == TCB_REQUEST\n"
