# SPDX-License-Identifier: MIT
"""Apache in front of a service, by HTTP and HTTPS: as a proxy, and with a CGI program."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from whit.errors import WhitError
from whit_lab.real.namespace import Namespace
from whit_lab.real.servers import MODULES
from whit_lab.real.unpacked import program

HOST, HTTP, HTTPS = "127.0.0.1", 7080, 7443
PROXIED, CGI = "/proxied", "/cgi"
READY_S = 10.0
_MODULES = "mpm_event authz_core alias env cgid ssl socache_shmcb proxy proxy_http"  # in this order: ssl needs socache
SETTINGS = """\
ServerRoot {directory}
PidFile {directory}/pid
ErrorLog {directory}/log
DefaultRuntimeDir {directory}
ServerName {host}
Listen {host}:{http}
Listen {host}:{https}
{modules}
StartServers 1
User www-data
Group www-data
ScriptSock {directory}/cgid.sock
ScriptAlias {cgi} {directory}/service.cgi
{environment}
ProxyPass {proxied} {url}
<VirtualHost {host}:{https}>
    SSLEngine on
    SSLProtocol TLSv1.3
    SSLSessionTickets off
    SSLCertificateFile {directory}/both.pem
    ScriptAlias {cgi} {directory}/service.cgi
    ProxyPass {proxied} {url}
</VirtualHost>
<Directory {directory}>
    Require all granted
</Directory>
"""


def why_not() -> str:
    """Returns the missing program, or "" if Apache is installed."""
    return "" if program("apache2") else "apache2 is not installed; the package apache2-bin brings it"


@contextmanager
def before(
    namespace: Namespace, url: str, script: Path, pem: Path, environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Runs Apache. Requests below PROXIED go to the URL, requests below CGI to the program. pem: a key and its
    certificate."""
    with tempfile.TemporaryDirectory(prefix="whit-apache-") as made:
        directory = Path(made)
        directory.chmod(0o755)
        (directory / "both.pem").write_bytes(pem.read_bytes())
        (directory / "service.cgi").write_bytes(script.read_bytes())
        (directory / "service.cgi").chmod(0o755)
        settings = directory / "conf"
        settings.write_text(
            SETTINGS.format(
                directory=directory,
                host=HOST,
                http=HTTP,
                https=HTTPS,
                cgi=CGI,
                proxied=PROXIED,
                url=url,
                modules="\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in _MODULES.split()),
                environment="\n".join(f"SetEnv {name} {value}" for name, value in (environment or {}).items()),
            )
        )
        process = subprocess.Popen(
            namespace.inside(str(program("apache2")), "-DFOREGROUND", "-f", str(settings)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, namespace, directory / "log")
            yield
        finally:
            process.terminate()
            process.communicate()


def _wait(process: subprocess.Popen[bytes], namespace: Namespace, log: Path) -> None:
    deadline = time.monotonic() + READY_S
    while f":{HTTPS} ".encode() not in namespace.do("ss", "--listening", "--tcp", "--numeric", "--no-header"):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            said = process.communicate()[0].decode(errors="replace")
            lines = (said + (log.read_text(errors="replace") if log.exists() else "")).strip().splitlines()
            raise WhitError(f"lab: Apache: {lines[-1] if lines else 'it does not listen'}", 1)
        time.sleep(0.02)
