# SPDX-License-Identifier: MIT
"""The used stack of an emulated device's image, by its paint, in virtual time."""

from collections.abc import Sequence

from whit.errors import WhitError
from whit.image.build_result import BuildResult
from whit.image.symbols import STACK, symbols
from whit.machines.emulator import build_machine
from whit.machines.high_water import AT_ONCE, live_stack
from whit.machines.requests_of import Request, requests_of
from whit.wire.http import request
from whit.wire.units import SECOND
from whit_testbed.http import Client
from whit_testbed.link import Deadlock
from whit_testbed.machine import Line, Machine

BOOT_S = 1.0  # until the image listens
PATIENCE_S = 60  # longest wait for a client's answer; an event stream never ends
PAINTED = ("avr", "gba")  # targets with a machine of emulators/machine.h


def measured_stack(result: BuildResult) -> int:
    """Returns the bytes of stack that an image used. Real time replaces virtual time if the target has no machine."""
    return painted_stack(result, AT_ONCE) if result.target in PAINTED else live_stack(result)


def painted_stack(built: BuildResult, clients: int = 1) -> int:
    """Returns the bytes of used stack after each client has requested each resource in each way, all at once."""
    image = built.flashable if built.target == "gba" else built.image
    assert image is not None
    hz = built.application.board.avr_clock_hz if built.target == "avr" else 0
    library = build_machine(built.target).with_name(f"libwhit_{built.target}.so")
    requests = [one for resource in built.application.resources for one in requests_of(resource)]
    with Machine(library, image, hz=hz, seed=1) as machine:
        line = Line(machine, bytes(built.application.board.address))
        line.idle(BOOT_S)
        visitors = [_Visitor(line, requests) for _ in range(clients)]
        while busy := [visitor for visitor in visitors if visitor.is_busy()]:
            _run(line, busy)
        if not sum(visitor.answered_cnt for visitor in visitors):
            what = f"{built.image.name}: the stack cannot be measured, it answered nothing"
            raise WhitError(f"{what}; ./whit run shows whether it serves", 1)
        places = symbols(built, *STACK)
        return machine.stack_used(places[STACK[0]], places[STACK[1]])


class _Visitor:
    """A client that sends one request after the other, on one connection while it lasts."""

    def __init__(self, line: Line, requests: Sequence[Request]) -> None:
        self._line = line
        self._requests = list(requests)
        self._client: Client | None = None
        self.answered_cnt = 0

    def is_busy(self) -> bool:
        """Sends the next request after an answer. False: all are answered."""
        if self._client and self._client.ended:
            self.give_up()
        if self._client and self._client.waiting:
            return True
        if not self._requests:
            self.give_up()
            return False
        one = self._requests.pop(0)
        fields = [f"{name}: {value}" for name, value in one.fields.items()]
        fields += [f"Content-Length: {len(one.body)}"] if one.body else []
        self._client = self._client or self._line.host().client()
        self._client.send(request(one.target, *fields, method=one.method, body=one.body or b""), one.method)
        return True

    @property
    def is_done(self) -> bool:
        return self._client is None or self._client.ended or not self._client.waiting

    def give_up(self) -> None:
        """Closes the connection and drops the outstanding request."""
        if self._client:
            self.answered_cnt += len(self._client.responses)
            if self._client.ended:
                self._client.connection.close()
            else:
                self._client.connection.abort()
        self._client = None


def _run(line: Line, busy: Sequence[_Visitor]) -> None:
    try:
        line.loop.run(lambda: any(visitor.is_done for visitor in busy), for_us=PATIENCE_S * SECOND)
    except Deadlock:
        for visitor in busy:
            visitor.give_up()
