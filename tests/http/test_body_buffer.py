# SPDX-License-Identifier: MIT
"""Requests with a body share one input buffer: they wait for room, and a stalled one loses it."""

import pytest

from tests.bodies.support import FORM, OCTETS, ask, digest, noise, posted, told
from tests.harness import Make, maker_of, opened, saying
from tests.support import parsed
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.packet import Flags
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

make = maker_of(ROOT / "tests" / "apps" / "bodies")


def test_answer_of_a_slow_handler_waits_for_room(make: Make) -> None:
    """The body's last part is read when a timer fires; another connection's output then leaves no room for the
    answer."""
    engine = make(buffer=2048)
    other, peer = Peer(engine, port=40001), Peer(engine)
    whole, content = posted("/whole", b"x" * 630), noise(50)
    octets = posted("/slow", content)
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets)
    other.handshake()
    other.send("PA", seq=1, ack=1, payload=whole[:400])
    other.send("PA", seq=401, ack=1, payload=whole[400:-10])
    assert b"".join(segment.payload for segment in peer.take_all(1000)) == b""
    other.send("PA", seq=1 + len(whole) - 10, ack=1, payload=whole[-10:])
    assert parsed(other.receive(seq=1 + len(whole))).status == 200
    response = parsed(peer.receive(seq=1 + len(octets)))
    assert (response.status, response.body) == (200, b"50 %d" % digest(content))


def test_stalled_upload_gives_its_room(make: Make) -> None:
    """A client that stalls in a body loses the input buffer after two seconds, even if slots are free."""
    engine = make(request_timeout_s=60)
    silent, peer = Peer(engine, port=40001), Peer(engine)
    silent.handshake()
    peer.handshake()
    silent.send("PA", seq=1, ack=1, payload=posted("/whole", b"x" * 150)[:-30])
    octets = posted("/upload", b"x", OCTETS)
    peer.send("PA", seq=1, ack=1, payload=octets)
    peer.expect_nothing(2500)
    peer.send("PA", seq=1, ack=1, payload=octets)
    peer.wait(500)
    peer.send("PA", seq=1, ack=1, payload=octets)
    assert parsed(peer.receive(seq=1 + len(octets))).body == told((b"", b"application/octet-stream", b"x"))
    assert [segment.flags & Flags.R for segment in silent.take_all()][-1]


@pytest.mark.parametrize("codings", ["", " ,", " , ,\t"])
def test_transfer_coding_that_is_none(make: Make, codings: str) -> None:
    """A malformed Transfer-Encoding gets 501: a proxy could read another end of the body (RFC 9112 section 6.1)."""
    octets = posted("/form", b"octet=7", FORM, f"Transfer-Encoding:{codings}")
    assert ask(make(), octets).status == 501


@pytest.mark.parametrize("buffer", [1280, 2048, 4096])
def test_many_forms_at_once_leave_room_for_their_answers(make: Make, buffer: int) -> None:
    """Forms that wait for their last octet leave more room than an answer needs."""
    engine = make(buffer=buffer, connections=64)
    octets = posted("/form", b"octet=7", FORM)
    peers = [Peer(engine, port=40000 + number) for number in range(50)]
    for peer in peers:
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=octets[:-1])
    begun = [peer for peer in peers if peer.take_all()]
    assert len(begun) > 5
    for peer in begun:
        peer.send("PA", seq=len(octets), ack=1, payload=octets[-1:])
    for peer in begun:
        assert parsed(peer.receive(seq=1 + len(octets))).status == 200


LOG = """// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
#include "whit/app.h"
struct state_t { uint16_t lines; };
static char say(struct whit_pt *pt, struct args_t *args, struct state_t *state)
{
    (void)args;
    PT_BEGIN(pt);
    for (; state->lines < 20000; state->lines++)
        PT_OUT_STR(pt, "a line\\n");
    PT_END(pt);
}
"""


@pytest.mark.parametrize("buffer", [1024, 2048, 4096])
def test_form_beside_a_long_thread(buffer: int) -> None:
    """A thread's response to a slow reader leaves room for a form, and for its answer."""
    args = ('name="on" type="bool"', 'name="text" type="str" size="40" optional="true"')
    switch = saying("out_uint(args->on);", *args, handlers='doPost="say"', persistence="persistent")
    with opened({"log.c": LOG, "switch.c": switch}, buffer=buffer, connections=4) as engine:
        net = Net(engine, up=Impairment(delay_us=300 * MS))
        reader, sender = net.host("10.0.0.5").client(Options(window=2000)), net.host("10.0.0.6").client()
        reader.ask("/log")
        net.idle(3)
        sender.send(posted("/switch", b"on=1&text=x", FORM), "POST")
        net.run(sender, for_s=10)
        assert sender.responses[0].body == b"1"
        assert reader.waiting
        assert not reader.ended
