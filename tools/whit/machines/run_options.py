# SPDX-License-Identifier: MIT
"""The options of `whit run`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whit import sudo
from whit.compiler.model import Application
from whit.errors import WhitError
from whit.paths import KEPT, directory_name


@dataclass(frozen=True)
class RunOptions:
    """Options of the command line. None: the value in app.toml, or else the default."""

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
    ladder: Path | None = None
    https: bool = False  # HTTPS, also without app.toml's; secured() decides if it is served
    https_port: int = 8443  # this machine's port for it
    has_https_port: bool = False  # the command line gives it

    log: bool = False  # a line for each request, on standard error
    unconfined: bool = False  # the server keeps root's rights and all system calls

    run_port: int = 0  # for sources that name WHIT_RUN_PORT
    html_end: bytes = b""  # follows each HTML file, for --live
    own_database: Path | None = None  # the data of a database that the command has started

    def data_file(self, application: Application, name: str = "persistent.bin") -> Path:
        """Returns the file of persistent memory; creates its directory."""
        return self.data_directory(application.name) / name

    def data_place(self, application_name: str) -> Path:
        """Returns the directory of all data of an application. It may not exist yet."""
        if self.data is not None:
            return self.data
        directory = KEPT / directory_name(application_name)
        earlier = Path(".whit") / directory.name
        if earlier.is_dir() and not directory.exists():
            return earlier.absolute()  # earlier versions kept them in the current directory
        return directory

    def data_directory(self, application_name: str) -> Path:
        """Returns the same directory, and makes it."""
        directory = self.data_place(application_name)
        ours = directory.is_relative_to(KEPT) or not directory.exists()
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if ours:
                sudo.give(directory, "persistent.bin*")
        except OSError as error:
            raise WhitError(
                f"{directory}: {error.strerror}; name a directory that can be written with --data"
            ) from error
        return directory

    def tap_address(self, application: Application) -> str:
        """Address and prefix length of the engine on a TAP device."""
        network = application.network
        return self.address or f"{network.address or '10.7.0.2'}/{network.prefix or 24}"
