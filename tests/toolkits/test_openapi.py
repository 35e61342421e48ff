# SPDX-License-Identifier: MIT
"""Clients that openapi-python-client and openapi-typescript make of the OpenAPI of apps/services call it."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.toolkits.support import CLIENTS, TEXT, fetched, said_by
from whit_testbed.toolkits import NPM_OPENAPI, PIP_OPENAPI, by_npm, by_pip

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toolkits")]
SAID = {
    "echo": TEXT,
    "unit": "f",
    "points": [20.5, 16.0],
    "fault": "a room has 5 to 30 degrees",
}


def description(thermostat: str, directory: Path) -> Path:
    """Returns the description without forms, as of functions whose `as` has no form. A body of two types breaks the
    Python of openapi-python-client 0.29, and gives openapi-fetch a result that is a text as well as an object."""
    with urllib.request.urlopen(f"{thermostat}/openapi.json", timeout=20) as served:
        told = json.load(served)
    for item in told["paths"].values():
        item["post"].get("requestBody", {"content": {}})["content"].pop("application/x-www-form-urlencoded", None)
        item["post"]["responses"]["200"]["content"].pop("text/plain", None)
    file = directory / "openapi.json"
    file.write_text(json.dumps(told))
    return file


def test_openapi_python_client(thermostat: str, tmp_path: Path) -> None:
    path = {"PYTHONPATH": f"{fetched(by_pip, PIP_OPENAPI)}:{tmp_path}"}
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"post_hooks": []}))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--config", str(config)]
    command += ["--path", str(description(thermostat, tmp_path)), "--output-path", str(tmp_path / "made")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | path)
    assert done.returncode == 0 and "warning" not in done.stdout.lower(), done.stdout + done.stderr
    assert said_by([sys.executable, CLIENTS / "openapi_client.py", thermostat, TEXT], **path) == SAID


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_openapi_typescript(thermostat: str, tmp_path: Path) -> None:
    """The generated types restrict calls to the functions' arguments: the compiler refuses another unit."""
    modules = fetched(by_npm, NPM_OPENAPI)
    (tmp_path / "node_modules").symlink_to(modules)
    types = tmp_path / "thermostat.d.ts"
    made = ["node", modules / "openapi-typescript/bin/cli.js", description(thermostat, tmp_path), "-o", types]
    subprocess.run(made, check=True, capture_output=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    source = (CLIENTS / "openapi_client.ts").read_text()
    (tmp_path / "client.ts").write_text(source)
    flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
    compile = ["node", str(modules / "typescript/bin/tsc"), *flags]
    done = subprocess.run([*compile, "client.ts"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert said_by(["node", tmp_path / "client.js", thermostat, TEXT]) == SAID
    (tmp_path / "wrong.ts").write_text(source.replace('unit: "f"', 'unit: "x"'))
    done = subprocess.run([*compile, "--noEmit", "wrong.ts"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode != 0 and """Type '"x"' is not assignable""" in done.stdout
