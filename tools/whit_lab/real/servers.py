# SPDX-License-Identifier: MIT
"""nginx and Apache in a namespace, each with the files of one directory.

Their relevant settings are Debian's: connections are kept, text is compressed.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from whit.errors import WhitError
from whit_lab.real.namespace import Namespace
from whit_lab.real.relay import SERVER
from whit_lab.real.unpacked import UNPACKED, program

MODULES = Path("/usr/lib/apache2/modules")
READY_S, END_S = 10.0, 10.0

NGINX = """\
daemon off;
user root;
worker_processes 1;
pid {directory}/pid;
error_log {directory}/log;
events {{ }}
http {{
    types {{ text/html html; text/css css; application/javascript js; image/png png; }}
    default_type application/octet-stream;
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 65;
    gzip on;
    gzip_types text/css application/javascript;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    server {{ listen {address}:80; root {files}; index index.html; }}
}}
"""
APACHE = """\
ServerRoot {directory}
PidFile {directory}/pid
ErrorLog {directory}/log
DefaultRuntimeDir {directory}
ServerName {address}
Listen {address}:80
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule mime_module {modules}/mod_mime.so
LoadModule filter_module {modules}/mod_filter.so
LoadModule deflate_module {modules}/mod_deflate.so
StartServers 1
User www-data
Group www-data
KeepAlive On
KeepAliveTimeout 5
TypesConfig /dev/null
AddType text/html .html
AddType text/css .css
AddType application/javascript .js
AddType image/png .png
AddOutputFilterByType DEFLATE text/html text/css application/javascript
DirectoryIndex index.html
DocumentRoot {files}
<Directory {files}>
    Require all granted
</Directory>
"""


def _nginx(program: str, directory: Path, files: Path) -> list[str]:
    settings = directory / "conf"
    settings.write_text(NGINX.format(directory=directory, files=files, address=SERVER))
    return [program, "-p", str(directory), "-e", str(directory / "log"), "-c", str(settings)]


def _apache(program: str, directory: Path, files: Path) -> list[str]:
    settings = directory / "conf"
    settings.write_text(APACHE.format(directory=directory, files=files, address=SERVER, modules=MODULES))
    return [program, "-DFOREGROUND", "-f", str(settings)]


_SERVERS: Mapping[str, tuple[str, Callable[[str, Path, Path], list[str]]]] = {
    "nginx": ("nginx", _nginx),
    "Apache": ("apache2", _apache),
}
NAMES = tuple(_SERVERS)


def why_not(name: str) -> str:
    """Returns the reason if the server cannot run; "" if it can."""
    word = _SERVERS[name][0]
    path = program(word)
    if path is None:
        return f"{word} is neither installed nor in {UNPACKED.parent.name}/{UNPACKED.name}"
    tried = subprocess.run([path, "-v"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"{path}: {tried.stderr.strip()}"


def version(name: str) -> str:
    """Returns the version as the server prints it: nginx/1.22.1."""
    said = subprocess.run([str(program(_SERVERS[name][0])), "-v"], capture_output=True, text=True)
    words = (said.stdout + said.stderr).split()
    return next((word for word in words if "/" in word), name)


@contextmanager
def serving(name: str, namespace: Namespace, files: Mapping[str, bytes]) -> Iterator[int]:
    """Serves the files at SERVER, from listening to the end of the block. Yields its process."""
    word, settings = _SERVERS[name]
    executable = program(word)
    if executable is None:
        raise WhitError(f"lab: {why_not(name)}")
    with tempfile.TemporaryDirectory(prefix="whit-server-") as made:
        directory = Path(made)
        directory.chmod(0o755)
        content = directory / "files"
        content.mkdir()
        for path, octets in files.items():
            (content / path).write_bytes(octets)
        process = subprocess.Popen(
            namespace.inside(*settings(executable, directory, content)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(name, process, namespace, directory / "log")
            yield process.pid
        finally:
            process.terminate()
            try:
                process.communicate(timeout=END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def _wait(name: str, process: subprocess.Popen[bytes], namespace: Namespace, log: Path) -> None:
    """Waits until the server listens."""
    deadline = time.monotonic() + READY_S
    while b":80 " not in namespace.do("ss", "--listening", "--tcp", "--numeric", "--no-header"):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            said = process.communicate()[0].decode(errors="replace")
            log_said = log.read_text(errors="replace") if log.exists() else ""
            lines = (said + log_said).strip().splitlines() or ["it does not listen"]
            raise WhitError(f"lab: {name}: {lines[-1]}", 1)
        time.sleep(0.02)
