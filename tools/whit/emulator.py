# SPDX-License-Identifier: MIT
"""Devices' images, run on emulated machines. Each target has a function here that starts its emulator as a Server."""

from collections.abc import Callable

from whit.build import BuildResult
from whit.errors import WhitError
from whit.run_options import RunOptions
from whit.server import Server

EMULATORS: dict[str, Callable[[RunOptions, BuildResult], Server]] = {}


def start(options: RunOptions, result: BuildResult) -> Server:
    """Returns when the image serves."""
    if options.target not in EMULATORS:
        raise WhitError(f"--target {options.target}: expected one that runs here: linux, {', '.join(EMULATORS)}")
    return EMULATORS[options.target](options, result)
