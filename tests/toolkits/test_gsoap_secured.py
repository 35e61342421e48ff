# SPDX-License-Identifier: MIT
"""gSOAP calls running images by its plugin for WS-Security: with a digest of a password, and with a signature by RSA.
Its signatures by ECDSA are in DER, which XML Signature has not."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from whit.paths import ROOT
from whit.real import gsoap

from tests.browser.served import served
from tests.toolkits.support import CLIENTS, said_by

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("toolkits"),
    pytest.mark.skipif(bool(gsoap.why_not()), reason=gsoap.why_not()),
]
APPS, KEYS = ROOT / "tests" / "apps", ROOT / "tests" / "wss"


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WHIT_TEST_PASSWORD", "secret")
        with served(APPS / "secured", tmp_path_factory.mktemp("data")) as url:
            yield f"{url}lamp"


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(APPS / "signed", tmp_path_factory.mktemp("data")) as url:
        yield f"{url}device"


@pytest.fixture(scope="module")
def client(lamp: str, device: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of what gSOAP's two compilers make of both WSDLs and of its own header of WS-Security."""
    scratch, shared = tmp_path_factory.mktemp("gsoap"), gsoap.SHARED
    run(scratch, "wsdl2h", "-c", "-o", "made.h", f"{device}.wsdl", f"{lamp}.wsdl")
    (scratch / "all.h").write_text('#import "wsse.h"\n' + (scratch / "made.h").read_text())
    run(scratch, "soapcpp2", "-c", "-C", "-L", "-w", "-x", f"-I{shared / 'import'}:{shared}", "all.h")
    includes = ("-I.", f"-I{shared}", f"-I{shared / 'plugin'}")
    plugin = (shared / name for name in (*gsoap.PLUGIN, "custom/struct_timeval.c"))
    sources = (CLIENTS / "secured.c", "soapC.c", "soapClient.c", *plugin)
    libraries = ("-lgsoapssl", "-lssl", "-lcrypto", "-lz")
    run(scratch, "gcc", "-w", *gsoap.AS_INSTALLED, *includes, *sources, "-o", "client", *libraries)
    return scratch / "client"


def run(directory: Path, *words: str | Path) -> None:
    done = subprocess.run([str(word) for word in words], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_digest(client: Path, lamp: str) -> None:
    said = said_by([client, lamp, "secret"])
    assert said["levels"] == [40, 41] and said["calls"] == [1, 2]
    assert said["code"].endswith("MessageExpired")
    with pytest.raises(AssertionError, match="FailedAuthentication"):
        said_by([client, lamp, "sesame"])


def test_signed(client: Path, device: str) -> None:
    said = said_by([client, device, KEYS / "rsa_key.pem", KEYS / "rsa.pem"])
    assert said["levels"] == [40, 41] and said["calls"] == [1, 2]
    assert said["code"].endswith("MessageExpired")
