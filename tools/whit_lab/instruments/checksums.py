# SPDX-License-Identifier: MIT
"""Counts the bytes of static content over which an engine with a meter computed a checksum."""

from pathlib import Path

from whit.compiler.model import Application, Representation, Resource
from whit.errors import WhitError
from whit.model.policy import Options
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.net import Net


def static_checksum_octets(
    image: Path, application: Application, *, mss: int, window: int = 65535, seed: int = 1
) -> tuple[int, int]:
    """Returns (bytes, responses) of one kept-alive connection that requests every file in each of its codings."""
    with Engine(image, seed=seed) as engine:
        net = Net(engine, seed=seed)
        client = net.host().client(Options(mss=mss, window=window))
        for resource in application.resources:
            if resource.generator is None:
                for representation in resource.representations:
                    _ask(net, client, resource, representation)
        if client.ended:
            raise WhitError("lab: the engine ended the connection, expected it to be kept alive", 1)
        return engine.static_checksum_octets, len(client.responses)


def _ask(net: Net, client: Client, resource: Resource, representation: Representation) -> None:
    """Sends GET, HEAD, and a conditional GET that ends in 304."""
    url, accept = resource.urls[0], f"Accept-Encoding: {representation.coding.value}"
    response = net.get(client, url, accept)
    if response.status != 200 or response.body != representation.body:
        raise WhitError(f"lab: {url}: {response.status} with {len(response.body)} octets, expected the file", 1)
    head = net.get(client, url, accept, method="HEAD")
    known = net.get(client, url, accept, f"If-None-Match: {response.field('etag')}")
    if (head.status, known.status) != (200, 304):
        raise WhitError(f"lab: {url}: {head.status} to HEAD, {known.status} to If-None-Match; expected 200, 304", 1)
