# SPDX-License-Identifier: MIT
"""The engine's memory contains a connection's secrets once, and not at all after its end."""

import ctypes

import pytest
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile

from tests.https.early import Early
from tests.https.secured import started
from tests.support import get
from whit.paths import ROOT
from whit_testbed.engine import Engine
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "secure"
SWEPT_S, FORGOTTEN_S = 70, 200  # an engine with nothing to do is called each minute


def memory(engine: Engine) -> bytes:
    """Returns all writable memory of the engine."""
    with engine.image.open("rb") as file:
        elf = ELFFile(file)
        (key,) = elf.get_section_by_name(".dynsym").get_symbol_by_name("whit_inprocess_key")
        loads = [one.header for one in elf.iter_segments("PT_LOAD") if one.header.p_flags & P_FLAGS.PF_W]
    base = engine.key_at - key.entry.st_value
    return b"".join(ctypes.string_at(base + one.p_vaddr, one.p_memsz) for one in loads)


def opened(net: Net, address: str) -> tuple[Early, bytes]:
    """A connection after its handshake, and the server's secret."""
    client = Early(net, address=address)
    assert client.ticket()
    return client, client.tls.secret


def test_what_moves_leaves_nothing() -> None:
    """The block of a connection closes the gap of another one that has ended."""
    with started(APP, idle=0, connections=3, https__port=443) as engine:
        net = Net(engine)
        first, _ = opened(net, "10.0.0.2")
        second, secret = opened(net, "10.0.0.3")
        assert memory(engine).count(secret) == 1
        first.connection.abort()
        net.idle(1)
        assert memory(engine).count(secret) == 1
        second.say(get("/"))
        assert len(second.wait()) == 1
        second.connection.abort()
        net.idle(1)
        assert secret not in memory(engine)


@pytest.mark.parametrize("tags", [16, 2000])
@pytest.mark.parametrize("said", [True, False])
def test_an_idle_connection_that_ends(tags: int, said: bool) -> None:
    """Keys are wiped when an idle connection ends by its FIN or by its timeout."""
    with started(APP, tags=tags, https__port=443) as engine:
        net = Net(engine)
        client, secret = opened(net, "10.0.0.2")
        client.say(get("/"))
        assert len(client.wait()) == 1
        net.idle(SWEPT_S)
        assert memory(engine).count(secret) == 1
        if said:
            client.connection.close()
        net.idle(SWEPT_S if said else FORGOTTEN_S)
        assert secret not in memory(engine)
