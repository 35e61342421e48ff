# SPDX-License-Identifier: MIT
"""Third-party clients of services. A test fetches them on first use into .whit/toolkits.

They are not part of .venv: some of their packages conflict with it.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from whit.errors import WhitError
from whit.paths import ROOT
from whit.setup.alone import alone

THERE = ROOT / ".whit" / "toolkits"
NPM_SOAP = ("soap@1.13.0",)
NPM_OPENAPI = ("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3")
PIP_OPENAPI = (
    *("openapi-python-client==0.29.1", "httpx==0.28.1", "httpcore==1.0.9", "h11==0.16.0"),
    *("anyio==4.16.0", "ruamel.yaml==0.19.1"),
)
PIP_TLS = ("sslyze==6.3.1", "nassl==5.4.0", "tls-parser==2.0.2", "tlslite-ng==0.8.2", "ecdsa==0.19.1")
"""The rest that it needs is in .venv."""
PIP_XMLSEC = ("xmlsec==1.3.17",)
"""It has the libxml2 of the lxml in .venv, as it must."""
MAVEN_METRO = ("com.sun.xml.ws:jaxws-rt:2.3.7", "com.sun.xml.ws:jaxws-tools:2.3.7")
MAVEN_CXF = tuple(
    f"org.apache.cxf:cxf-{name}:3.5.11"
    for name in (
        *("rt-frontend-jaxws", "rt-transports-http", "rt-ws-security"),
        *("tools-wsdlto-frontend-jaxws", "tools-wsdlto-databinding-jaxb"),
    )
)
_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>whit</groupId><artifactId>toolkit</artifactId><version>1</version>
<dependencies>{dependencies}</dependencies>
</project>
"""
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies"


def by_npm(packages: Sequence[str]) -> Path:
    """Returns the node_modules with these packages. Raises WhitError if they cannot be fetched."""
    npm = shutil.which("npm")
    if npm is None:
        raise WhitError(f"npm is not here, which would fetch {packages[0]}")
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]
    return (
        _fetched(packages, lambda into: [npm, "install", *options, "--prefix", str(into), *packages]) / "node_modules"
    )


def by_maven(packages: Sequence[str]) -> Path:
    """Returns the directory of their jars and dependencies. Raises WhitError if they cannot be fetched."""
    mvn = shutil.which("mvn")
    if mvn is None:
        raise WhitError(f"mvn is not here, which would fetch {packages[0]}")

    def command(into: Path) -> list[str]:
        parts = (zip(("groupId", "artifactId", "version"), one.split(":"), strict=True) for one in packages)
        each = ("".join(f"<{name}>{value}</{name}>" for name, value in one) for one in parts)
        pom = into.parent / "pom.xml"
        pom.write_text(_POM.format(dependencies="".join(f"<dependency>{one}</dependency>" for one in each)))
        return [mvn, "--quiet", "--batch-mode", "--file", str(pom), _COPY, f"-DoutputDirectory={into}"]

    return _fetched(packages, command)


def by_pip(packages: Sequence[str]) -> Path:
    """Returns a directory for PYTHONPATH with these packages. Raises WhitError if they cannot be fetched."""
    options = ["--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [sys.executable, "-m", "pip", "install", *options]
    return _fetched(packages, lambda into: [*command, "--target", str(into), *packages])


def _fetched(packages: Sequence[str], command: Callable[[Path], list[str]]) -> Path:
    name = packages[0].partition("@")[0].partition("=")[0].replace(":", "-")
    there = THERE / f"{name}-{_digest(packages)}"
    with alone(THERE / "lock"):
        if there.exists():
            return there
        with tempfile.TemporaryDirectory(dir=THERE) as scratch:
            into = Path(scratch, "made")
            into.mkdir()
            said = subprocess.run(command(into), capture_output=True, text=True)
            if said.returncode != 0:
                reason = (said.stderr or said.stdout).strip().rpartition("\n")[2]
                raise WhitError(f"{packages[0]} cannot be fetched: {reason}")
            into.rename(there)
    return there


def _digest(packages: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
