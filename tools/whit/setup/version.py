# SPDX-License-Identifier: MIT
"""The version of Whit. Standard library only."""

import tomllib

from whit.paths import ROOT


def version() -> str:
    """As pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])
