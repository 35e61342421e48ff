# SPDX-License-Identifier: MIT
"""The stack that an image of an emulated device used while it answered, by its paint, in virtual time."""

from whit.build import BuildResult
from whit.emulator import build_machine
from whit.high_water import requests_of
from whit.sim.http import request
from whit.sim.machine import Line, Machine
from whit.symbols import STACK, symbols

BOOT_S = 1.0  # until the image listens
PAINTED = ("avr", "gba")  # targets with a machine of emulators/machine.h


def painted_stack(built: BuildResult) -> int:
    """Octets, after each of its resources was asked for in each way."""
    image = built.flashable if built.target == "gba" else built.image
    assert image is not None
    hz = built.application.board.avr_clock_hz if built.target == "avr" else 0
    library = build_machine(built.target).with_name(f"libwhit_{built.target}.so")
    with Machine(library, image, hz=hz, seed=1) as machine:
        line = Line(machine, bytes(built.application.board.address))
        line.idle(BOOT_S)
        client = line.host().client()
        for resource in built.application.resources:
            for one in requests_of(resource):
                fields = [f"{name}: {value}" for name, value in one.fields.items()]
                fields += [f"Content-Length: {len(one.body)}"] if one.body else []
                octets = request(one.target, *fields, method=one.method, body=one.body or b"")
                client.send(octets, one.method)
                line.run(client, for_s=60)
                if client.ended:
                    client = line.host().client()
        places = symbols(built, *STACK)
        return machine.stack_used(places[STACK[0]], places[STACK[1]])
