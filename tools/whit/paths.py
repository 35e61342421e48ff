# SPDX-License-Identifier: MIT
"""Where things are in the source tree."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
"""Everything that is made; may be deleted at any time."""
