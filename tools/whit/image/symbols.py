# SPDX-License-Identifier: MIT
"""Addresses of symbols in an image."""

import subprocess

from whit.image.build import BuildResult
from whit.targets import find_target

STACK = ("whit_stack_bottom", "whit_stack_top")  # around the octets that a port paints
PAINT = 0xC5


def symbols(result: BuildResult, *names: str) -> dict[str, int]:
    """Returns the addresses of the named symbols that the image has."""
    command = [f"{find_target(result.target).toolchain}nm", str(result.image)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    found = {line.split()[-1]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}
    return {name: found[name] for name in names if name in found}
