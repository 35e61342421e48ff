# SPDX-License-Identifier: MIT
"""The report shows the costs of HTTPS."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.tls.host import KEY, identity
from whit.image.computed import FULL, RECORD, handshake_lines
from whit.image.cost import https_table
from whit.image.sizes import measure
from whit.image.structures import connection_octets
from whit_lab.instruments.image import look

OURS = {"https.certificate": str(identity().certificate), "https.key": str(KEY)}


@pytest.mark.slow
def test_octets_of_a_connection_by_state(application: Path) -> None:
    """docs/internals/tls.md has the same figures."""
    built = look(str(application), "cortex-m", OURS).built
    octets = connection_octets(built.image)
    assert (octets.handshake, octets.opened, octets.idle) == (440, 72, 72)
    console = Console(width=120)
    with console.capture() as said:
        console.print(https_table(measure(built.image, built.map), octets))
    rows = [" ".join(line.split()) for line in said.get().splitlines()]
    assert "of the shared buffer, a connection in a handshake 440" in rows
    assert "... that is open, and in a slot 72" in rows


def test_instructions_are_those_that_are_published(tmp_path: Path) -> None:
    ends = ("", "_prepared", "_resumed", "_resumed_prepared")
    figures = [{"name": FULL + end, "value": 1.5 + number} for number, end in enumerate(ends)]
    published = tmp_path / "results.json"
    assert handshake_lines(published) == []
    published.write_text(json.dumps({"experiments": {"https": {"full": {"figures": figures[:3]}}}}))
    assert handshake_lines(published) == []
    figures.append({"name": RECORD, "value": 99.1})
    published.write_text(json.dumps({"experiments": {"https": {"full": {"figures": figures}}}}))
    whole, record = handshake_lines(published)
    assert "a full handshake 1.5, a resumed one 3.5; 2.5 and 4.5 of those" in whole
    assert "0.0991" in record
