# SPDX-License-Identifier: MIT
"""Sets the application's address for `whit run`. The WSDL of services with SOAP names it, with https if that is served,
unless app.toml sets an address. Sources may name WHIT_RUN_PORT."""

import re
import tomllib
from dataclasses import replace
from ipaddress import IPv4Interface
from pathlib import Path

from whit.image.build import find_application
from whit.machines.run_options import RunOptions
from whit.plain_files import SETTINGS_MAX, SOURCES_MAX, below, octets_of

KEY = "services.address"
_SOAP = re.compile(r"<service\b[^>]*\bas\s*=\s*[\"'][^\"']*\bsoap\b")
_RUN_PORT = re.compile(r"\bWHIT_RUN_PORT\b")


def described(options: RunOptions) -> RunOptions:
    """Adds the address for an application with SOAP, and the port for one that uses WHIT_RUN_PORT. Others are built
    without them. `options` come from secured()."""
    directory = find_application(options.app_dir)
    if options.tap is None and _has(directory, _RUN_PORT):
        options = replace(options, run_port=options.port)
    if KEY in (options.overrides or {}) or _is_said(directory) or not _has(directory, _SOAP):
        return options
    if options.tap is not None:
        return _on_tap(options)
    host = "127.0.0.1" if options.host == "0.0.0.0" else options.host
    scheme, port = ("https", options.https_port) if options.https else ("http", options.port)
    where = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    return replace(options, overrides={**(options.overrides or {}), KEY: where})


def _on_tap(options: RunOptions) -> RunOptions:
    """Sets the address on a TAP device: the build's network.address. The server reports a wrong one."""
    try:
        host = str(IPv4Interface(options.address or "").ip)
    except ValueError:
        return options
    return replace(options, overrides={"network.address": host, **(options.overrides or {})})


def _has(directory: Path, pattern: re.Pattern[str]) -> bool:
    try:
        sources = (octets_of(source, SOURCES_MAX) for source in below(directory, ".c", ".h"))
        return any(pattern.search(octets.decode(errors="replace")) for octets in sources)
    except OSError:  # the build reports it
        return False


def _is_said(directory: Path) -> bool:
    try:
        settings = tomllib.loads(octets_of(directory / "app.toml", SETTINGS_MAX).decode())
    except (OSError, ValueError, RecursionError):
        return False
    table = settings.get("services")
    return isinstance(table, dict) and "address" in table
