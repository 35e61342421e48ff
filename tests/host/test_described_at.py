# SPDX-License-Identifier: MIT
"""The WSDL of `whit run` names the address of the service."""

from pathlib import Path

from tests.compiler.support import generator, make_app
from whit.commands.described_at import KEY, described
from whit.compiler import compile_application
from whit.machines.run_options import RunOptions

GIVES = "static char get(struct result_t *result) { (void)result; return 1; }\n"
VALUE = '<result><value name="v" type="int8"/></result>'


def said(app: Path, **options: object) -> object:
    return (described(RunOptions(str(app), **options)).overrides or {}).get(KEY)  # type: ignore[arg-type]


def soap(ways: str) -> dict[str, str | bytes]:
    return {"x.c": generator(f'<service as="{ways}"/>{VALUE}', 'call="get"', GIVES)}


def test_where_it_is_served(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", soap("json soap"))
    assert said(app) == "http://127.0.0.1:8080"
    assert said(app, port=81, host="0.0.0.0") == "http://127.0.0.1:81"
    assert said(app, host="::1") == "http://[::1]:8080"
    assert said(app, https=True) == "https://127.0.0.1:8443"
    assert said(app, tap="tap0") is None  # there the engine has an address of its own
    assert said(app, overrides={KEY: "http://a"}) == "http://a"
    make_app(app, {"app.toml": '[services]\naddress = "https://home.example"\n'})
    assert said(app) is None


def test_at_an_address_of_its_own(tmp_path: Path) -> None:
    """--address is where the WSDL leads, as the application's own address would be."""
    app = make_app(tmp_path / "app", soap("soap"))
    options = described(RunOptions(str(app), tap="tap0", address="10.8.0.2/24"))
    application = compile_application(app, tmp_path / "out", overrides=options.overrides)
    (wsdl,) = (one for one in application.resources if one.urls[0].endswith(".wsdl"))
    assert any(b'location="http://10.8.0.2/' in one.body for one in wsdl.representations)
    assert described(RunOptions(str(app), tap="tap0", address="nonsense")).overrides is None


def test_an_application_without_soap_is_built_as_ever(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", soap("json form"))
    assert described(RunOptions(str(app))).overrides is None
