# SPDX-License-Identifier: MIT
"""No jump and no address depends on a secret: valgrind follows secrets that are declared undefined (secret.c)."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.crypto.built import GCM, KINDS, MADE, compile_with

pytestmark = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")


# Compiled as for hosts and as for devices. p256-m tells valgrind which of its values become public.
@pytest.fixture(scope="module", params=["small -O2", "small -Os", "wide -O2"])
def program(request):
    kind, level = request.param.split()
    sources = (*KINDS[kind], GCM[kind], Path(__file__).with_name("secret.c"))
    compiler = ("gcc", level, "-g", "-DCT_VALGRIND")
    return compile_with(compiler, "flat", sources, MADE / f"secret-{kind}{level}")


def run(program, what):
    watched = ["valgrind", "--quiet", "--error-exitcode=7", program, what]
    return subprocess.run(watched, capture_output=True, text=True)


@pytest.mark.parametrize("what", ["p256_sign", "x25519", "hmac", "aead", "gcm"])
def test_nothing_depends_on_a_secret(program, what):
    done = run(program, what)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) == 128


def test_a_jump_that_depends_on_a_secret_is_told(program):
    done = run(program, "leak")
    assert done.returncode == 7 and "uninitialised" in done.stderr
