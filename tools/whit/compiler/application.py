# SPDX-License-Identifier: MIT
"""Compiles an application's directory to generated sources. Writes nothing unless all of it is right."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from whit.plain_files import SETTINGS_MAX, octets_of

from . import (
    answers,
    app_toml,
    automaton,
    budget,
    database,
    emit,
    hints,
    https,
    json_errors,
    persistent,
    positions,
    private_files,
    references,
    resources,
    statements,
    stored,
)
from .coder import Coder
from .device import Board, Database, Identity, Place
from .errors import CompileError
from .heads import with_field, without_tags
from .model import Application, Endpoint, Generator, Limits, Memory, Resource
from .services import describe, security, soap
from .strategy import kept

WINDOW_RESERVED = 256  # WHIT_WINDOW_RESERVED there, at most
SOAP_KEPT = 352  # ... of a message of SOAP: WHIT_SOAP_KEPT of engine/core/tables.h
SOAP_ROOM = 48  # octets of it that find room at least
FORM_KEPT = 32  # octets that are kept of a form's body beside its arguments: WHIT_FORM_KEPT of engine/core/tables.h
FORM_PARTS_KEPT = 16  # ... if it may be multipart/form-data


def compile_application(
    app_dir: Path,
    out_dir: Path,
    *,
    overrides: Mapping[str, object] | None = None,
    coder: Coder | None = None,
    html_end: bytes = b"",
    serial: bool = False,
    describes: bool = True,
    host: bool = False,
) -> Application:
    """Compiles an application. Raises CompileError for its author's mistakes.

    * `overrides`: keys of app.toml by dotted name
    * `coder`: compresses the files
    * `html_end`: follows each HTML file
    * `serial`: the link is a serial line
    * `describes`: services are described unless app.toml has services.describe
    * `host`: memory is not scarce
    """
    app_dir, out_dir = Path(app_dir), Path(out_dir)
    if out_dir.resolve().is_relative_to(app_dir.resolve()):
        raise CompileError(out_dir, None, "would become part of the application: expected a directory outside it")
    if not app_dir.is_dir():
        raise CompileError(app_dir, None, "no such directory: expected an application's directory")
    settings = _settings(app_dir, overrides or {})
    asked = database.read(app_dir, settings)
    areas = persistent.read(settings)
    coder = coder or Coder()
    private = private_files.served(settings, app_dir)
    named = {area.name: area for area in areas}
    directory = resources.read(app_dir, named, settings.raw_len, coder, html_end, private)
    directory = _described(app_dir, settings, directory, coder, describes=describes)
    services = describe.services_of(app_dir, directory.resources)
    coder.told("compiling the application")
    generators = [resource.generator for resource in directory.resources if resource.generator]
    has_parts = any(generator.parts for generator in generators)
    form_data = _form_data(settings, generators, host)
    form_kept = FORM_KEPT + (FORM_PARTS_KEPT if form_data else 0)
    buffer_usual = max((_buffer_usual(generator, form_kept) for generator in generators), default=0)
    has_body = any(generator.has_body for generator in generators)
    limits = settings.limits(bool(generators), directory.set_timer_cnt, has_parts, buffer_usual, has_body)
    kept_clients = asked.connections if asked else 0
    limits = replace(
        limits,
        form_data=form_data,
        persistent_size=persistent.end_of(areas, settings.raw_len),
        client_connections=limits.client_connections + kept_clients,
    )
    secured = https.read(app_dir, settings, limits)
    all_resources, limits = stored.add(settings, limits, directory.resources)
    keyed = security.read(app_dir, settings, all_resources, limits.persistent_size)
    signer = _identity(app_dir, settings)
    keyed = security.signing(app_dir, settings, keyed, signer)
    if keyed is not None:
        limits = replace(limits, persistent_size=limits.persistent_size + security.FLOOR_LEN)
    if not limits.entity_tags:
        all_resources = tuple(map(without_tags, all_resources))
    if not limits.replay:
        all_resources = tuple(map(kept, all_resources))
    if secured is not None and secured.hsts_s:
        told = f"Strict-Transport-Security: max-age={secured.hsts_s}"
        all_resources = tuple(with_field(one, told) for one in all_resources)
    directory = replace(directory, resources=all_resources)
    served = [*all_resources, *(resource for _, resource in directory.errors)]
    limits = positions.settle(limits, served, https=https.is_wanted(settings))
    _check_limits(app_dir, settings, limits, directory.resources)
    if settings.values.get("json_errors") and (message := json_errors.too_many(generators)):
        raise settings.error("json_errors", message)
    if directory.client_open and limits.client_connections == kept_clients:
        source, line = directory.client_open
        message = "opens a connection: expected in app.toml how many there may be, [client] with connections = 4"
        raise CompileError(app_dir / source, line, message)
    budgets, calls, recursion = budget.budgets(settings), budget.calls(settings), budget.recursion(settings)
    regions = persistent.regions(settings, areas) + stored.regions(settings, all_resources)
    memory = Memory(settings.raw_len, areas, regions, (keyed.seed,) if keyed else ())
    wanted = statements.together(statements.read(settings), *(one.statements for one in all_resources))
    database.check(settings, asked, wanted)
    asked = database.settle(settings, asked, wanted)
    others = emit.Others(
        database.files(asked, wanted),
        https.files(secured) | security.files(keyed),
        *(secured, signer.signs, keyed),
        charsets=bool(settings.values.get("services.charsets", host)),
        json_errors=bool(settings.values.get("json_errors", False)) and not host,
    )
    board = replace(settings.board(), serial=serial)
    output = emit.emit(settings.name(), limits, board, directory, memory, html_end, others)
    if output.targets_len > automaton.OFFSET_MAX:
        message = (
            f"URLs, arguments and media types take {output.targets_len} bytes: expected at most {automaton.OFFSET_MAX}"
        )
        raise CompileError(app_dir, None, f"{message}; shorten paths")
    _write(out_dir, output.files)
    return Application(
        name=settings.name() or app_dir.resolve().name,
        directory=app_dir,
        limits=limits,
        network=settings.network(),
        board=board,
        resources=directory.resources,
        errors=tuple(resource for _, resource in directory.errors),
        sources=(
            *(out_dir / name for name in sorted(output.files) if name.endswith(".c")),
            *(app_dir / name for name in directory.helpers),
        ),
        budgets=budgets,
        calls=calls | _pieces(directory.resources),
        recursion=recursion,
        hints=(
            *directory.hints,
            *hints.lost_redirects(app_dir, directory.resources),
            *references.hints(app_dir, directory, describe.paths(services, directory.resources)),
            *hints.too_long(app_dir, directory.resources, limits),
            *(hints.wide_window(settings, limits) if has_body else ()),
            *hints.narrow_buffer(settings, limits, buffer_usual),
            *database.hints(app_dir, asked, wanted),
            *https.hints(secured),
            *security.hints(app_dir, settings, keyed),
        ),
        memory=memory,
        database=asked,
        statements=tuple(wanted),
        https=secured,
        secured=keyed is not None,
        signed=keyed is not None and bool(keyed.namespaces),
        replies=signer if signer.signs else None,
    )


def database_of(app_dir: Path, overrides: Mapping[str, object] | None) -> tuple[str, Board, Database | None]:
    """Returns an application's name, its board and its database."""
    settings = _settings(app_dir, overrides or {})
    return settings.name() or app_dir.resolve().name, settings.board(), database.read(app_dir, settings)


def board_of(app_dir: Path, overrides: Mapping[str, object] | None) -> Board:
    """Returns the board of an application's device."""
    return _settings(app_dir, overrides or {}).board()


def place_of(app_dir: Path, overrides: Mapping[str, object] | None) -> Place:
    """Returns the address and the ports at which a device serves its pages."""
    settings = _settings(app_dir, overrides or {})
    https_port = int(settings.values.get("https.port", 443)) if https.is_wanted(settings) else None
    address = ".".join(map(str, settings.board().address))
    return Place(address, int(settings.values.get("port", 80)), https_port)


def identity_of(app_dir: Path, overrides: Mapping[str, object] | None) -> Identity:
    """Returns the identity of an application whose certificate need not exist yet."""
    return _identity(app_dir, _settings(app_dir, overrides or {}))


def _identity(app_dir: Path, settings: app_toml.Settings) -> Identity:
    certificate, key = https.files_of(app_dir, settings)
    return Identity(
        name=settings.name() or app_dir.resolve().name,
        address=".".join(map(str, settings.board().address)),
        certificate=certificate,
        key=key,
        is_own=not {"https.certificate", "services.certificate"} & settings.values.keys(),
        is_wanted=https.is_wanted(settings),
        redirects=settings.values.get("https.plain") == "redirect",
        signs=settings.values.get("services.sign") is True,
        keeps=settings.keeps,
    )


def _described(
    app_dir: Path, settings: app_toml.Settings, directory: resources.Directory, coder: Coder, *, describes: bool
) -> resources.Directory:
    """Adds the endpoints of SOAP, and the files that describe the services."""
    services = describe.services_of(app_dir, directory.resources)
    signs = settings.values.get("services.sign") is True
    rsa = bool(services) and security.has_rsa(app_dir, settings)
    made = soap.with_endpoints(app_dir, services, directory.resources, signs=signs, rsa=rsa)
    directory = replace(directory, resources=made)
    if not services or not settings.values.get("services.describe", describes):
        return directory
    title = settings.name() or app_dir.resolve().name
    described = describe.described(title, settings.origin(), services, directory.resources, coder)
    return replace(directory, resources=described)


def _settings(app_dir: Path, overrides: Mapping[str, object]) -> app_toml.Settings:
    file = app_dir / app_toml.FILE
    try:
        content = octets_of(file, SETTINGS_MAX)
    except FileNotFoundError:
        if file.is_symlink():
            raise CompileError(file, None, f"a symbolic link to {file.readlink()}, which does not exist") from None
        content = b""
    except OSError as error:
        raise CompileError(file, None, f"cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CompileError(file, line, "not UTF-8: expected TOML; convert it") from None
    settings = stored.overridden(app_toml.read(file, text, overrides), overrides)
    settings.network()
    return settings


def _check_limits(
    app_dir: Path, settings: app_toml.Settings, limits: Limits, all_resources: tuple[Resource, ...]
) -> None:
    """Checks the limits against the application, and against each other."""
    if limits.keep_alive and limits.idle == 0:
        message = "keep_alive is true, and with idle = 0 each response closes its connection: expected idle = 1 or more"
        raise settings.error("keep_alive", f"{message}, or no keep_alive")
    if limits.timers > app_toml.TIMERS_MAX:
        message = (
            f"{limits.timers} calls of set_timer: expected at most {app_toml.TIMERS_MAX}; say how many run, timers = 4"
        )
        raise settings.error("timers", message)
    generators = [(resource, resource.generator) for resource in all_resources if resource.generator]
    if generators:
        form_kept = FORM_KEPT + (FORM_PARTS_KEPT if limits.form_data else 0)
        largest, generator = max(generators, key=lambda pair: _buffer_min(pair[1], form_kept))
        need = _buffer_min(generator, form_kept)
        if limits.buffer < need:
            whose = f"the form of {largest.source}" if generator.form else f"the arguments of {largest.source}"
            if generator.endpoint:
                what = (
                    "signed replies"
                    if need > _soap_min(generator.endpoint, generator.args_len, form_kept)
                    else "messages"
                )
                whose = f"{what} of {largest.source}"
            why = whose if need > app_toml.BUFFER_MIN else "generators"
            raise settings.error("buffer", f"buffer is {limits.buffer}: expected at least {need} for {why}")
    longest = max((url for resource in all_resources for url in resource.urls), key=len)
    if limits.target_max < len(longest):
        message = f"target_max is {limits.target_max}: expected at least {len(longest)} for {longest}"
        raise settings.error("target_max", message)
    generated = (resource.generator for resource in all_resources if resource.generator)
    chosen = {answer.text for generator in generated for answer in generator.answers}
    if len(chosen) > answers.TEXTS_MAX:
        message = f"{len(chosen)} different statuses and fields: expected at most {answers.TEXTS_MAX}"
        raise CompileError(app_dir, None, message)
    if sum(len(resource.representations) for resource in all_resources) > 0xFFFF:
        raise CompileError(app_dir, None, "more than 65535 representations: expected fewer files")


def _form_data(settings: app_toml.Settings, generators: Iterable[Generator], host: bool) -> bool:
    """True if forms may be multipart/form-data, too. The default: on hosts whose buffer has room."""
    if "form_data" in settings.values:
        return bool(settings.values["form_data"])
    room = int(settings.values.get("buffer", app_toml.BUFFER_MAX))
    return host and all(_buffer_min(one, FORM_KEPT + FORM_PARTS_KEPT) <= room for one in generators)


def _buffer_min(generator: Generator, form_kept: int = FORM_KEPT) -> int:
    """Octets of the shared buffer for the arguments of one generator. Those of a form take a quarter of it at most."""
    if generator.endpoint:
        reply = 2 * generator.endpoint.reply_len + WINDOW_RESERVED if generator.endpoint.reply_len else 0
        return max(_soap_min(generator.endpoint, generator.args_len, form_kept), reply)
    form = 4 * (form_kept + generator.args_len) if generator.form else 0
    return max(app_toml.BUFFER_MIN, generator.args_len + 8, form)


def _buffer_usual(generator: Generator, form_kept: int) -> int:
    """Returns the default buffer for a generator: a message of SOAP may have several segments."""
    endpoint, least = generator.endpoint, _buffer_min(generator, form_kept)
    return max(least, _soap_min(endpoint, generator.args_len, form_kept, app_toml.SEGMENT_ROOM)) if endpoint else least


def _soap_min(endpoint: Endpoint, args_len: int, form_kept: int, room: int = SOAP_ROOM) -> int:
    """Returns the least buffer for reading a message with `room` octets of arguments."""
    return 2 * (form_kept + SOAP_KEPT + endpoint.security_kept + args_len + room)


def _pieces(resources: Iterable[Resource]) -> dict[str, tuple[str, ...]]:
    """Returns the functions of services that the engine calls through pointers, by the engine's functions."""
    generators = [resource.generator for resource in resources if resource.generator]
    taken = tuple(name for one in generators for name in one.takes)
    given = tuple(name for one in generators for name in one.gives)
    return {name: targets for name, targets in (("give_away", taken), ("say_given", given)) if targets}


def _write(out_dir: Path, files: Mapping[str, str]) -> None:
    """A file that would not change keeps its time, so that the build does not repeat itself."""
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = out_dir / name
            content = text.encode("utf-8")
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)
    except OSError as error:
        raise CompileError(out_dir, None, f"cannot be written: {error.strerror}") from None
