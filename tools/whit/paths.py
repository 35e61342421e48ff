# SPDX-License-Identifier: MIT
"""Paths in the source tree."""

import os
import re
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
"""Build results; may be deleted at any time."""
KEPT = Path(os.environ.get("WHIT_KEPT") or ROOT / ".whit").absolute()
"""Data to keep: data of applications, keys and certificates, the same for commands in any directory."""


def directory_name(name: str) -> str:
    """Returns the name of a directory for an application's files. Letters of all languages stay as they are; two names
    share a directory only if they differ in blanks and punctuation alone."""
    return re.sub(r"[^\w-]+", "-", unicodedata.normalize("NFC", name))
