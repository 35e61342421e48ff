# SPDX-License-Identifier: MIT
"""The device's keys of app.toml: its network, its board, the budget of its image, its database, and its HTTPS."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Network:
    """The device's addresses on its link; None: the port decides."""

    address: str | None = None
    gateway: str | None = None
    prefix: int | None = None
    mac: str | None = None


@dataclass(frozen=True)
class Board:
    """The image's own settings: addresses in wire order, serial line, clock."""

    address: tuple[int, ...]
    gateway: tuple[int, ...]
    prefix: int
    mac: tuple[int, ...]
    baud: int
    avr_clock_hz: int
    serial: bool = False  # its link is that line


@dataclass(frozen=True)
class Budget:
    """Bounds of an image's cost, in octets; None: no bound. `lines` are those of app.toml, by key."""

    flash: int | None = None
    ram: int | None = None  # without the stack
    stack: int | None = None
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Database:
    """[database] of app.toml, defaults filled in. Lengths are in octets."""

    address: str
    port: int
    user: str
    name: str
    connections: int
    row: int
    rows: int
    timeout_ms: int
    methods: tuple[str, ...]
    password: bytes | None  # None: not set
    own: bool  # app.toml names no address: `whit run` starts the database
    kept: int | None  # answers that are kept; None: as many as the statements want
    kept_octets: int  # of one of them

    @property
    def kept_ram(self) -> int:
        """Octets that they take: each has a head of 24 (database/kept.c)."""
        return (self.kept or 0) * (24 + self.kept_octets + -self.kept_octets % 4)


@dataclass(frozen=True)
class Place:
    """The address and the ports at which a device serves its pages."""

    address: str
    port: int
    https_port: int | None  # None: no HTTPS


@dataclass(frozen=True)
class Identity:
    """A device's identity for clients of HTTPS and for callers whose replies it signs; paths of certificate and key."""

    name: str
    address: str
    certificate: Path
    key: Path
    is_own: bool  # app.toml names no certificate: `whit cert` puts it there
    is_wanted: bool  # the application has HTTPS
    redirects: bool  # plain HTTP only redirects
    signs: bool  # replies of services
    keeps: bool  # the application has persistent memory


@dataclass(frozen=True)
class Https:
    """[https] of app.toml, with defaults. The key is not included; an image gets it when it is run or flashed."""

    certificate: Path
    key: Path
    port: int
    plain: str  # the action of plain HTTP: one of PLAIN
    hsts_s: int  # of Strict-Transport-Security (RFC 6797); 0: none
    ticket_s: int  # a ticket resumes so long
    idle: int | None  # connections that may stay open idle; None: the port's
    message: bytes  # the Certificate message
    aes: bool  # AES-128-GCM is spoken too
    early: bool  # early data is accepted, and answered where a replay does no harm


PLAIN = ("serve", "redirect", "off")
EARLY = ("off", "idempotent")
