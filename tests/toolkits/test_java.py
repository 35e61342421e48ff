# SPDX-License-Identifier: MIT
"""Metro and CXF make classes from the WSDL of apps/services, and call its functions: on this machine and on an emulated
Cortex-M3. One client serves both, as both follow JAX-WS."""

import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.toolkits.support import CLIENTS, TEXT, VERSIONS, check, fetched, said_by
from whit_testbed.toolkits import MAVEN_CXF, MAVEN_METRO, by_maven

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("toolkits"),
    pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed"),
]
METRO = ("com.sun.tools.ws.WsImport", "-extension", "-keep", "-Xnocompile", "-p", "thermostat", "-s")
CXF = ("org.apache.cxf.tools.wsdlto.WSDLToJava", "-p", "thermostat", "-d")
TOOLKITS = {"metro": (MAVEN_METRO, METRO), "cxf": (MAVEN_CXF, CXF)}
Built = Callable[[str, str], list[str]]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The command of a client that a toolkit made of the WSDL of a server."""
    made: dict[str, list[str]] = {}

    def command(toolkit: str, origin: str) -> list[str]:
        if toolkit not in made:
            made[toolkit] = _built(*TOOLKITS[toolkit], origin, tmp_path_factory.mktemp(toolkit))
        return made[toolkit]

    return command


def _built(packages: Sequence[str], tool: Sequence[str], origin: str, scratch: Path) -> list[str]:
    jars, wsdl = f"{fetched(by_maven, packages)}/*", scratch / "thermostat.wsdl"
    with urllib.request.urlopen(f"{origin}/thermostat?wsdl", timeout=20) as answer:
        wsdl.write_bytes(answer.read())
    _run("java", "-cp", jars, *tool, scratch, wsdl)
    sources = (*sorted((scratch / "thermostat").glob("*.java")), CLIENTS / "Client.java")
    _run("javac", "-encoding", "utf-8", "-nowarn", "-cp", jars, "-d", scratch / "classes", *sources)
    options = ["-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8", "-XX:TieredStopAtLevel=1"]
    return ["java", *options, "-cp", f"{jars}:{scratch / 'classes'}", "Client"]


def _run(*words: object) -> None:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_here(client: Built, thermostat: str, toolkit: str, version: str) -> None:
    check(
        said_by([*client(toolkit, thermostat), f"{thermostat}/thermostat?wsdl", version, TEXT], LC_ALL="C.UTF-8"),
        version,
    )


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_on_a_device(client: Built, device: str, toolkit: str) -> None:
    version = "1.1" if toolkit == "metro" else "1.2"
    check(said_by([*client(toolkit, device), f"{device}/thermostat?wsdl", version, TEXT], LC_ALL="C.UTF-8"), version)
