# SPDX-License-Identifier: MIT
"""What applications keep while tests run lies in a directory of this process and is removed with it: workers that have
applications of one name do not share data, and the tree's own .whit is left alone. whit.paths reads where, later."""

import os
import tempfile
from pathlib import Path

_kept = tempfile.TemporaryDirectory(prefix="whit-kept-")
os.environ["WHIT_KEPT"] = str(Path(_kept.name, ".whit"))
