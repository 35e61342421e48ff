# SPDX-License-Identifier: MIT
"""The command line. A module of its own implements each command; it is loaded when the command is called."""

import errno
import importlib
import io
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from whit.commands.given import check_words, in_our_words, is_given
from whit.errors import WhitError, shown
from whit.setup.version import version

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A web server for things: a whole web application from a few hundred bytes of RAM.",
)
ELSEWHERE = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Settings of a command whose options another package parses."""

App = Annotated[str, typer.Argument(metavar="APP", help="The application's directory.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting of app.toml for this build, such as connections=2."),
]
Target = Annotated[str, typer.Option(metavar="TARGET", help="linux, avr, cortex-m, riscv, gba, pc or inprocess.")]


def _console() -> Console:
    """Without a terminal the output is plain, and wide enough that no table is cut."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 160)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"whit {version()}")
        raise typer.Exit


@app.callback()
def every_command(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command("run")
def run_command(
    context: typer.Context,
    app_dir: App,
    port: Annotated[int, typer.Option(min=1, max=65535, help="TCP port to listen at.")] = 8080,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address of this machine to listen at.")] = "127.0.0.1",
    https: Annotated[
        bool, typer.Option("--https", help="Serve HTTPS as well; makes a certificate if it is missing.")
    ] = False,
    https_port: Annotated[int, typer.Option(min=1, max=65535, help="TCP port to listen at for HTTPS.")] = 8443,
    tap: Annotated[
        str | None, typer.Option(metavar="DEVICE", help="Be a machine of its own on this TAP device (root).")
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="A.B.C.D/N", help="Its address and prefix length; 10.7.0.2/24 if none is set.")
    ] = None,
    gateway: Annotated[str | None, typer.Option(metavar="A.B.C.D", help="Its way to other networks.")] = None,
    pcap: Annotated[Path | None, typer.Option(metavar="FILE", help="Record every frame.")] = None,
    ladder: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the traffic at the end: .svg or .txt.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Directory of persistent memory; .whit/NAME if not given.")
    ] = None,
    target: Target = "linux",
    set_: Set = None,
    live: Annotated[bool, typer.Option("--live", help="Follow changes of files; open pages reload.")] = False,
    counters: Annotated[bool, typer.Option("--counters", help="Print counters and memory charges at the end.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print a line for each request.")] = False,
    unconfined: Annotated[
        bool,
        typer.Option("--unconfined", help="Keep root's rights and all system calls, for functions that need them."),
    ] = False,
) -> None:
    """Build an application, serve it, print its URL and one line of sizes. Ctrl-C ends it."""
    from whit.commands.overrides import parse_overrides
    from whit.commands.run import run
    from whit.machines.run_options import RunOptions

    if tap is None and (address or gateway):
        raise WhitError("--address and --gateway: expected beside --tap; without it the server listens at --host")
    if tap is not None and is_given(context, "port"):
        raise WhitError(f"--port {port}: expected without --tap; there the port is that of app.toml, --set port={port}")
    options = RunOptions(
        app_dir,
        port,
        host,
        tap,
        address,
        gateway,
        pcap,
        data,
        counters,
        live,
        parse_overrides(set_ or []),
        target,
        ladder,
        https,
        https_port,
        log=not quiet,
        unconfined=unconfined,
        has_https_port=is_given(context, "https_port"),
    )
    run(options, _console())


@app.command("build")
def build_command(app_dir: App, target: Target = "linux", set_: Set = None) -> None:
    """Build an image and print where it is."""
    from whit.commands.overrides import parse_overrides
    from whit.commands.run import build_shown
    from whit.machines.run_options import RunOptions

    result = build_shown(RunOptions(app_dir, overrides=parse_overrides(set_ or []), target=target), _console())
    print(result.image)
    if result.flashable is not None:
        print(result.flashable)


@app.command("report")
def report_command(
    app_dir: App,
    target: Target = "linux",
    set_: Set = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Run a device's image, and print the stack that it used.")
    ] = False,
    link: Annotated[
        str | None, typer.Option(metavar="LINK", help="Predict how long pages take on it: such as 10kB/s,50ms.")
    ] = None,
    then: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TARGET[,BYTES]", help="With --link: request of a script of the first page, sent at once."
        ),
    ] = None,
) -> None:
    """List an application's URLs, the cost of its image, and the load times of its pages."""
    from whit.commands.overrides import parse_overrides
    from whit.commands.report import report
    from whit.machines.run_options import RunOptions

    options = RunOptions(app_dir, overrides=parse_overrides(set_ or []), target=target)
    report(_console(), options, measure=measure, link=link, then=then or [])


@app.command("export")
def export_command(
    app_dir: App,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The new directory.")],
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="cmake, platformio or arduino.")],
    link: Annotated[
        str | None, typer.Option(metavar="LINK", help="ethernet or slip; ethernet for cmake, slip for the others.")
    ] = None,
    set_: Set = None,
) -> None:
    """Write the engine with a compiled application as sources for another build system."""
    from whit.commands.overrides import parse_overrides
    from whit.commands.run import print_hints
    from whit.commands.steps import steps
    from whit.image.export import export

    with steps(_console(), "compiling the application"):
        exported = export(app_dir, directory, format_, link=link, overrides=parse_overrides(set_ or []))
    print_hints(exported.application.hints)
    print(exported.directory)
    if exported.has_password:
        print("It holds the password of the database: only you may read the directory. Keep it out of version control.")


@app.command("ladder")
def ladder_command(
    capture: Annotated[Path, typer.Argument(metavar="FILE", help="A capture: pcap or pcapng.")],
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw there: .svg or .txt.")] = None,
    connection: Annotated[
        int | None, typer.Option(metavar="N", help="Draw only this connection; 1 began first.")
    ] = None,
    app_dir: Annotated[
        str | None, typer.Option("--app", metavar="APP", help="Colour the data by this application's strategies.")
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", min=1, help="Most datagrams to draw.")] = 300,
) -> None:
    """Draw a capture as a sequence diagram: segments, acknowledgments, retransmissions."""
    from whit.ladder.cli import ladder

    ladder(_console(), capture, svg=svg, connection=connection, app_dir=app_dir, most=most)


@app.command("model", context_settings=ELSEWHERE)
def model_command(context: typer.Context) -> None:
    """Compute how long a response takes on a link, and the memory that it holds: the papers' model beside ours."""
    raise typer.Exit(_program("whit_lab.model.cli", context.args))


@app.command("new")
def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new directory.")],
    wsdl: Annotated[Path | None, typer.Option(metavar="FILE", help="Its services, in WSDL 1.1.")] = None,
    openapi: Annotated[Path | None, typer.Option(metavar="FILE", help="Its services, in OpenAPI 3.")] = None,
    text: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=254, help="Bytes of texts without a bound.")
    ] = None,
    count: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=255, help="Elements of arrays without one.")
    ] = None,
) -> None:
    """Make a small application to start from, or one with the functions of a service's description."""
    from whit.commands.described.wanted import Sizes
    from whit.commands.new import new, new_of
    from whit.paths import ROOT

    described = wsdl is not None or openapi is not None
    if not described and (text or count):
        raise WhitError(
            f"{'--text' if text else '--count'}: expected beside --wsdl or --openapi, whose values it bounds"
        )
    directory = new_of(name, wsdl, openapi, Sizes(text or 0, count or 0)) if described else new(name)
    program = "./whit" if Path.cwd() == ROOT else str(ROOT / "whit")
    run, test = map(shlex.quote, (str(directory), f"{directory}/test.py"))
    print(f"{directory} is there. Next: {shlex.quote(program)} run {run} --live")
    print(f"Then, elsewhere: python3 {test} http://127.0.0.1:8080")


cert = typer.Typer(help="The certificate of an application's HTTPS, and its key.", no_args_is_help=True)
app.add_typer(cert, name="cert")


@cert.command("new")
def cert_new_command(
    app_dir: App,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="A DNS name or an address of the device's.")
    ] = None,
    days: Annotated[int, typer.Option(metavar="N", min=1, max=820, help="Days of validity.")] = 820,
    set_: Set = None,
) -> None:
    """Make a certificate by this machine's own authority, and a key if it is missing."""
    from whit.commands.cert import new
    from whit.commands.overrides import parse_overrides

    new(app_dir, name or [], days, parse_overrides(set_ or []), _console())


@cert.command("show")
def cert_show_command(app_dir: App, set_: Set = None) -> None:
    """Show the certificate's names, validity, fingerprint and path."""
    from whit.commands.cert import show
    from whit.commands.overrides import parse_overrides

    show(app_dir, parse_overrides(set_ or []), _console())


@cert.command("import")
def cert_import_command(
    app_dir: App,
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="PEM: the device's, then its issuers'.")],
    key: Annotated[Path, typer.Argument(metavar="KEY", help="PEM: of P-256.")],
    set_: Set = None,
) -> None:
    """Copy an authority's certificate and its key to where the build finds them."""
    from whit.commands.cert import import_
    from whit.commands.overrides import parse_overrides

    import_(app_dir, certificate, key, parse_overrides(set_ or []), _console())


@cert.command("put")
def cert_put_command(
    app_dir: App,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to flash, which this makes.")],
    target: Target,
    set_: Set = None,
) -> None:
    """Make an image for a device with the key in it."""
    from whit.commands.cert import put
    from whit.commands.overrides import parse_overrides

    put(app_dir, file, target, parse_overrides(set_ or []), _console())


@app.command("docs")
def docs_command(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=1, max=65535, help="TCP port to listen at.")] = 8000,
    build: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the site there, and do not serve it.")
    ] = None,
) -> None:
    """Serve the documentation as a site with a search. Ctrl-C ends it."""
    from whit.commands import docs

    if build is not None:
        if is_given(context, "port"):
            raise WhitError(f"--port {port}: expected without --build, which serves nothing")
        docs.build(_console(), build)
        print(build / "index.html")
    else:
        docs.serve(_console(), port)


@app.command("sbom")
def sbom_command(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="Write it there; if not given, print it.")] = None,
) -> None:
    """Write the bill of materials of fetched programs and libraries, in CycloneDX 1.6."""
    from whit.commands.sbom import sbom

    sbom(file)


@app.command("test", context_settings=ELSEWHERE)
def test_command(context: typer.Context) -> None:
    """Show that Whit works on this machine: \\[--quick | --changed | --all | --mutants N] \\[TEST]..."""
    mutants = any(word.partition("=")[0] == "--mutants" for word in context.args)
    raise typer.Exit(_program("whit_lab.mutants.cli" if mutants else "whit_testbed.cli", context.args))


@app.command("lab", context_settings=ELSEWHERE)
def lab_command(context: typer.Context) -> None:
    """Run an experiment or benchmark: \\[EXPERIMENT] \\[--json FILE] \\[--plot FILE]."""
    raise typer.Exit(_program("whit_lab.cli", context.args))


def _program(module: str, arguments: list[str]) -> int:
    """Runs a command of the testbed or of the laboratory, which a version without them does not have."""
    try:
        program = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        raise WhitError(f"{module.partition('.')[0]}: this version does not have it") from None
    return int(program.main(arguments))


def main() -> None:
    """The program. A user's mistake is one line and its exit code; a traceback is a mistake of ours."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not have all letters
    try:
        check_words(sys.argv[1:])
        sys.exit(app(sys.argv[1:] or ["--help"], prog_name="whit", standalone_mode=False))
    except WhitError as error:
        print(f"whit: {shown(str(error))}", file=sys.stderr)
        sys.exit(error.code)
    except typer.TyperException as error:
        text = in_our_words(error.format_message().replace("\n", " ").rstrip("."))
        if text:  # a command of commands, alone, has shown its help
            print(f"whit: {shown(text)}; --help lists commands and options", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(f"whit: {shown(str(error.filename or 'the output'))}: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # output that is left would fail again at exit
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
