# SPDX-License-Identifier: MIT
"""`whit run`: builds, starts, prints the URL, runs until Ctrl-C."""

import contextlib
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.markup import escape

from whit.commands import live, own_database, owner
from whit.commands.asides import Asides
from whit.commands.described_at import described
from whit.commands.reload import Reloader, version_of
from whit.commands.run_checks import check_run
from whit.commands.secured import secured
from whit.commands.steps import steps
from whit.compiler import CompileError
from whit.compiler.application import place_of
from whit.compiler.model import Application
from whit.errors import WhitError
from whit.image.build import BuildResult, build, find_application
from whit.image.c_messages import near
from whit.image.report import sizes_line
from whit.machines import crashed, emulator
from whit.machines.run_options import RunOptions
from whit.machines.server import Server
from whit.machines.start import start
from whit.targets import find_target

HINTS_MAX = 10


def run(options: RunOptions, console: Console) -> None:
    """Serves until SIGINT or SIGTERM."""
    signal.signal(signal.SIGTERM, _interrupt)
    check_run(options)
    with (
        contextlib.suppress(KeyboardInterrupt),
        _captured(options) as options,
        own_database.started(options, console) as options,
    ):
        options = described(secured(options, console))
        session = _Session(emulator.placed(options), console)
        try:
            session.serve()
        except KeyboardInterrupt:
            pass
        finally:
            with _uninterrupted():
                session.end()


def _reloader(options: RunOptions) -> Reloader:
    """Returns the reloader for this command's pages. Without a valid application a TAP device has default ports."""
    https_port = options.https_port if options.https else None
    if options.tap is None:
        return Reloader(options.host, options.port, https_port=https_port)
    address = options.address
    ports: tuple[int, int | None] = (80, None)
    with contextlib.suppress(CompileError):
        found = place_of(find_application(options.app_dir), options.overrides)
        address, ports = address or found.address, (found.port, found.https_port)
    return Reloader("127.0.0.1", options.port, device=(address or "").partition("/")[0], device_ports=ports)


class _Session:
    """A `whit run`: one server at a time, none while a new one does not start."""

    def __init__(self, options: RunOptions, console: Console) -> None:
        self._options = options
        self._console = console
        self._server: Server | None = None
        self._served: Application | None = None
        self._reloader: Reloader | None = None
        self._asides: Asides | None = None

    def serve(self) -> None:
        """Serves until a signal. WhitError: the server ended by itself and no files are watched."""
        directory = find_application(self._options.app_dir)
        seen = live.snapshot(directory)
        if self._options.live and not find_target(self._options.target).is_device:
            with contextlib.suppress(OSError):  # an address of another machine: the server reports it
                self._reloader = _reloader(self._options)
        result = build_shown(self._of(seen), self._console)
        for hint in owner.data_hints(self._options, result.application):
            print(f"hint: {hint}", file=sys.stderr, flush=True)
        if self._options.target == "linux" and result.application.limits.persistent_size:
            self._asides = Asides(self._options.data_file(result.application))
            self._tell_removed(self._asides.begin(live=self._options.live))
        self._serve(result, seen)
        _announce(self._options, result, self._console)
        if self._options.live:
            self._follow(directory, seen)
        assert self._server is not None
        self._server.wait()
        raise WhitError(self._why_ended(), 1)

    def _of(self, seen: live.Snapshot) -> RunOptions:
        """The options of this version's build: with --live its pages reload when another one is served."""
        if self._reloader is None:
            return self._options
        return replace(self._options, html_end=self._reloader.script(version_of(seen)))

    def _serve(self, result: BuildResult, seen: live.Snapshot) -> None:
        with steps(self._console, "starting") as step:
            self._server, self._served = start(self._options, result, step), result.application
        if self._options.live and self._asides is not None:
            self._tell_removed(self._asides.tidy())
        if self._reloader is not None:
            self._reloader.announce(version_of(seen))

    def _tell_removed(self, paths: Sequence[Path]) -> None:
        """Names copies of data that are removed again."""
        for path in paths:
            print(f"{path}: removed; --live keeps the data from before it, not of each layout", file=sys.stderr)

    def end(self) -> None:
        """Ends server and reloader with the command."""
        self.end_server()
        if self._reloader is not None:
            self._reloader.close()

    def end_server(self) -> None:
        """Ends the server; prints its last output."""
        if self._server is not None:
            self._console.file.write(self._server.end())
            self._console.file.flush()
            self._server = None
            self._draw()

    def _draw(self) -> None:
        """Draws the ladder of the traffic since the server's start."""
        if self._options.ladder is None or self._options.pcap is None or self._served is None:
            return
        from whit.ladder.run import write_ladder_of_run

        try:
            write_ladder_of_run(self._options.pcap, self._served, self._options.ladder)
        except WhitError as error:
            self._say(f"--ladder: {error}", "red")

    def _follow(self, directory: Path, seen: live.Snapshot) -> None:
        """Rebuilds at each change. A broken application changes nothing."""
        while True:
            live.wait_for_change(directory, seen, self._look_after)
            seen = live.snapshot(directory)
            try:
                result = _hinted(self._options, _build(self._of(seen)))
            except WhitError as error:
                self._say(f"{error}\nStill serving the previous version.", "red")
                continue
            self.end_server()
            try:
                self._serve(result, seen)
            except WhitError as error:
                self._say(f"{error}\nNothing is served until the next change.", "red")
                continue
            self._say(f"rebuilt: {url(self._options, result.application)}", "green")

    def _why_ended(self) -> str:
        """With the function and the line of the application where it crashed, if it did."""
        assert self._server is not None and self._served is not None
        why = self._server.why_ended()
        if find_target(self._options.target).is_device:
            return why
        return why + crashed.where(self._server.last_words(), self._server.image, self._served.directory)

    def _look_after(self) -> None:
        """Reports once that a server ended by itself."""
        if self._server is not None and not self._server.is_alive():
            self._say(f"{self._why_ended()}\nNothing is served until the next change.", "red")
            self.end_server()

    def _say(self, text: str, style: str) -> None:
        self._console.print(text, style=style, markup=False, highlight=False)
        self._console.file.flush()


def build_shown(options: RunOptions, console: Console) -> BuildResult:
    """Builds, and shows the current step."""
    with steps(console) as step:
        result = _build(options, step)
    return _hinted(options, result)


def _hinted(options: RunOptions, result: BuildResult) -> BuildResult:
    """Prints hints at probable mistakes, one per line."""
    print_hints((*result.hints, *own_database.hints(options, result.application)))
    return result


def print_hints(hints: Sequence[str]) -> None:
    """Prints a line each, but HINTS_MAX at most."""
    for hint in hints[:HINTS_MAX]:
        print(f"hint: {near(hint)}", file=sys.stderr, flush=True)


def _build(options: RunOptions, progress: Callable[[str], None] = lambda step: None) -> BuildResult:
    """A device's image with the request log is not the one that goes into the device: its budgets do not count."""
    logs = options.log and find_target(options.target).is_device
    return build(
        options.app_dir,
        target=options.target,
        overrides=options.overrides,
        meter=_is_metered(options),
        log=logs or None,
        check_budget=not logs,
        html_end=options.html_end,
        run_port=options.run_port,
        progress=progress,
    )


def _is_metered(options: RunOptions) -> bool:
    """A device's image is the one that goes into the device."""
    return options.counters and not find_target(options.target).is_device


@contextlib.contextmanager
def _captured(options: RunOptions) -> Iterator[RunOptions]:
    """Yields options with a temporary capture for the ladder, unless the user asked for a capture."""
    if options.ladder is None or options.pcap is not None:
        yield options
        return
    with tempfile.TemporaryDirectory() as directory:
        yield replace(options, pcap=Path(directory) / "ladder.pcap")


def _interrupt(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ignores a second Ctrl-C, which would leave the server running."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])


def url(options: RunOptions, application: Application) -> str:
    """Returns the application's URL for a browser on this machine."""
    if options.tap is not None:
        port = application.limits.port
        return f"http://{options.tap_address(application).partition('/')[0]}{'' if port == 80 else f':{port}'}/"
    host = "127.0.0.1" if options.host == "0.0.0.0" else options.host
    return f"http://{host}:{options.port}/"


def https_url(options: RunOptions, application: Application) -> str:
    """Returns the application's URL for HTTPS."""
    assert application.https is not None
    port = application.https.port if options.tap is not None else options.https_port
    host = url(options, application).removeprefix("http://").partition("/")[0].partition(":")[0]
    return f"https://{host}{'' if port == 443 else f':{port}'}/"


def page_of_services(application: Application) -> str | None:
    """Returns the URL of the page on which a person calls the functions of services. None: the image has none."""
    pages = (one.urls[0] for one in application.resources if one.describes and one.content_type.startswith("text/html"))
    return next(pages, None)


def _announce(options: RunOptions, result: BuildResult, console: Console) -> None:
    """Prints the URL, one line of sizes and the way to stop. `whit report` prints the cost of each URL."""
    where = url(options, result.application)
    console.print(f"[bold]{escape(result.application.name)}[/bold] is served at [bold]{where}[/bold]")
    if result.application.https is not None:
        from whit.certificate.chain import read_chain

        where, read = https_url(options, result.application), read_chain(result.application.https.certificate)
        console.print(f"and at [bold]{where}[/bold], SHA-256 {read.fingerprint}", emoji=False, soft_wrap=True)
    if page := page_of_services(result.application):
        console.print(f"its functions can be called at [bold]{where.rstrip('/')}{page}[/bold]", soft_wrap=True)
    console.print(sizes_line(result), markup=False, soft_wrap=True)
    console.print("Ctrl-C ends it." + (" It follows changes of its files." if options.live else ""), soft_wrap=True)
    console.file.flush()
