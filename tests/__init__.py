# SPDX-License-Identifier: MIT
"""What applications keep while tests run lies in a directory of this process and is removed with it: workers that have
applications of one name do not share data, and the tree's own .whit is left alone. whit.paths reads where, later.

What compilers make is kept by ccache, where it is installed: many tests build one engine in different directories."""

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
