# SPDX-License-Identifier: MIT
"""Fetches servers and libraries for comparisons that no package installs.

`python -m whit_lab.peers NAME...` fetches these; without a name all of them.
"""

import sys
from collections.abc import Callable, Iterable

from whit.errors import WhitError
from whit.setup import packages
from whit_lab.real import mbedtls, unpacked
from whit_testbed import lwip_build

PEERS: dict[str, Callable[[], object]] = {
    packages.LWIP: lwip_build.sources,
    packages.MBEDTLS: mbedtls.sources,
    packages.NGINX: lambda: unpacked.unpack("nginx"),
    packages.ED25519: lambda: unpacked.unpack_file("mariadb-server", "/usr/lib/mysql/plugin/auth_ed25519.so"),
}


def fetch(names: Iterable[str]) -> None:
    """Fetches each peer, and prints the unavailable ones. Their tests and experiments are then skipped."""
    for name in names:
        try:
            PEERS[name]()
        except WhitError as error:
            print(f"whit: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    fetch(sys.argv[1:] or PEERS)
