# SPDX-License-Identifier: MIT
"""`whit cert`: certificates of applications, and images with their key."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from whit.certificate import authority, chain, places
from whit.commands import owner
from whit.compiler import CompileError
from whit.compiler.application import identity_of
from whit.compiler.device import Identity
from whit.errors import WhitError
from whit.image import c_messages
from whit.image.build import build, find_application
from whit.image.keyed import keyed
from whit.plain_files import SECRETS_MAX, octets_of
from whit.targets import find_target

Overrides = Mapping[str, object]


def identity(app_dir: str, overrides: Overrides) -> Identity:
    """Returns the application's host and the paths of its certificate and key, which need not exist yet."""
    try:
        return identity_of(find_application(app_dir), overrides)
    except CompileError as error:
        raise WhitError(c_messages.near(str(error))) from error


def _owned(app_dir: str, overrides: Overrides) -> Identity:
    """Returns the identity. WhitError: it belongs to an application of the same name in another directory."""
    found = identity(app_dir, overrides)
    if found.is_own:
        owner.check(found.certificate.parent, find_application(app_dir), found.name)
    return found


def _remember(app_dir: str, found: Identity) -> None:
    if found.is_own:
        owner.remember(found.certificate.parent, find_application(app_dir))


def new(app_dir: str, names: Sequence[str], days: int, overrides: Overrides, console: Console) -> None:
    """Issues a certificate of this machine's authority, for the existing key or a new one."""
    found = _owned(app_dir, overrides)
    read = issue(found, names, days)
    with places.locked():
        _remember(app_dir, found)
    _say(found, read, console)


def issue(found: Identity, names: Sequence[str], days: int = authority.DAYS) -> chain.Chain:
    own = authority.authority()
    with places.locked():
        if found.certificate.exists() and chain.load(found.certificate)[0].issuer != own.certificate.subject:
            raise WhitError(f"{found.certificate}: another authority gave it: move it away, and its key, for a new one")
        return authority.new(found.certificate, found.key, found.name, (found.address, *names), own, days)


def show(app_dir: str, overrides: Overrides, console: Console) -> None:
    found = identity(app_dir, overrides)
    if not found.certificate.exists():
        raise WhitError(f"{found.certificate}: no such file; ./whit cert new {app_dir} makes a certificate")
    _say(found, chain.read_chain(found.certificate), console)


def import_(app_dir: str, certificate: Path, key: Path, overrides: Overrides, console: Console) -> None:
    """Copies certificate and key to where the build finds them. Keeps another key that exists under a new name."""
    found = _owned(app_dir, overrides)
    read, pem = chain.read_chain(certificate), _read(key)
    octets = octets_of(certificate, SECRETS_MAX)
    chain.check_match(read, key, chain.scalar_of(key, pem))
    with places.locked():
        if found.key.exists() and found.key.read_bytes() != pem:
            kept = c_messages.from_here(places.keep(found.key, found.certificate))
            console.print(f"the key that was there is kept: {kept}", markup=False, soft_wrap=True)
        places.write_secret(found.key, pem)
        places.write(found.certificate, octets)
        read = chain.read_chain(found.certificate)
    _remember(app_dir, found)
    _say(found, read, console)


def put(app_dir: str, file: Path, target: str, overrides: Overrides, console: Console) -> None:
    """Writes a device's image with its key: a file to flash, readable by its owner alone."""
    if not find_target(target).is_device:
        raise WhitError(f"--target {target}: expected a device; ./whit run gives a key to what runs here")
    _check_outside(file, find_application(app_dir))
    found = _owned(app_dir, overrides)
    if not found.is_wanted and not found.signs:
        message = "expected a table [https] in app.toml, or --set https.port=443; or services.sign = true"
        raise WhitError(f"{app_dir}: its image has no key: {message}")
    if not file.parent.is_dir() or not os.access(file.parent, os.W_OK):
        raise WhitError(f"{file}: expected a file in a directory that is there and can be written")
    result = build(app_dir, target=target, overrides=overrides)
    assert result.flashable is not None and result.application.key is not None
    key = chain.read_key(result.application.key)
    places.write_secret(file, keyed(result, key, suffix=result.flashable.suffix))
    console.print(f"{file}: the image with its key; who has it, has the key", markup=False, soft_wrap=True)


def _check_outside(file: Path, app_dir: Path) -> None:
    """Checks the place of a key. WhitError: it is in the application's directory, and would be served."""
    there = file.parent.resolve() / file.name  # a symbolic link is replaced, not followed
    if there.is_relative_to(app_dir):
        raise WhitError(f"{file}: would be served with the application, key and all; give a file outside it")


def _read(path: Path) -> bytes:
    try:
        return octets_of(path, SECRETS_MAX)
    except OSError as error:
        raise WhitError(f"{path}: {error.strerror}: expected the certificate's key, PEM") from None


def _say(found: Identity, read: chain.Chain, console: Console) -> None:
    lines = [
        f"{found.name}: valid for {', '.join(read.names)} until {read.own.not_valid_after_utc:%Y-%m-%d}",
        f"SHA-256 {read.fingerprint}",
        f"given by {chain.named(read.own.issuer)}, {len(read.message)} bytes in each full handshake",
        f"certificate {c_messages.from_here(found.certificate)}",
        f"key {c_messages.from_here(found.key)}{'' if found.key.exists() else ', which is not there'}",
    ]
    own = places.THERE / places.AUTHORITY
    if own.exists() and read.own.issuer == chain.load(own)[0].subject:
        lines.append(f"browsers show a padlock when they trust {c_messages.from_here(own)}")
    for line in lines:
        console.print(line, markup=False, emoji=False, soft_wrap=True)  # ":AB:" of a fingerprint is no emoji
