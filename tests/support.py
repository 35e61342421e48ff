# SPDX-License-Identifier: MIT
"""Helpers that tests share: the content of the test application."""

import os
import random
from functools import cache
from pathlib import Path

from whit.compiler import CompileError, app_toml
from whit.image.build import build
from whit.image.build_result import BuildResult
from whit.model.policy import Options
from whit.wire.http import Response, parse_response, request
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.net import Net
from whit_testbed.trace import Peer

TEXT = """the of and to in is that for it as was with be by on not he his but at are this have from or had an they
which one you were all her she there would their we him been has when who will more no if out so said
what up its about into than them can only other new some could time these two may then do first any my
now such like our over man me even most made after also did many before must through back years where
much your way well down should because each just those people how too little state good very make world
still own see men work long get here between both life being under never day"""
WORDS = TEXT.split()


def noise(length: int) -> bytes:
    """Octets that no coder makes shorter, the same each time."""
    return random.Random(length).randbytes(length)


def prose(length: int) -> bytes:
    """Text that coders make much shorter."""
    words = random.Random(length)
    text = " ".join(words.choice(WORDS) for _ in range(length // 2 + 1))
    return text[:length].encode()


# An AVR's constants lie in the first 64 KB of its flash.
BIG_LEN = 57254 if os.environ.get("WHIT_TARGET", "inprocess") == "inprocess" else 24000
MADE_FILES = {f"n{length}.bin": noise(length) for length in (0, 1, 31, 32, 33, 752, 4000, 57254)}
MADE_FILES |= {
    "page.html": prose(752),
    "prose.txt": prose(3000),
    "dir/a b.txt": b"a blank",
    "Case.txt": b"Upper",
    "index.html": b"<!doctype html><title>basic</title>",
}
BIG = MADE_FILES["n57254.bin"] = noise(57254)[:BIG_LEN]


def target() -> str:
    """WHIT_TARGET=avr-inprocess runs the same tests on an engine that runs on an emulated AVR."""
    return os.environ.get("WHIT_TARGET", "inprocess")


def sanitized() -> bool:
    """WHIT_SANITIZE=1 runs the same tests on an engine under AddressSanitizer and UndefinedBehaviorSanitizer."""
    return bool(os.environ.get("WHIT_SANITIZE"))


def built(
    directory: Path,
    *,
    on: str = "inprocess",
    link: str = "ethernet",
    log: bool | None = None,
    heads: str = os.environ.get("WHIT_HEADS", ""),
    drops: bool = False,
    closes: bool = False,
    alignment: int = 0,
    **overrides: object,
) -> BuildResult:
    """An image for tests, built once a run; `overrides` are keys of app.toml, `__` stands for their dots.

    Under WHIT_SANITIZE=1 it is sanitized; with WHIT_HEADS=code it reads heads as fast targets do. Of a directory that a
    test edits, use build(). `drops`: its driver keeps no frame. `closes`: it closes
    idle connections by a FIN. `alignment`: of handlers'
    structs; 0: as on small devices.
    """
    named = {key.replace("__", "."): value for key, value in overrides.items()}
    if on != "inprocess":
        heads = ""
    return _built(
        directory, on, link, log, heads, drops, closes, alignment, tuple(sorted(_needed(directory, named).items()))
    )


def _needed(directory: Path, overrides: dict[str, object]) -> dict[str, object]:
    """Returns the overrides that differ from the defaults, so that one image serves both."""
    toml = directory / "app.toml"
    text = toml.read_text() if toml.exists() else ""

    def meaning(overrides: dict[str, object]) -> tuple[object, ...]:
        settings = app_toml.read(toml, text, overrides)
        limits = [settings.limits(True, has_parts=has_parts) for has_parts in (False, True)]
        named = ("https", "services", "json_errors")
        others = sorted(item for item in settings.values.items() if item[0].startswith(named))
        return settings.limits(False), *limits, settings.board(), settings.network(), settings.name(), others

    try:
        for key in sorted(overrides):
            others = {name: value for name, value in overrides.items() if name != key}
            if meaning(others) == meaning(overrides):
                overrides = others
    except CompileError:  # which is the test's
        pass
    return overrides


@cache
def _built(
    directory: Path,
    on: str,
    link: str,
    log: bool | None,
    heads: str,
    drops: bool,
    closes: bool,
    alignment: int,
    overrides: tuple[tuple[str, object], ...],
) -> BuildResult:
    # The fast kinds come together, as in the ports of fast machines.
    kinds = {
        "": ("", "", "", ""),
        "octets": ("small", "plain", "small", "small"),
        "code": ("wide", "template", "unrolled", "wide"),
    }
    checksum, segment, keyed_hash, crypto = kinds[heads]
    # The meter costs little: tests with and without it share one image.
    meter = on == "inprocess"
    return build(
        directory,
        target=on,
        link=link,
        overrides=dict(overrides),
        sanitize=sanitized(),
        meter=meter,
        log=log,
        heads=heads,
        checksum=checksum,
        segment=segment,
        keyed_hash=keyed_hash,
        crypto=crypto,
        drops=drops,
        closes=closes,
        alignment=alignment,
    )


def write_whole(path: Path, octets: bytes) -> None:
    """No process that tests meets a part of the file."""
    if not path.exists() or path.read_bytes() != octets:
        part = path.with_name(f".{path.name}.{os.getpid()}")
        part.write_bytes(octets)
        part.replace(path)


def make_files(there: Path, files: dict[str, bytes]) -> None:
    for name, octets in files.items():
        path = there / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, octets)


def get(target: str | bytes, *fields: str, **kwargs: str) -> bytes:
    return request(target, *fields, **kwargs)  # type: ignore[arg-type]


def ask(peer: Peer, octets: bytes, *, at: int = 1, wnd: int = 65535) -> None:
    """Sends a request as one segment, directly after the handshake unless `at` says otherwise."""
    peer.send("PA", seq=at, ack=1, payload=octets, wnd=wnd)


def parsed(octets: bytes, method: str = "GET") -> Response:
    response = parse_response(octets, method)
    assert response is not None, f"{len(octets)} octets, incomplete: {octets[:200]!r}"
    return response


def served(peer: Peer, port: int | None = None) -> None:
    """Fails unless a new connection gets a small file."""
    newcomer = Peer(
        peer.engine, port=port or peer.port + 1000, iss=77_000, address="10.9.9.9", mac=b"\x02\0\x0a\x09\x09\x09"
    )
    newcomer.handshake()
    octets = request("/n33.bin")
    newcomer.send("PA", seq=1, ack=1, payload=octets)
    body = newcomer.receive(seq=1 + len(octets))
    assert parsed(body).body == MADE_FILES["n33.bin"]


def exchange(
    engine: Engine,
    octets: bytes,
    *methods: str,
    options: Options | None = None,
    split: int | str | None = None,
    seed: int = 0,
    for_s: float = 300,
) -> Client:
    """Sends octets on a fresh connection over a perfect link and waits for the responses or the end."""
    net = Net(engine, seed=seed, split=split)
    client = net.host().client(options)
    client.send(octets, *methods)
    net.run(client, for_s=for_s)
    return client
