# SPDX-License-Identifier: MIT
"""Starts an image: as a program of this machine, or on its emulator."""

from collections.abc import Callable, Iterator

from whit.certificate.chain import read_key
from whit.compiler.model import Application, Coding, Resource
from whit.image.build import BuildResult
from whit.machines import emulator
from whit.machines.run_options import RunOptions
from whit.machines.server import Server
from whit.targets import find_target


def start(options: RunOptions, result: BuildResult, step: Callable[[str], None] = lambda _: None) -> Server:
    """Returns when the image serves. `step` is called with the name of each long step."""
    if find_target(options.target).is_device:
        step(f"preparing the emulator of {options.target}")
        return emulator.start(options, result)
    arguments, key = server_arguments(options, result.application), result.application.key
    if key is None:
        return Server(result.image, arguments)
    ports = ["--https-port", str(options.https_port)] if result.application.https is not None else []
    return Server(result.image, [*arguments, *ports], key=read_key(key))


def server_arguments(options: RunOptions, application: Application) -> list[str]:
    """Returns the command line of the program for Linux."""
    network = application.network
    arguments = ["--data", str(options.data_file(application))]
    if options.tap is None:
        arguments += ["--port", str(options.port), "--host", options.host]
    else:
        arguments += ["--tap", options.tap]
        arguments += ["--address", options.tap_address(application)]
        if options.gateway or network.gateway:
            arguments += ["--gateway", str(options.gateway or network.gateway)]
    if network.mac:
        arguments += ["--mac", network.mac]
    if options.pcap is not None:
        arguments += ["--pcap", str(options.pcap)]
    if options.log:
        arguments += ["--log"]
    if options.unconfined:
        arguments += ["--unconfined"]
    if options.counters:
        arguments += ["--counters", "--charges", "\n".join(rows(application))]
    return arguments


def rows(application: Application) -> list[str]:
    """Names of all representations, in the order of the image's table."""
    return [name for resource in application.resources for name in _named(resource)]


def _named(resource: Resource) -> Iterator[str]:
    """The URL, with the content coding or the media type by which a further one differs. A stored content has two."""
    url = resource.urls[-1]
    if resource.stored:
        yield from (f"{url} (first bank)", f"{url} (second bank)")
        return
    for number, one in enumerate(resource.representations):
        kind = one.head.content.partition(b"Content-Type: ")[2].partition(b"\r\n")[0].partition(b";")[0].decode()
        differs = one.coding.value if one.coding != Coding.IDENTITY else kind
        yield f"{url} ({differs})" if number else url
