# SPDX-License-Identifier: MIT
"""[https] of app.toml: its C, and its errors. Certificates themselves: tests/certificate."""

import re
from pathlib import Path

import pytest

from tests.certificate.made import make, write
from tests.compiler.support import error_of, generator, make_app
from whit.certificate import places
from whit.certificate.chain import read_chain
from whit.compiler import compile_application
from whit.errors import WhitError
from whit.image.export import export


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the directory of the application's certificate, inside tmp_path."""
    monkeypatch.setattr(places, "THERE", tmp_path / "https")
    return tmp_path / "https" / "app"


def app_with(tmp_path: Path, toml: str) -> Path:
    return make_app(tmp_path / "app", {"index.html": "x", "app.toml": toml})


def octets_of(source: str) -> bytes:
    return bytes(int(octet, 16) for octet in re.findall(r"0x([0-9a-f]{2}),", source))


def test_defaults(tmp_path: Path, there: Path) -> None:
    """An empty table is enough. The output does not contain the key."""
    made = make()
    path = write(there, made)
    application = compile_application(app_with(tmp_path, "[https]\n"), tmp_path / "out")
    https = application.https
    assert https is not None and (https.certificate, https.key) == (path, there / "key.pem")
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    numbers = dict(re.findall(r"#define WHIT_(TLS|HTTPS_\w+) (\w+)", page))
    assert numbers.pop("HTTPS_PLAIN") == "WHIT_HTTPS_PLAIN_SERVE"
    assert {name: int(number) for name, number in numbers.items()} == {
        "TLS": 1,
        "HTTPS_PORT": 443,
        "HTTPS_AES": 0,
        "HTTPS_EARLY": 0,
        "HTTPS_PLAIN_SERVE": 0,
        "HTTPS_PLAIN_REDIRECT": 1,
        "HTTPS_PLAIN_OFF": 2,
    }
    source = (tmp_path / "out" / "whit_certificate.c").read_text()
    assert octets_of(source) == read_chain(path).message and "whit_tls_ticket_s WHIT_FLASH = 7200;" in source
    key = made.key.private_numbers().private_value.to_bytes(32, "big")
    assert all(key not in octets_of(one.read_text()) for one in (tmp_path / "out").iterdir())


def test_all_of_it(tmp_path: Path, there: Path) -> None:
    write(tmp_path / "mine", make())
    (tmp_path / "mine" / "key.pem").rename(tmp_path / "secret.pem")
    toml = (
        '[https]\ncertificate = "../mine/certificate.pem"\nkey = "../secret.pem"\nport = 4433\nplain = "off"\n'
        'hsts = 31536000\nticket_s = 600\nidle = 0\nearly_data = "idempotent"\n'
    )
    https = compile_application(app_with(tmp_path, toml), tmp_path / "out").https
    assert https is not None and https.key.resolve() == tmp_path / "secret.pem"
    assert (https.port, https.plain, https.hsts_s, https.ticket_s, https.idle) == (4433, "off", 31536000, 600, 0)
    assert https.early and "#define WHIT_HTTPS_EARLY 1 " in (tmp_path / "out" / "whit_limits.h").read_text()


def test_strict_transport_security(tmp_path: Path, there: Path) -> None:
    """Each kind of content has the field; over plain HTTP none has it."""
    write(there, make())
    app = make_app(
        tmp_path / "app", {"index.html": "x", "g.c": generator(), "app.toml": '[https]\nplain = "off"\nhsts = 9\n'}
    )
    heads = [one.representations[0].head for one in compile_application(app, tmp_path / "out").resources]
    assert len(heads) == 2
    assert all(head.content.startswith(b"Strict-Transport-Security: max-age=9\r\nContent-Type: ") for head in heads)


def test_a_setting_of_the_command_line_is_enough(tmp_path: Path, there: Path) -> None:
    write(there, make())
    https = compile_application(app_with(tmp_path, ""), tmp_path / "out", overrides={"https.port": 444}).https
    assert https is not None and https.port == 444


def test_without_it_there_is_nothing_of_it(tmp_path: Path, there: Path) -> None:
    write(there, make())
    assert compile_application(app_with(tmp_path, ""), tmp_path / "out").https is None
    assert not (tmp_path / "out" / "whit_certificate.c").exists()
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    assert "#define WHIT_TLS 0 " in page and "WHIT_HTTPS" not in page


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[https]\nport = 80", "app.toml:2: https.port is 80: expected another one than port"),
        ("port = 443\n[https]", "https.port is 443: expected another one than port"),
        ('[https]\nplain = "no"', 'app.toml:2: https.plain is \'no\': expected "serve", or "redirect", or "off"'),
        ("[https]\nhsts = 1", "app.toml:2: https.hsts tells browsers that there is HTTPS only: expected https.plain"),
        ('[https]\nearly_data = "all"', 'app.toml:2: https.early_data is \'all\': expected "off" or "idempotent"'),
        ('[https]\ncertificate = "../none.pem"', "app.toml:2: ../none.pem: no such file: expected a certificate"),
        ('[https]\nkey = "key.pem"', "app.toml:2: key.pem is in the application's directory, all of which is served"),
        (
            '[https]\ncertificate = "x/c.pem"',
            "app.toml:2: x/c.pem is in the application's directory, all of which is served, and so would its key be, "
            "key.pem beside it: put both elsewhere, or name the key by https.key",
        ),
        ("[https]\nprot = 1", "did you mean https.port?"),
        ("https = true", "https is true: expected a table, [https]"),
    ],
)
def test_errors(tmp_path: Path, there: Path, toml: str, said: str) -> None:
    write(there, make())
    assert said in error_of(app_with(tmp_path, toml)).replace(f"{tmp_path}/app/", "")


def test_errors_of_the_certificate(tmp_path: Path, there: Path) -> None:
    app = app_with(tmp_path, "[https]\n")
    assert "certificate.pem: no such file: expected a certificate; ./whit cert new" in error_of(app)
    write(there, make(kind="rsa"))
    assert "app.toml:1: " in error_of(app) and "its key is of RSA" in error_of(app)
    write(there, make(), mode=0o644)
    assert "key.pem: others may read it" in error_of(app)
    other = make()
    write(there, make())
    (there / "key.pem").write_bytes(other.key_pem)
    assert "key.pem: not the key of" in error_of(app)


def test_hints(tmp_path: Path, there: Path) -> None:
    write(there, make(end=10))
    (there / "key.pem").unlink()
    ends, missing = compile_application(app_with(tmp_path, "[https]"), tmp_path / "out").hints
    assert "only; ./whit cert new makes another" in ends and "key.pem: no such file: without its key" in missing


def test_it_is_not_exported_yet(tmp_path: Path, there: Path) -> None:
    write(there, make())
    with pytest.raises(WhitError, match="has HTTPS, which is not exported yet"):
        export(str(app_with(tmp_path, "[https]")), tmp_path / "exported", "cmake", overrides=None)
