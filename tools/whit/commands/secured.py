# SPDX-License-Identifier: MIT
"""Adds the setting for HTTPS to `whit run` if it is requested, and a certificate if the application has none."""

import sys
from dataclasses import replace

from rich.console import Console

from whit.certificate import places
from whit.commands import owner
from whit.compiler import CompileError
from whit.compiler.application import identity_of
from whit.compiler.device import Identity
from whit.errors import WhitError
from whit.image import c_messages
from whit.image.build import find_application
from whit.machines import emulator
from whit.machines.run_options import RunOptions

PORT = 443


def check_ports(options: RunOptions, found: Identity) -> bool:
    """True if HTTPS is wanted. WhitError: the ports are wrong."""
    https = options.https or found.is_wanted
    if options.has_https_port and not https:
        raise WhitError(f"--https-port {options.https_port}: expected beside --https, or a table [https] in app.toml")
    if options.has_https_port and options.tap is not None:
        way_out = f"there the port is --set https.port={options.https_port}"
        raise WhitError(f"--https-port {options.https_port}: expected without --tap; {way_out}")
    if https and options.tap is None and options.https_port == options.port:
        raise WhitError(f"--https-port {options.https_port}: is --port too: expected another one, 8443 if not given")
    return https


def secured(options: RunOptions, console: Console) -> RunOptions:
    """Returns the options for a build with HTTPS, if it is wanted."""
    overrides = dict(options.overrides or {})
    try:
        directory = find_application(options.app_dir)
        found = identity_of(directory, emulator.placed(options).overrides)
    except CompileError as error:
        raise WhitError(c_messages.near(str(error))) from error
    https = check_ports(options, found)
    if not https and not found.signs:
        return options
    shared = owner.key_of_another(found.certificate.parent, directory, found.name) if found.is_own else ""
    if shared:  # a copy of an example, for instance
        print(f"hint: {shared}", file=sys.stderr, flush=True)
    if not found.is_wanted and https:
        overrides["https.port"] = PORT
    if found.redirects and options.tap is None:
        overrides["https.port"] = options.https_port  # a redirect's Location names this port
    if found.is_own and not found.certificate.exists():
        from whit.certificate.authority import certifies
        from whit.commands.cert import issue

        address = (options.address or found.address).partition("/")[0]
        names = [options.host] if options.tap is None and certifies(options.host) else []
        issue(replace(found, address=address), names)
        near = c_messages.from_here(found.certificate)
        console.print(f"made a certificate, {near}; docs/https.md says how to make browsers trust it", soft_wrap=True)
    if found.is_own and not shared:
        with places.locked():
            owner.remember(found.certificate.parent, directory)
    return replace(options, overrides=overrides, https=https)
