# SPDX-License-Identifier: MIT
"""Real clients beside virtual time, in the reduced form, with and without a namespace."""

import pytest

from tests.lab.reduced import measured
from whit_lab.real import namespace

TIMED = "_deviation_percent"  # by the wall's clock, which a busy machine spoils
pytestmark = [pytest.mark.xdist_group("lab"), pytest.mark.slow]


@pytest.mark.root
@pytest.mark.skipif(bool(namespace.why_not()), reason=namespace.why_not())
def test_reduced_form_holds() -> None:
    result = measured("kernel")
    assert result.figures and result.series and result.sheets
    untimed = [figure for figure in result.figures if not figure.name.endswith(TIMED)]
    assert untimed and all(figure.holds for figure in untimed)
    assert len(untimed) < len(result.figures)


def test_without_a_namespace_columns_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A note gives the reason for the empty columns."""
    monkeypatch.setattr(namespace, "why_not", lambda: "no root")
    result = measured("kernel")
    assert result.figures == [] and result.compared == []
    assert result.series and all(row[2] == "–" for row in result.sheets[0].rows)
    assert "No column of the kernel's: no root." in result.notes
