# SPDX-License-Identifier: MIT
"""Options without effect, or with an impossible one, give one line before the build."""

import signal
from pathlib import Path

import pytest
import typer

from tests.compiler.support import make_app
from whit.cli import app as command
from whit.commands.given import check_words, in_our_words
from whit.errors import WhitError
from whit_lab.cli import app as lab


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


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "lamp", "--data", ""], '"": expected a value behind --data'),
        (["run", "lamp", "--pcap="], "--pcap=: expected a value behind --pcap"),
        (["build", ""], '"": expected a value in place of an empty one'),
    ],
)
def test_an_empty_word(words: list[str], expected: str) -> None:
    with pytest.raises(WhitError) as error:
        check_words(words)
    assert str(error.value) == expected
    check_words(["test", "-k", ""])
    check_words(["run", "lamp", "--data", "x", "--set", "a="])


def options() -> list[tuple[typer.Typer, str, str]]:
    """Each option of each command: the program, the command, the option."""
    found = [(lab, "", name) for name in ("--json", "--plot", "--ladder", "--full", "--reduced", "--report")]
    for name, one in typer.main.get_command(command).commands.items():  # type: ignore[attr-defined]
        for word, inner in {
            name: one,
            **{f"{name} {key}": sub for key, sub in getattr(one, "commands", {}).items()},
        }.items():
            names = [opt for parameter in inner.params for opt in parameter.opts if opt.startswith("--")]
            found += [(command, word, opt) for opt in names if opt != "--help" and word not in ("lab", "test")]
    return found


@pytest.mark.parametrize(("program", "words", "option"), options(), ids=lambda one: str(one)[:20])
def test_a_misspelled_option(program: typer.Typer, words: str, option: str) -> None:
    middle = len(option) // 2 + 1
    swapped = f"{option[: middle - 1]}{option[middle]}{option[middle - 1]}{option[middle + 1 :]}"
    for wrong in {f"{option}{option[-1]}", swapped} - {option}:
        with pytest.raises(typer.TyperException) as error:
            program([*words.split(), wrong], standalone_mode=False)
        assert in_our_words(error.value.format_message()) == f"{wrong}: no such option; did you mean {option}?"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("model --ack dealyed", "did you mean delayed?"),
        ("model --preset smew", "did you mean smews?"),
        ("export lamp out --format camke", "did you mean cmake?"),
        ("export lamp out --format cmake --link ehternet", "did you mean ethernet?"),
        ("build lamp --target corte-m", "did you mean cortex-m?"),
    ],
)
def test_a_misspelled_word_of_an_option(
    arguments: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_app(tmp_path / "lamp", {"index.html": "x"})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WhitError, match=expected.replace("?", "[?]$")):
        command(arguments.split(), standalone_mode=False)
