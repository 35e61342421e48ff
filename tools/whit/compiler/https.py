# SPDX-License-Identifier: MIT
"""[https] of app.toml. The certificate becomes a table of the image. No generated file contains the key."""

from pathlib import Path

from whit.certificate import places
from whit.errors import WhitError
from whit.plain_files import from_home

from . import app_toml
from .device import Https
from .errors import CompileError
from .model import Limits

TICKET_S = 7200
_ROW = 16


def is_wanted(settings: app_toml.Settings) -> bool:
    return "https" in settings.tables or any(key.startswith("https.") for key in settings.values)


def files_of(app_dir: Path, settings: app_toml.Settings) -> tuple[Path, Path]:
    """Returns the paths of certificate and key: from app.toml, or else by the application's name."""
    table = "https" if is_wanted(settings) else "services"
    directory = places.directory_of(settings.name() or app_dir.resolve().name)
    certificate = directory / places.CERTIFICATE
    if said := settings.values.get(f"{table}.certificate"):
        certificate = app_dir / from_home(str(said))
    key = certificate.with_name(places.KEY)
    if said := settings.values.get(f"{table}.key"):
        key = app_dir / from_home(str(said))
    if key.resolve().is_relative_to(app_dir.resolve()):
        served = "is in the application's directory, all of which is served"
        if said:
            raise settings.error(f"{table}.key", f"{key} {served}: put it elsewhere")
        message = f"{certificate} {served}, and so would its key be, {places.KEY} beside it"
        raise settings.error(f"{table}.certificate", f"{message}: put both elsewhere, or name the key by {table}.key")
    return certificate, key


def read(app_dir: Path, settings: app_toml.Settings, limits: Limits) -> Https | None:
    """Returns [https]; None if the application has none."""
    if not is_wanted(settings):
        return None
    values = settings.values
    port, plain = int(values.get("https.port", 443)), str(values.get("https.plain", "serve"))
    if port == limits.port:
        message = f"https.port is {port}: expected another one than port, which is that of plain HTTP"
        raise _error(settings, "https.port", message)
    hsts_s = int(values.get("https.hsts", 0))
    if hsts_s and plain == "serve":
        message = (
            'https.hsts tells browsers that there is HTTPS only: expected https.plain = "redirect" or "off" beside it'
        )
        raise settings.error("https.hsts", message)
    if (idle := int(values.get("https.idle", 0))) > limits.idle:
        message = f"https.idle is {idle}: expected at most idle, which is {limits.idle}: each is one of those"
        raise settings.error("https.idle", message)
    certificate, key = files_of(app_dir, settings)
    if not certificate.exists():
        whose = "" if "https.certificate" in values else f"; ./whit cert new {app_dir} makes one"
        raise _error(settings, "https.certificate", f"{certificate}: no such file: expected a certificate{whose}")
    return Https(
        certificate=certificate,
        key=key,
        port=port,
        plain=plain,
        hsts_s=hsts_s,
        ticket_s=int(values.get("https.ticket_s", TICKET_S)),
        idle=int(values["https.idle"]) if "https.idle" in values else None,
        message=_message(settings, certificate, key),
        aes=bool(values.get("https.aes", False)),
        early=values.get("https.early_data") == "idempotent",
    )


def _message(settings: app_toml.Settings, certificate: Path, key: Path) -> bytes:
    from whit.certificate import chain  # which needs a library that takes long to load

    about = "https.certificate"
    try:
        read = chain.read_chain(certificate)
        if key.exists():
            about = "https.key" if "https.key" in settings.values else about
            chain.check_match(read, key, chain.read_key(key))
    except WhitError as error:
        raise _error(settings, about, str(error)) from None
    return read.message


def _error(settings: app_toml.Settings, key: str, message: str) -> CompileError:
    """Returns an error about a key, or else about the table."""
    of_table = "https" in settings.tables and key not in settings.values
    return settings.error_at("https", message) if of_table else settings.error(key, message)


def hints(https: Https | None) -> tuple[str, ...]:
    """Returns hints at probable mistakes."""
    if https is None:
        return ()
    from whit.certificate.chain import read_chain

    read, found = read_chain(https.certificate), []
    if read.ends_soon():
        end = f"{read.own.not_valid_after_utc:%Y-%m-%d}"
        found.append(f"{https.certificate}: is valid until {end} only; ./whit cert new makes another")
    if not https.key.exists():
        found.append(f"{https.key}: no such file: without its key the certificate is of no use")
    return tuple(found)


def files(https: Https | None) -> dict[str, str]:
    """Generated sources, by name."""
    if https is None:
        return {}
    rows = [https.message[at : at + _ROW] for at in range(0, len(https.message), _ROW)]
    lines = [
        "// Written by the application compiler from the certificate of [https]; do not edit. Its key is not here.",
        '#include "tls/tls.h"',
        "",
        "const uint8_t whit_tls_certificate[] WHIT_FLASH = {",
        *("    " + ", ".join(f"0x{octet:02x}" for octet in row) + "," for row in rows),
        "};",
        f"const uint16_t whit_tls_certificate_len = {len(https.message)};",
        f"const uint32_t whit_tls_ticket_s WHIT_FLASH = {https.ticket_s};",
        "",
    ]
    return {"whit_certificate.c": "\n".join(lines)}
