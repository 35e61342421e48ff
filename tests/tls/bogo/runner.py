# SPDX-License-Identifier: MIT
"""BoGo, BoringSSL's test suite. Its runner, written in Go, starts the server under test once for each case (shim.c). It
acts as a client that breaks the protocol. The source package is fetched, and built with Debian's modules."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.crypto.built import GCM, had
from tests.tls.host import MADE, floor
from whit.paths import ROOT

HERE = Path(__file__).parent
MODULES = Path("/usr/share/gocode")
PACKAGE = "src/boringssl.googlesource.com/boringssl"
PLACES = {"hpke.go": "ssl/test/runner/hpke", "kem.go": "ssl/test/runner/hpke", "hrss.go": "ssl/test/runner/hrss"}
PLACES |= {"testresult.go": "util/testresult"}
# The client's order of suites: AES first, as browsers of processors with AES have it.
SUITES = re.compile(r"(\t{TLS_CHACHA20_POLY1305_SHA256, .*\n)(\t{TLS_AES_128_GCM_SHA256, .*\n)")
CHOICE = tomllib.loads((HERE / "cases.toml").read_text())
TIME_OUT_S = 600


@cache
def runner() -> tuple[Path, Path]:
    """The program, and the directory of its certificates."""
    go = shutil.which("go")
    if go is None or not (MODULES / "src/golang.org/x/crypto").exists():
        pytest.skip("golang-go or golang-golang-x-crypto-dev is not installed")
    found = had("bogo")
    place = MADE / found.name
    program, resources = place / "runner-aes-first", place / PACKAGE / "ssl/test/runner"
    if not program.exists():
        for path in found.iterdir():
            if path.name != "hpke_test.go":
                to = place / PACKAGE / PLACES.get(path.name, "ssl/test/runner") / path.name
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to)
        suites = place / PACKAGE / "ssl/test/runner/cipher_suites.go"
        turned, times = SUITES.subn(r"\2\1", suites.read_text())
        assert times == 1
        suites.write_text(turned)
        settings = {"GO111MODULE": "off", "GOPATH": f"{place}:{MODULES}", "GOFLAGS": "", "CGO_ENABLED": "0"}
        made = program.with_suffix(f".{os.getpid()}")
        done = subprocess.run(
            [go, "test", "-c", "-o", made, "boringssl.googlesource.com/boringssl/ssl/test/runner"],
            env=os.environ | settings,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        made.replace(program)
    return program, resources


@dataclass(frozen=True)
class Shim:
    """A build of shim.c."""

    kind: str  # of cryptography
    aes: bool = False

    @property
    def cases(self) -> set[str]:
        """Returns the cases that the shim passes."""
        return {*CHOICE["run"], *(CHOICE["run_by_aes"] if self.aes else ())}

    @property
    def left_out(self) -> dict[str, str]:
        """Patterns of cases, and why."""
        tables = (CHOICE["left_out"], CHOICE["left_out_by_aes" if self.aes else "left_out_without_aes"])
        return {pattern: why for table in tables for why, patterns in table.items() for pattern in patterns}


SHIMS = {
    "chacha": Shim("small"),
    "aes-of-a-device": Shim("small", aes=True),
    "aes-of-a-host": Shim("wide", aes=True),
}
"""The last goes by the client's order, where this processor has instructions for AES: so by AES."""


@cache
def program(by: Shim) -> Path:
    """Every fault of arithmetic or of a bound ends it."""
    words = ["-fsanitize=undefined,bounds", "-fno-sanitize-recover=all", f"-I{ROOT / 'ports'}"]
    words += ["-DWHIT_TLS_ALONE=0", f"-DWHIT_HTTPS_AES={by.aes:d}"]
    words += ["-DWHIT_TLS_KEYS=4"] if by.kind == "wide" else []
    sources = (HERE / "shim.c", *((GCM[by.kind],) if by.aes else ()))
    return floor(f"shim-{by.kind}-{by.aes:d}", *words, *sources, kind=by.kind)


def run(by: Shim, cases: Collection[str] = (), *, workers: int = 2) -> tuple[Mapping[str, str], str]:
    """Returns the result of each case (PASS, FAIL or SKIP), and the runner's messages for failures. No names: all
    cases."""
    bogo, resources = runner()
    with tempfile.TemporaryDirectory() as scratch:
        config, results = Path(scratch, "config"), Path(scratch, "results")
        alerts = {name: f"alert {number}" for name, number in CHOICE["alerts"].items()}
        config.write_text(json.dumps({"DisabledTests": by.left_out, "ErrorMap": alerts}))
        options = {
            "shim-path": program(by),
            "shim-config": config,
            "resource-dir": resources,
            "json-output": results,
            "num-workers": workers,
            "idle-timeout": "10s",
            "test": ";".join(cases),
        }
        words = [f"-{name}={value}" for name, value in options.items()]
        command = [bogo, "-pipe", "-loose-errors", "-allow-unimplemented", *words]
        said = subprocess.run(command, capture_output=True, text=True, timeout=TIME_OUT_S, cwd=resources)
        assert results.exists(), said.stdout[-2000:] + said.stderr
        ended = {name: one["actual"] for name, one in json.loads(results.read_text())["tests"].items()}
    lines = [line for line in said.stdout.splitlines() if not line.startswith(("PASSED (", "UNIMPLEMENTED ("))]
    return ended, "\n".join(lines)
