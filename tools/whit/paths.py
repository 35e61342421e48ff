# SPDX-License-Identifier: MIT
"""Paths in the source tree."""

import os
import re
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
"""Everything that is made; may be deleted at any time."""
KEPT = Path(os.environ.get("WHIT_KEPT") or ROOT / ".whit").absolute()
"""What must not be lost: data of applications, keys and certificates, wherever a command is typed."""


def directory_name(name: str) -> str:
    """Returns the name of a directory for an application's files. Letters of all languages stay as they are; two names
    share a directory only if they differ in blanks and punctuation alone."""
    return re.sub(r"[^\w-]+", "-", unicodedata.normalize("NFC", name))
