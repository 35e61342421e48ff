# SPDX-License-Identifier: MIT
"""Engines for tests. A test file names its application, and the settings that differ from the defaults:

    engine = engine_of(APP, log=True)              a fixture: an engine for each test
    make = maker_of(APP)                           a fixture: make(buffer=600) starts an engine
    with opened(APP, buffer=600) as engine:        within a test
    ask(engine, "/page")                           one request, one response

Settings are arguments of Engine() and built(); all others are keys of app.toml, with `__` for their dots.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.compiler.support import generator
from tests.support import built, exchange, make_files, target
from whit.errors import WhitError
from whit.model.policy import Options
from whit.paths import BUILD
from whit.wire.http import Response, request
from whit_testbed.engine import Engine

OF_ENGINE = ("identity", "seed", "now_ms", "queue", "persistent", "key", "unix_s")
"""Arguments of Engine() that built() does not have."""

Files = Mapping[str, str | bytes]
App = Path | Files | Callable[[Path], Path] | str
"""A directory; or files by their names; or a function that makes the directory; or the fixture that returns it."""

Make = Callable[..., Engine]


def saying(code: str, *args: str, handlers: str = 'doGet="say"', persistence: str = "") -> str:
    """Returns the source of a generator. `code` is the inside of say(); `args` are attributes of its <arg> elements."""
    lines = [f'<properties persistence="{persistence}"/>'] if persistence else []
    lines += ["<args>", *(f"<arg {one}/>" for one in args), "</args>"] if args else []
    function = f"static char say(struct args_t *args)\n{{\n    (void)args;\n    {code}\n    return 1;\n}}\n"
    return generator("\n".join(lines), handlers, f"#include <whit/app.h>\n\n{function}")


def written(files: Files) -> Path:
    """Returns a directory with these files. Its name follows from the files, so that one image serves all tests."""
    octets = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
    digest = hashlib.sha256(repr(sorted(octets.items())).encode()).hexdigest()[:16]
    there = BUILD / "test-apps" / f"of-{digest}"
    make_files(there, octets)
    return there


def opened(app: Path | Files, *, link: str = "ethernet", keeps_frames: bool = False, **settings: Any) -> Engine:
    """Starts an engine with an application. `keeps_frames`: its driver offers a refused frame again."""
    own = {name: settings.pop(name) for name in OF_ENGINE if name in settings}
    directory = app if isinstance(app, Path) else written(app)
    engine = Engine(built(directory, link=link, **settings).image, link=link, **own)
    engine.keeps_frames = keeps_frames
    return engine


@contextmanager
def skipping_what_does_not_fit() -> Iterator[None]:
    """Skips a test whose image exceeds an ATmega1284P's 16 KB of RAM, as the linker reports."""
    try:
        yield
    except WhitError as error:
        if target() != "inprocess" and "is not within region" in str(error):
            pytest.skip("does not fit the RAM of an AVR")
        raise


def on_target(app: Path, **settings: Any) -> Engine:
    """Starts an engine on WHIT_TARGET.

    WHIT_RECOVERY=small runs tests on an engine with the small recovery from loss; those of full recovery fail then.
    """
    recovery = os.environ.get("WHIT_RECOVERY", "full")
    with skipping_what_does_not_fit():
        return opened(app, on=target(), **{"recovery": recovery, **settings})


def engine_of(
    app: App,
    *,
    scope: Any = "function",
    variants: Mapping[str, Mapping[str, Any]] | None = None,
    start: Make = opened,
    ends: Callable[[Engine], None] | None = None,
    **settings: Any,
) -> Any:
    """Returns a fixture: an engine that is closed at the end of its scope.

    `variants`: settings, also `app`, with which each test runs once more; their names are the tests'. `start` replaces
    opened(). `ends` checks the engine before it is closed.
    """
    variants = variants or {}

    @pytest.fixture(scope=scope, params=list(variants) or None)
    def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
        given = {"app": app, **settings, **variants.get(getattr(request, "param", ""), {})}
        with start(_directory(given.pop("app"), request), **given) as started:
            yield started
            if ends:
                ends(started)

    return engine


def maker_of(app: App, folder: str = "", *, start: Make = opened, **defaults: Any) -> Any:
    """Returns a fixture: a function that starts engines, which are closed when the test ends.

    Its first argument is the application's folder in `app`, unless `folder` says which is meant; others are settings.
    """

    @pytest.fixture
    def make(request: pytest.FixtureRequest) -> Iterator[Make]:
        directory = _directory(app, request)
        engines: list[Engine] = []

        def started(name: str = folder, **settings: Any) -> Engine:
            engines.append(start(directory / name, **{**defaults, **settings}))
            return engines[-1]

        yield started
        for engine in engines:
            engine.close()

    return make


def _directory(app: App, request: pytest.FixtureRequest) -> Path:
    if isinstance(app, Path):
        return app
    if isinstance(app, str):
        there: Path = request.getfixturevalue(app)
        return there
    if isinstance(app, Mapping):
        return written(app)
    return app(request.getfixturevalue("tmp_path_factory").mktemp("made") / "app")


def ask(engine: Engine, wanted: str | bytes, *, mss: int = 1460, for_s: float = 60) -> Response:
    """Returns the one response to a request on a new connection. A text is the target of a GET."""
    octets = request(wanted) if isinstance(wanted, str) else wanted
    method = octets.lstrip().partition(b" ")[0].decode("latin-1")
    client = exchange(engine, octets, method, options=Options(mss=mss), for_s=for_s)
    assert len(client.responses) == 1, (client.leftover, client.connection.reset)
    return client.responses[0]
