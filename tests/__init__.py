# SPDX-License-Identifier: MIT
"""Data of applications goes to a temporary directory of this process: parallel workers do not share it, and the tree's
own .whit stays untouched. whit.paths reads the directory later.

ccache keeps compiled objects where it is installed: many tests build the same engine in different directories."""

import os
import shutil
import tempfile
from pathlib import Path

_kept = tempfile.TemporaryDirectory(prefix="whit-kept-")
os.environ["WHIT_KEPT"] = str(Path(_kept.name, ".whit"))
if shutil.which("ccache"):
    _build = Path(__file__).resolve().parent.parent / "build"
    os.environ |= {"CMAKE_C_COMPILER_LAUNCHER": "ccache", "CCACHE_DIR": str(_build / "ccache")}
    os.environ |= {"CCACHE_BASEDIR": str(_build), "CCACHE_NOHASHDIR": "1", "CCACHE_MAXSIZE": "2G"}
