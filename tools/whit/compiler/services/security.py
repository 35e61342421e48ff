# SPDX-License-Identifier: MIT
"""WS-Security: the callers of secured operations, [keys.NAME] of app.toml, and their tables in the image.

Neither app.toml nor a served file contains a password. The compiler reads it from another file or from the
environment. The image contains it in the clear: the digest of a UsernameToken cannot be checked without it."""

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from whit.certificate import places
from whit.errors import WhitError
from whit.plain_files import SECRETS_MAX, from_home, octets_of
from whit.suggest import did_you_mean

from .. import app_toml
from ..device import Identity
from ..errors import CompileError
from ..model import Resource
from .model import Operation, Security
from .signers import Signer, montgomery
from .signers import read as read_signer

NAME_MAX = 32  # octets: engine/wss/token.c
PASSWORD_MAX = 128
KEYS_MAX = 64
FLOOR_LEN = 4  # octets of persistent memory
_DAY_S = 86400
_KEYS = ("password", "certificate")


@dataclass(frozen=True)
class Key:
    """A caller."""

    name: str
    password: bytes | None
    signer: Signer | None


@dataclass(frozen=True)
class Secured:
    """The keys and settings of an application with secured operations."""

    keys: tuple[Key, ...]
    namespaces: tuple[str, ...]  # of services whose messages are signed
    floor_at: int  # in persistent memory
    built_s: int  # it is later than that, in seconds since 1970
    thumbprint: str = ""  # of the certificate of the device, which signs replies: SHA-1 in base64; "": it does not

    @property
    def points(self) -> list[bytes]:
        """Public keys of callers who sign by ECDSA."""
        return [key.signer.point for key in self.keys if key.signer and key.signer.point] if self.namespaces else []

    @property
    def moduli(self) -> list[int]:
        """Public keys of callers who sign by RSA."""
        return [key.signer.modulus for key in self.keys if key.signer and key.signer.modulus] if self.namespaces else []

    @property
    def seed(self) -> tuple[str, int, int]:
        """The arguments of persistent.layout_of()."""
        return "keys", self.floor_at, 1


def read(app_dir: Path, settings: app_toml.Settings, resources: Iterable[Resource], end: int) -> Secured | None:
    """Returns the secured part; None if no operation is secured. `end`: of the used persistent memory."""
    keys = tuple(_keys(app_dir, settings))
    wanted = list(_secured(resources))
    has = {Security.DIGEST: any(key.password for key in keys), Security.SIGNED: any(key.signer for key in keys)}
    for resource, operation in wanted:
        if not has[operation.security]:
            needed = "a password" if operation.security == Security.DIGEST else "a certificate"
            message = (
                f'security is "{operation.security}": expected in app.toml who may call, [keys.NAME] with {needed}'
            )
            raise CompileError(app_dir / resource.source, operation.line, message)
    spaces = sorted({one.namespace for _, one in wanted if one.security == Security.SIGNED})
    return Secured(keys, tuple(spaces), end, _built_s()) if wanted else None


def signing(app_dir: Path, settings: app_toml.Settings, secured: Secured | None, signer: Identity) -> Secured | None:
    """Returns `secured` with signed replies, if app.toml asks for them."""
    about = "services.sign"
    for key in ("services.certificate", "services.key"):
        if key in settings.values and signer.is_wanted:
            raise settings.error(key, f"{key} beside [https]: expected https.certificate, as a device has one key")
        if key in settings.values and not signer.signs:
            raise settings.error(key, f"{key} signs replies: expected services.sign = true beside it")
    if not signer.signs:
        return secured
    if secured is None or not secured.namespaces:
        message = 'services.sign is true: expected a function with security="signed", whose replies are signed'
        raise settings.error(about, message)
    if not signer.certificate.exists():
        message = f"{signer.certificate}: no such file: expected the device's certificate"
        raise settings.error(about, f"{message}; ./whit cert new {app_dir} makes one" if signer.is_own else message)
    from whit.certificate import chain

    try:
        read = chain.read_chain(signer.certificate)
        if signer.key.exists():
            chain.check_match(read, signer.key, chain.read_key(signer.key))
    except WhitError as error:
        raise settings.error(about, str(error)) from None
    return replace(secured, thumbprint=read.thumbprint)


def hints(app_dir: Path, settings: app_toml.Settings, secured: Secured | None) -> tuple[str, ...]:
    """Returns hints at probable mistakes."""
    if secured is None and settings.tables.get("keys"):
        line = settings.line_at("keys")
        return (f"{app_dir / app_toml.FILE}:{line}: [keys] without security= in a <service>: the keys are not used",)
    return ()


def _secured(resources: Iterable[Resource]) -> Iterator[tuple[Resource, Operation]]:
    for resource in resources:
        operation = resource.generator.service if resource.generator else None
        if operation is not None and operation.security != Security.NONE:
            yield resource, operation


def _keys(app_dir: Path, settings: app_toml.Settings) -> Iterator[Key]:
    tables = settings.tables.get("keys", {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise settings.error_at("keys", "keys: expected tables, [keys.NAME]")
    if len(tables) > KEYS_MAX:
        raise settings.error_at("keys", f"{len(tables)} tables [keys.NAME]: expected at most {KEYS_MAX}")
    for name, table in tables.items():
        about = f"keys.{name}"
        if not 1 <= len(name.encode()) <= NAME_MAX or not name.isprintable() or name != name.strip():
            message = f"[keys.{name}]: expected a name of 1 to {NAME_MAX} bytes, as callers send it"
            raise settings.error_at(about, message)
        for key in table:
            if key not in _KEYS:
                message = f"unknown key {about}.{key}: expected {' or '.join(_KEYS)}{did_you_mean(key, _KEYS)}"
                raise settings.error_at(f"{about}.{key}", message)
        if not table:
            message = f'[keys.{name}] is empty: expected password = "file:PATH", "env:NAME", or certificate = "PATH"'
            raise settings.error_at(about, message)
        password = _password(app_dir, settings, f"{about}.password", table["password"]) if "password" in table else None
        where = table.get("certificate")
        signer = _signer(app_dir, settings, f"{about}.certificate", where) if "certificate" in table else None
        yield Key(name, password, signer)


def _signer(app_dir: Path, settings: app_toml.Settings, about: str, where: object) -> Signer:
    if not isinstance(where, str) or not where:
        raise settings.error_at(about, f"{about} is {app_toml.shown(where)}: expected the path of a PEM file")
    path = _outside(app_dir, settings, about, where)
    try:
        return read_signer(path)
    except WhitError as error:
        raise settings.error_at(about, str(error)) from None


def has_rsa(app_dir: Path, settings: app_toml.Settings) -> bool:
    """True if a caller signs by RSA: more of such a message is buffered."""
    return any(key.signer and key.signer.modulus for key in _keys(app_dir, settings))


def _outside(app_dir: Path, settings: app_toml.Settings, about: str, where: str) -> Path:
    if not where.isprintable():
        raise settings.error_at(about, f"{about}: {where!r}: expected the path of a file")
    path = (app_dir / from_home(where)).resolve()
    if path.is_relative_to(app_dir.resolve()):
        message = f"{where} is in the application's directory, all of which is served: put it elsewhere"
        raise settings.error_at(about, message)
    return path


def _password(app_dir: Path, settings: app_toml.Settings, about: str, source: object) -> bytes:
    kind, _, where = source.partition(":") if isinstance(source, str) else ("", "", "")
    if kind not in ("env", "file") or not where:
        message = f'{about}: expected its source, "file:PATH" or "env:NAME", as app.toml is no place for it'
        raise settings.error_at(about, message)
    password = _from_file(app_dir, settings, about, where) if kind == "file" else os.environb.get(where.encode())
    if password is None:
        raise settings.error_at(about, f"{about}: {where} is not set: expected the password in the environment")
    if not 1 <= len(password) <= PASSWORD_MAX or b"\0" in password:
        message = f"{about}: that of {where} has {len(password)} bytes: expected 1 to {PASSWORD_MAX}, and no NUL"
        raise settings.error_at(about, message)
    return password


def _from_file(app_dir: Path, settings: app_toml.Settings, about: str, where: str) -> bytes:
    path = _outside(app_dir, settings, about, where)
    try:
        content = octets_of(path, SECRETS_MAX)
        places.check_secret(path)
    except OSError as error:
        raise settings.error_at(about, f"{path}: {error.strerror}: expected the password") from None
    except WhitError as error:
        raise settings.error_at(about, str(error)) from None
    return content.removesuffix(b"\n").removesuffix(b"\r")


def _built_s() -> int:
    """Returns SOURCE_DATE_EPOCH, or the beginning of today, so that a second build is the same."""
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(said) if said.isdigit() else int(time.time()) // _DAY_S * _DAY_S


def files(secured: Secured | None) -> dict[str, str]:
    """Generated sources, by name."""
    if secured is None:
        return {}
    users = [(key.name, key.password) for key in secured.keys if key.password]
    lines = [
        "// Written by the application compiler from [keys] of app.toml; do not edit. It holds passwords.",
        '#include "wss/wss.h"',
        "",
    ]
    for number, (name, password) in enumerate(users):
        lines.append(f"static const char name_{number}[] WHIT_FLASH = {_c_octets(name.encode())};")
        lines.append(f"static const char password_{number}[] WHIT_FLASH = {_c_octets(password)};")
    spaces = [f"space_{number}" for number in range(len(secured.namespaces))]
    for name, space in zip(spaces, secured.namespaces, strict=True):
        lines.append(f"static const char {name}[] WHIT_FLASH = {_c_octets(space.encode())};")
    lines += ["", "const struct whit_wss_key whit_wss_keys[] WHIT_FLASH = {"]
    lines += [f"    {{name_{number}, password_{number}}}," for number in range(len(users))] or ["    {0},"]
    lines += ["};", f"const uint8_t whit_wss_key_cnt WHIT_FLASH = {len(users)};"]
    lines += _signers(secured)
    lines += [f"const char *const whit_wss_namespaces[] WHIT_FLASH = {{{', '.join(spaces) or 'NULL'}}};"]
    if secured.thumbprint:
        lines += [f'const char whit_wss_thumbprint[] WHIT_FLASH = "{secured.thumbprint}";']
    lines += [f"const uint8_t whit_wss_namespace_cnt WHIT_FLASH = {len(spaces)};"]
    lines += [f"const uint32_t whit_wss_built_s WHIT_FLASH = {secured.built_s}u;"]
    lines += [f"const uint16_t whit_wss_floor_at WHIT_FLASH = {secured.floor_at};", ""]
    return {"whit_keys.c": "\n".join(lines)}


def _signers(secured: Secured) -> list[str]:
    """Returns the tables of public keys, one for each kind in use."""
    lines, points, moduli = [], secured.points, secured.moduli
    if points:
        lines += ["const uint8_t whit_wss_points[][64] WHIT_FLASH = {"]
        lines += [f"    {{{', '.join(map(str, point))}}}," for point in points]
        lines += ["};", f"const uint8_t whit_wss_point_cnt WHIT_FLASH = {len(points)};"]
    if moduli:
        lines += ["const struct whit_rsa_key whit_wss_moduli[] WHIT_FLASH = {"]
        for modulus in moduli:
            *words, inverse = (f"{word}u" for word in montgomery(modulus))
            half = len(words) // 2
            lines.append(f"    {{{{{', '.join(words[:half])}}}, {{{', '.join(words[half:])}}}, {inverse}}},")
        lines += ["};", f"const uint8_t whit_wss_modulus_cnt WHIT_FLASH = {len(moduli)};"]
    return lines


def _c_octets(octets: bytes) -> str:
    """A string literal. Octal escapes have three digits, so that no digit after one becomes part of it."""
    plain = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}
    return '"' + "".join(plain.get(one) or (chr(one) if 32 <= one < 127 else f"\\{one:03o}") for one in octets) + '"'
