# SPDX-License-Identifier: MIT
"""Signatures are verified in slices: other clients are served, a vanished client leaks nothing, and each gets
its turn.
"""

from tests.bodies.support import posted
from tests.harness import engine_of, opened
from tests.wss.host import NOW
from tests.wss.signing import SOAP11
from tests.wss.test_called import TYPES
from tests.wss.test_called_signed import APP, level, signed
from whit.wire.http import Response, request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.net import Net

WSDL = "/device.wsdl"


engine = engine_of(APP, unix_s=NOW)


def message(number: int, *, forged: bool = False) -> bytes:
    octets = signed(number, created=NOW - number)
    if forged:
        at = octets.index(b"SignatureValue>") + 20
        octets = octets[:at] + (b"A" if octets[at : at + 1] != b"A" else b"B") + octets[at + 1 :]
    return posted("/device", octets, f"Content-Type: {TYPES[SOAP11]}")


def amid(net: Net, engine: Engine, client: Client) -> None:
    """Runs until the message has arrived and its signature is being verified."""
    while engine.next_ms() != 0:
        assert net.loop.step()
    assert not client.connection.received


def answers(net: Net, client: Client, count: int = 1) -> list[Response]:
    net.run(client)
    assert len(client.responses) == count
    return client.responses


def turns(engine: Engine) -> int:
    """Returns the turns of the main loop until nothing is left to compute."""
    count = 0
    while engine.next_ms() == 0:
        engine.tick()
        count += 1
    return count


def test_a_page_is_answered_between_two_slices(engine: Engine) -> None:
    net = Net(engine)
    other = net.host("10.0.0.9").client()
    client = net.host("10.0.0.3").client()
    client.send(message(7), "POST")
    amid(net, engine, client)
    assert net.get(other, WSDL).status == 200
    assert not client.connection.received and engine.next_ms() == 0
    assert level(answers(net, client)[0]) == 7
    assert engine.next_ms() > 0


def test_turns(engine: Engine) -> None:
    """Each message takes the same number of turns; a forged one takes no more."""
    net, counted = Net(engine), []
    for number, forged in enumerate((False, False, True)):
        client = net.host(f"10.0.0.{3 + number}").client()
        client.send(message(3 + number, forged=forged), "POST")
        amid(net, engine, client)
        counted.append(turns(engine))
        assert answers(net, client)[0].status == (500 if forged else 200)
    assert all(70 < count < 130 for count in counted), counted


def test_messages_at_once_have_their_turns() -> None:
    with opened(APP, connections=6, buffer=24000, unix_s=NOW) as engine:
        net = Net(engine)
        clients = [net.host(f"10.0.0.{3 + number}").client() for number in range(4)]
        for number, client in enumerate(clients):
            client.send(message(number), "POST")
        for number, client in enumerate(clients):
            assert level(answers(net, client)[0]) == number


def test_who_vanishes_leaves_nothing() -> None:
    with opened(APP, connections=1, unix_s=NOW) as engine:
        net = Net(engine)
        for number in range(8):
            gone = net.host(f"10.0.1.{number}").client()
            gone.send(message(number), "POST")
            amid(net, engine, gone)
            for _ in range(number):
                assert net.loop.step()
            gone.connection.abort()
            net.idle(0.05)
            assert engine.next_ms() > 0
        client = net.host("10.0.0.3").client()
        client.send(message(9), "POST")
        assert level(answers(net, client)[0]) == 9


def test_the_next_request_waits(engine: Engine) -> None:
    """The next request comes on the same connection, in the same segment or during the verification."""
    net = Net(engine)
    for late in (False, True):
        client = net.host("10.0.0.3").client()
        after = request(WSDL)
        client.send(message(5 + late) + (b"" if late else after), "POST", *(() if late else ("GET",)))
        amid(net, engine, client)
        if late:
            client.send(after, "GET")
        first, second = answers(net, client, 2)
        assert level(first) == 5 + late
        assert second.status == 200 and b"definitions" in second.body


def test_the_peers_end_comes_meanwhile(engine: Engine) -> None:
    net = Net(engine)
    client = net.host("10.0.0.3").client()
    client.send(message(4), "POST")
    amid(net, engine, client)
    client.connection.close()
    assert level(answers(net, client)[0]) == 4


def test_forged_messages_of_one_host() -> None:
    """The host sends one message each 20 ms, on new connections: other hosts are still served."""
    with opened(APP, connections=6, buffer=12000, unix_s=NOW) as engine:
        net = Net(engine)
        host, said = net.host("10.0.6.6"), message(1, forged=True)

        def flood() -> None:
            host.client().send(said, "POST")
            if net.loop.now_us < 8_000 * MS:
                net.loop.after(20 * MS, flood)

        flood()
        net.idle(1)
        for number in range(3):
            began_us = net.loop.now_us
            client = net.host(f"10.0.0.{3 + number}").client()
            client.send(message(number), "POST")
            assert level(answers(net, client)[0]) == number
            assert net.loop.now_us - began_us < 2_000 * MS
            net.idle(0.5)
