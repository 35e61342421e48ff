# SPDX-License-Identifier: MIT
"""A MariaDB of one's own: a process with its data in a directory, on addresses of this machine."""

import getpass
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from whit.errors import WhitError

PACKAGE, CLIENT_PACKAGE = "mariadb-server-core", "mariadb-client-core"
CLIENT = "mariadb"
FILES = "#files"  # the one directory that SQL may read files from and write them to
START_TIMEOUT_S = 60.0
END_TIMEOUT_S = 20.0
_SMALL = ("--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M", "--performance-schema=off")


def program(name: str) -> str:
    """Returns the program's path. WhitError says how to install it."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        line = f"apt-get install -y --no-install-recommends {CLIENT_PACKAGE if name == CLIENT else PACKAGE}"
        sudo = "" if os.geteuid() == 0 else "sudo "
        raise WhitError(f"the application's database needs {name}, which is not here; install it with: {sudo}{line}")
    return found


def version() -> str:
    """Returns the version of the installed MariaDB."""
    said = subprocess.run([program("mariadbd"), "--no-defaults", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Ver (\S+)", said)
    return found[1] if found else said.strip()


class ClientError(WhitError):
    """A statement that MariaDB refuses."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class MariaDB:
    """A running MariaDB. start() returns when it accepts connections. Its output goes to DIRECTORY/log."""

    def __init__(
        self, directory: Path, port: int, *, addresses: Sequence[str] = ("127.0.0.1",), options: Sequence[str] = ()
    ) -> None:
        self.directory, self.port = directory.resolve(), port  # which the server does not start in
        self._addresses, self._options = tuple(addresses), tuple(options)
        self._process: subprocess.Popen[bytes] | None = None
        if not (self.directory / "data" / "mysql").is_dir():
            self._install()

    def _install(self) -> None:
        """Creates the system tables. The server knows only the user who runs it, by its socket."""
        data = self.directory / "data"
        shutil.rmtree(data, ignore_errors=True)
        data.parent.mkdir(parents=True, exist_ok=True)
        user = getpass.getuser()
        command = [program("mariadb-install-db"), "--no-defaults", f"--datadir={data}", f"--user={user}"]
        command += ["--auth-root-authentication-method=socket", f"--auth-root-socket-user={user}"]
        command += ["--skip-test-db", "--skip-name-resolve"]
        program("mariadbd")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            shutil.rmtree(data, ignore_errors=True)
            raise WhitError(f"{data}: MariaDB made no tables there:\n{done.stdout.strip()}")

    def start(self, sql: str = "") -> None:
        """Starts the server. sql: executed before it accepts connections. WhitError: no start, or the SQL is wrong."""
        log, first = self.directory / "log", self.directory / "first.sql"
        first.touch(mode=0o600)
        first.write_text(sql)
        command = [program("mariadbd"), "--no-defaults", f"--user={getpass.getuser()}", "--skip-name-resolve"]
        command += [f"--datadir={self.directory / 'data'}", "--socket=mariadbd.sock", "--pid-file=mariadbd.pid"]
        command += [f"--bind-address={','.join(self._addresses)}", f"--port={self.port}", f"--init-file={first}"]
        (self.directory / "data" / FILES).mkdir(exist_ok=True, mode=0o700)
        command += [f"--secure-file-priv={self.directory / 'data' / FILES}", *_SMALL, *self._options]
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", *command]
        with open(log, "wb") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, process_group=0
            )
        end = time.monotonic() + START_TIMEOUT_S
        while "ready for connections" not in (said := log.read_text(errors="replace")):
            if self._process.poll() is not None or time.monotonic() > end:
                self.end()
                raise WhitError(f"MariaDB did not start:\n{said.strip()}")
            time.sleep(0.05)
        first.unlink()
        if mistake := re.search(r"^ERROR: \d+ +(.*)", said, re.MULTILINE):
            self.end()
            raise WhitError(mistake[1])

    def load(self, file: Path, database: str) -> None:
        """Runs a file of SQL in the client, as the user who owns the tables. ClientError: a statement is refused.

        The client accepts DELIMITER and BLOBs of a dump. In binary mode it has no command that reads files or starts
        programs.
        """
        with file.open("rb") as given:
            self._client(["--binary-mode", f"--database={database}"], given)

    def ask(self, sql: str) -> list[list[str]]:
        """Rows, as the user who owns the tables."""
        with tempfile.TemporaryFile() as given:
            given.write(sql.encode())
            given.seek(0)
            said = self._client([], given)
        return [line.split("\t") for line in said.decode(errors="replace").splitlines()]

    def _client(self, options: Sequence[str], given: IO[bytes]) -> bytes:
        command = [program(CLIENT), "--no-defaults", "--socket=mariadbd.sock", f"--user={getpass.getuser()}"]
        command += ["--default-character-set=utf8mb4", "--local-infile=0", "--batch", "--skip-column-names", *options]
        done = subprocess.run(command, cwd=self.directory / "data", stdin=given, capture_output=True)
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip()
            found = re.search(r"^ERROR \d+ (?:\(\w+\) )?(?:at line (\d+): )?(.*)", said, re.MULTILINE | re.DOTALL)
            line = int(found[1]) if found and found[1] else None
            raise ClientError(" ".join((found[2] if found else said).split()), line)
        return done.stdout

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Ends the server at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def end(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def kept_password(file: Path) -> str:
    """Returns the password in the file; makes a random one if the file is missing. Only its owner can read it."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(24) + "\n")
    return file.read_text().removesuffix("\n")


def quoted(text: str) -> str:
    """A string of SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
