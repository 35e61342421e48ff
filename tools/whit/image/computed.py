# SPDX-License-Identifier: MIT
"""The processor's computation for HTTPS, as counted in the laboratory's published results."""

import json
from pathlib import Path

from whit.paths import ROOT

PUBLISHED = ROOT / "docs" / "lab" / "results.json"
FULL, RESUMED, RECORD = (
    "https_handshake_mcycles_cortex_m",
    "https_handshake_mcycles_cortex_m_resumed",
    "https_record_kcycles_cortex_m",
)
PREPARED = "_prepared"


def handshake_lines(published: Path = PUBLISHED) -> list[str]:
    """Lines of a report; none where nothing is published."""
    try:
        fields = json.loads(published.read_text())["experiments"]["https"]["full"]
    except (OSError, ValueError, KeyError):
        return []
    values = {figure["name"]: figure["value"] for figure in fields["figures"]}
    if not {FULL, FULL + PREPARED, RESUMED, RESUMED + PREPARED} <= values.keys():
        return []
    full, resumed, *prepared = (values[name] for name in (FULL, RESUMED, FULL + PREPARED, RESUMED + PREPARED))
    lines = [
        f"Million instructions, counted on a Cortex-M3 (as published): a full handshake {full:g}, a resumed one "
        f"{resumed:g}; {prepared[0]:g} and {prepared[1]:g} of those that idle time prepared."
    ]
    if RECORD in values:
        lines.append(f"A record of 1 438 bytes: {values[RECORD] / 1000:g}.")
    return lines
