# SPDX-License-Identifier: MIT
"""https.aes: AES-128-GCM beside ChaCha20-Poly1305."""

from pathlib import Path

import pytest

from tests.crypto.built import has_aes
from tests.https.early import Early
from tests.https.secured import started
from tests.support import MADE_FILES, get
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.tls import AES_128_GCM, CHACHA20_POLY1305

AES, CHACHA = (AES_128_GCM,), (CHACHA20_POLY1305,)
FILES = ("n0.bin", "n33.bin", "n752.bin", "n4000.bin")


@pytest.mark.parametrize("suites", [AES, CHACHA, AES + CHACHA, CHACHA + AES])
@pytest.mark.parametrize("heads", ["octets", "code"])
def test_which_one_is_chosen(application: Path, heads: str, suites: tuple[int, ...]) -> None:
    """A processor without AES instructions uses AES only for clients that have nothing else. A host (heads="code") with
    them follows the client's order."""
    chosen = suites[0] if heads == "code" and has_aes() else min(suites, key=lambda one: one != CHACHA20_POLY1305)
    with started(application, https__aes=True, heads=heads) as engine:
        client = Early(Net(engine), suites=suites)
        assert client.ticket() and client.tls.suite == chosen


def test_without_it_a_client_that_has_nothing_else_is_refused(application: Path) -> None:
    with started(application) as engine:
        client = Early(Net(engine), suites=AES)
        client.wait(for_s=5)
        assert client.tls.alert == 40  # handshake_failure


@pytest.mark.parametrize("early", ["off", "idempotent"])
@pytest.mark.parametrize("loss", [0.0, 0.1])
def test_full_resumed_and_over_a_line_that_loses(application: Path, early: str, loss: float) -> None:
    """A retransmission seals the same text again: no nonce of a key has two texts. Early data is accepted only under
    the suite of its ticket (RFC 8446, section 4.2.10)."""
    with started(application, https__aes=True, https__early_data=early) as engine:
        harm = Impairment(delay_us=2 * MS, loss=loss, duplicate=loss / 2, reorder=loss / 2)
        net = Net(engine, up=harm, down=harm, seed=7)
        ticket = None
        for number, suites in enumerate((AES, AES, CHACHA, AES)):
            before = suites == AES and number == 1
            asks = get("/n752.bin") if ticket and early != "off" and before else b""
            client = Early(net, asks, ticket, address=f"10.0.1.{number + 2}", suites=suites)
            if asks:
                assert client.wait()[0].body == MADE_FILES["n752.bin"] and client.tls.accepted
            assert client.ticket() and client.tls.suite == suites[0]
            assert client.tls.resumed == (ticket is not None and (before or early == "off"))
            for name in FILES:
                client.say(get(f"/{name}"))
                assert client.wait(1 + FILES.index(name) + bool(asks))[-1].body == MADE_FILES[name]
            ticket = client.ticket()
            client.connection.abort()
            net.idle(1)
        sealed, _, broken = engine.nonces
        assert sealed > 0 and broken == 0


def test_no_bit_of_a_record_may_change(application: Path) -> None:
    """A changed record gets the alert bad_record_mac, and no handler runs."""
    with started(application, https__aes=True) as engine:
        net, ticket = Net(engine), None
        before = engine.counters["count_requests"]
        length = 5 + len(get("/n33.bin")) + 17
        for place in range(5, length):
            client = Early(net, b"", ticket, address=f"10.0.{1 + place // 200}.{place % 200 + 2}", suites=AES)
            ticket = client.ticket()
            client.tls.write(get("/n33.bin"))
            said = bytearray(client.tls.take())
            assert len(said) == length
            said[place] ^= 1 << place % 8
            client.connection.send(bytes(said))
            client.wait(for_s=5)
            assert client.tls.alert == 20 and not client.responses(), place
            client.connection.abort()
            net.idle(0.1)
        assert engine.counters["count_requests"] == before
