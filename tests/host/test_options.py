# SPDX-License-Identifier: MIT
"""Options that would do nothing, or nothing that works: each is told in one line before anything is built."""

import signal
from pathlib import Path

import pytest
from whit.cli import app as command
from whit.errors import WhitError

from tests.compiler.support import make_app


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("run lamp --https-port 8444", "--https-port 8444: expected beside --https, or a table [https] in app.toml"),
        (
            "run lamp --https --tap none0 --https-port 8444",
            "--https-port 8444: expected without --tap; there the port is --set https.port=8444",
        ),
        (
            "run lamp --tap none0 --port 8080",
            "--port 8080: expected without --tap; there the port is that of app.toml, --set port=8080",
        ),
        (
            "run lamp --tap none0 --gateway 11.0.0.1",
            "--gateway 11.0.0.1: expected an address in 10.7.0.0/24, the network of 10.7.0.2/24",
        ),
        (
            "run lamp --tap none0 --address 10.1.2.3/16 --gateway 10.7.0.1",
            "--gateway 10.7.0.1: expected an address in 10.1.0.0/16, the network of 10.1.2.3/16",
        ),
        (
            "run lamp --target avr --tap none0 --gateway 11.0.0.1",
            "--gateway 11.0.0.1: expected an address in 10.7.0.0/24, the network of 10.7.0.2/24",
        ),
        ("new bulb --text 4", "--text: expected beside --wsdl or --openapi, whose values it bounds"),
        ("new bulb --count 4", "--count: expected beside --wsdl or --openapi, whose values it bounds"),
        ("test --quik", "--quik: no such option; did you mean --quick?"),
    ],
)
def test_one_line(arguments: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_app(tmp_path / "lamp", {"index.html": "x"})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # it would stay for the tests after this one
    with pytest.raises(WhitError) as error:
        command(arguments.split(), standalone_mode=False)
    assert str(error.value) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["lamp"]
