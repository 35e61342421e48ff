# SPDX-License-Identifier: MIT
"""What `whit run` is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunOptions:
    """What the command line asks for. None: the application's word in app.toml, or else the default."""

    app_dir: str
    port: int = 8080
    host: str = "127.0.0.1"
    tap: str | None = None
    address: str | None = None
    gateway: str | None = None
    pcap: Path | None = None
    data: Path | None = None
    counters: bool = False
    live: bool = False
    overrides: Mapping[str, object] | None = None
    target: str = "linux"
