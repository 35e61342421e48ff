# SPDX-License-Identifier: MIT
"""More clients that keep their connections, and ask now and then, than there are slots: none waits for long."""

from pathlib import Path

import pytest

from tests.https.secured import Secured, started
from tests.support import MADE_FILES, get
from whit.wire.units import MS, SECOND
from whit_testbed.net import Net

PAGE, BODY = get("/n33.bin"), MADE_FILES["n33.bin"]
EACH_US = 100 * MS


class Asks:
    """A client that asks each 0.1 s; when its connection ends, by another one that resumes."""

    def __init__(self, net: Net, address: str, until_us: int) -> None:
        self.net, self.address, self.until_us = net, address, until_us
        self.longest_us = self.answer_cnt = 0
        self.client: Secured | None = None
        self._ask()

    def _ask(self) -> None:
        if self.net.loop.now_us < self.until_us:
            self.begun_us = self.net.loop.now_us
            self._say()

    def _say(self) -> None:
        session = self.client.tls.session if self.client is not None else None
        if self.client is None or self.client.ended or self.client.told_end:
            self.client = Secured(self.net, self.address, session=session)
        self.client.say(PAGE)
        self._look()

    def _look(self) -> None:
        assert self.client is not None
        done = next(self.client.responses(), None)
        if done is not None:
            assert done.body == BODY
            self.client.heard = b""
            self.longest_us = max(self.longest_us, self.net.loop.now_us - self.begun_us)
            self.answer_cnt += 1
            self.net.loop.after(EACH_US, self._ask)
        elif self.client.ended or self.client.told_end:
            self._say()
        else:
            self.net.loop.after(MS, self._look)


@pytest.mark.parametrize(("host", "cnt"), [(True, 24), (False, 12)])
def test_kept_clients(application: Path, host: bool, cnt: int) -> None:
    """host: as Linux has it, with frames that wait and as many places as tags; else as a device."""
    with started(application, keeps_frames=host, idle=15 if host else 4, tags=16, connections=4) as engine:
        net = Net(engine)
        until_us = 4 * SECOND
        clients = []
        for number in range(cnt):
            clients.append(Asks(net, f"10.0.0.{2 + number}", until_us))
            net.idle(0.017)
        net.idle(8)
        assert all(one.answer_cnt > 20 for one in clients)
        assert max(one.longest_us for one in clients) < (200 if host else 1500) * MS


@pytest.mark.parametrize("idle", [4, 0], ids=["as a tag", "in its slot"])
@pytest.mark.parametrize("lost", [0, 2])
def test_an_idle_connection_is_told_its_end(application: Path, idle: int, lost: int) -> None:
    """close_notify and FIN are one segment. Its retransmission is identical: no nonce of a key seals another text."""
    with started(application, idle=idle, closes=True, idle_timeout_s=9) as engine:
        net = Net(engine)
        client = Secured(net)
        answer = client.get("/n33.bin")
        assert answer.body == BODY and answer.field("keep-alive") == "timeout=9"
        net.idle(8)
        assert client.get("/n33.bin").body == BODY and not client.ended
        net.idle(1)
        frames = iter([True] * lost)
        net.down.drop = lambda frame: next(frames, False)
        net.idle(12)
        assert client.connection.peer_closed and client.told_end
        assert not client.connection.reset and client.error is None
        assert next(frames, None) is None
        assert engine.nonces[2] == 0
