# SPDX-License-Identifier: MIT
"""The version of Whit. Standard library only."""

import tomllib

from whit.paths import ROOT


def version() -> str:
    """Returns the version in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])
