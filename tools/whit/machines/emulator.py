# SPDX-License-Identifier: MIT
"""Devices' images, run on emulated machines. Each target has a function here that starts its emulator as a Server."""

import ipaddress
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from whit.certificate.places import write_secret
from whit.errors import WhitError
from whit.image.build import BuildResult
from whit.image.keyed import keyed
from whit.image.symbols import STACK, symbols
from whit.machines import keypad
from whit.machines.qemu import start_cortex_m, start_riscv
from whit.machines.qemu_pc import start_pc
from whit.machines.run_options import RunOptions
from whit.machines.server import Server
from whit.paths import BUILD, ROOT
from whit.setup.alone import alone
from whit.targets import find_target

MACHINES = BUILD / "emulators"


def start(options: RunOptions, result: BuildResult) -> Server:
    """Returns when the image serves."""
    if options.target not in EMULATORS:
        raise WhitError(runs_here(options.target))
    place = result.application.key
    if place is None:
        return EMULATORS[options.target](options, result)
    from whit.certificate.chain import read_key

    key = read_key(place)
    there = tempfile.TemporaryDirectory()  # readable by its owner alone
    paths = {path.suffix: Path(there.name, path.name) for path in (result.image, result.flashable) if path}
    for suffix, path in paths.items():
        write_secret(path, keyed(result, key, suffix=suffix))
    flashable = paths[result.flashable.suffix] if result.flashable else None
    server = EMULATORS[options.target](options, replace(result, image=paths[result.image.suffix], flashable=flashable))
    server.keeps(there)
    return server


def runs_here(target: str) -> str:
    """Returns the message about a target without an emulator."""
    return f"--target {target}: expected one that runs here: linux, {', '.join(EMULATORS)}"


def placed(options: RunOptions) -> RunOptions:
    """A device's image is built for its address: --address and --gateway become settings of the build."""
    if not find_target(options.target).is_device or not (options.address or options.gateway):
        return options
    overrides = dict(options.overrides or {})
    if options.address:
        try:
            interface = ipaddress.IPv4Interface(options.address)
        except ValueError:
            raise WhitError(
                f"--address {options.address}: expected an IPv4 address and a prefix length, such as 10.7.0.2/24"
            ) from None
        overrides |= {"network.address": str(interface.ip), "network.prefix": interface.network.prefixlen}
    if options.gateway:
        overrides["network.gateway"] = options.gateway
    return replace(options, overrides=overrides)


def build_machine(name: str) -> Path:
    """Builds emulators/NAME.c as a program, and as a shared object in the same directory: libwhit_NAME.so."""
    configure = ["cmake", "-S", str(ROOT / "emulators"), "-B", str(MACHINES), "-G", "Ninja"]
    with alone(MACHINES.with_suffix(".lock")):
        for command in (configure, ["ninja", "-C", str(MACHINES), f"whit-{name}", f"libwhit_{name}.so"]):
            _make(name, command)
    return MACHINES / f"whit-{name}"


def _make(name: str, command: list[str]) -> None:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise WhitError(
            f"{command[0]}: not found; ./whit run --target {name} installs it, or names the package"
        ) from None
    if done.returncode != 0:
        raise WhitError(f"the emulator of {name} was not built:\n{done.stdout.strip()}")


def machine_arguments(options: RunOptions, result: BuildResult) -> list[str]:
    """The command line of emulators/main.c, without the image."""
    application, board = result.application, result.application.board
    arguments = ["--data", str(options.data_file(application, f"{options.target}.bin"))]
    if options.tap is None:
        arguments += ["--port", str(options.port), "--host", options.host]
        if application.https is not None:
            arguments += ["--https-port", str(options.https_port), "--image-https-port", str(application.https.port)]
    else:
        arguments += ["--tap", options.tap]
    arguments += ["--address", f"{'.'.join(map(str, board.address))}/{board.prefix}"]
    arguments += ["--image-port", str(application.limits.port), "--mac", bytes(board.mac).hex(":")]
    if options.pcap is not None:
        arguments += ["--pcap", str(options.pcap)]
    stack = symbols(result, *STACK)
    if options.counters and len(stack) == len(STACK):
        arguments += ["--painted", f"{stack[STACK[0]]}-{stack[STACK[1]]}"]
    return arguments


def start_machine(
    options: RunOptions, result: BuildResult, image: Path, arguments: Sequence[str] = (), *, listens: bool = False
) -> Server:
    """An image on a machine of emulators/machine.h."""
    program = build_machine(options.target)
    return Server(program, [*machine_arguments(options, result), *arguments, str(image)], listens=listens)


def _start_avr(options: RunOptions, result: BuildResult) -> Server:
    return start_machine(options, result, result.image, ["--hz", str(result.application.board.avr_clock_hz)])


def _start_gba(options: RunOptions, result: BuildResult) -> Server:
    assert result.flashable is not None
    server = start_machine(options, result, result.flashable, ["--keys"], listens=True)
    keypad.follow(server)
    return server


EMULATORS: dict[str, Callable[[RunOptions, BuildResult], Server]] = {
    "avr": _start_avr,
    "cortex-m": start_cortex_m,
    "riscv": start_riscv,
    "gba": _start_gba,
    "pc": start_pc,
}
