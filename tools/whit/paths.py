# SPDX-License-Identifier: MIT
"""Where things are in the source tree."""

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
    """Of what belongs to an application, by the application's name. Letters of all languages stay what they are, so
    that two names share one only where they differ in blanks and signs."""
    return re.sub(r"[^\w-]+", "-", unicodedata.normalize("NFC", name))
