# SPDX-License-Identifier: MIT
"""The compiler's result: an application's resources and settings, from which reports are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .device import Board, Budget, Database, Https, Identity, Network
from .kinds import Coding as Coding
from .kinds import Persistence as Persistence
from .kinds import Writer as Writer
from .typed import ENUM as ENUM
from .typed import INTEGER_SIZES as INTEGER_SIZES
from .typed import PLACE_LEN, laid_out, levels
from .typed import STR as STR
from .typed import Argument as Argument
from .typed import scaled as scaled

if TYPE_CHECKING:
    from .services.model import Operation
    from .statements import Statement

STATUS_LINE = b"HTTP/1.1 200 \r\n"

JSON = "application/json"
SOAP_TYPES = ("text/xml", "application/soap+xml")  # by version
ARGS_MAX = 255
ARGUMENTS_MAX = 16
TAIL = 0x1000  # engine/core/tables.h: a path's value holds TAIL times the place + 1 of the argument at its end
TAIL_MAX = 14  # places for it


@dataclass(frozen=True)
class Get:
    """The doGet handler. `state`: it is a protothread that takes a struct state_t."""

    name: str
    writer: Writer
    state: bool = False


@dataclass(frozen=True)
class Parts:
    """doPostIn and doPostOut."""

    take: str
    thread: bool  # doPostIn is a protothread
    answer: str
    typed: bool  # doPostOut takes a struct state_t *, not a void *
    types: tuple[str, ...]  # the media types that are accepted, lower case; (): every one


@dataclass(frozen=True)
class Answer:
    """A call of answer_status or answer_field: its lines in the file, and the line that it adds to a head."""

    first: int
    last: int
    text: str  # of a status without the version
    status: int = 0


@dataclass(frozen=True)
class Endpoint:
    """The URL at which SOAP calls the operations of a service."""

    name: str
    namespace: str
    operations: Mapping[str, str]  # paths by their names
    args_len: int  # octets of the largest struct args_t of them
    security_kept: int = 0  # octets that are kept of a Security header: as engine/core/tables.h
    reply_len: int = 0  # octets of the longest reply that is signed; 0: none is


@dataclass(frozen=True)
class Generator:
    """The content of a <generator> element."""

    line: int
    get: Get | None
    init: str | None
    persistence: Persistence
    content_type: str
    arguments: tuple[Argument, ...]
    init_get: str | None = None
    call: str | None = None  # the function of a service
    text_len: int = 0  # octets of constant text that a plain doGet writes at least
    form: str | None = None  # doPost
    form_thread: bool = False  # ... is a protothread
    json: bool = False  # ... takes application/json as well
    later: bool = False  # it calls answer_later()
    parts: Parts | None = None
    answers: tuple[Answer, ...] = ()
    record: "Area | None" = None  # its fields are the arguments
    service: "Operation | None" = None  # it is a function that is called, and the handlers are written by the compiler
    endpoint: Endpoint | None = None  # it calls others; nothing of it is the author's
    declared: Persistence | None = None  # the author's choice, if the engine treats it as another one

    @property
    def takes(self) -> tuple[str, ...]:
        """Functions that take arguments of a service by pieces."""
        return tuple(one.take for one in self.arguments if one.take)

    @property
    def gives(self) -> tuple[str, ...]:
        """Functions that give values of its result by pieces."""
        return self.service.gives if self.service else ()

    @property
    def has_body(self) -> bool:
        """True if it answers requests with a body."""
        return self.form is not None or self.parts is not None

    @property
    def types(self) -> tuple[str, ...]:
        """Declared media types; for a form, types besides its own."""
        if self.endpoint:
            return SOAP_TYPES
        return self.parts.types if self.parts else (JSON,) if self.json else ()

    @property
    def is_run_again(self) -> bool:
        """True if its protothread is rerun from rerun points for retransmitted octets."""
        thread = self.get is not None and self.get.writer == Writer.THREAD
        return thread and self.persistence != Persistence.PERSISTENT

    @property
    def handlers(self) -> tuple[str, ...]:
        """Names of all its handlers, some perhaps twice."""
        get = self.get.name if self.get else None
        parts = (self.parts.take, self.parts.answer) if self.parts else ()
        own = (self.init, self.init_get, self.call, get, self.form, *parts, *self.takes, *self.gives)
        return tuple(name for name in own if name)

    @property
    def args_len(self) -> int:
        """sizeof (struct args_t) where integers are aligned to their size: the most that any target needs."""
        if self.endpoint:
            return self.endpoint.args_len
        if self.record:
            return self.record.record_len + (4 if self.service else 0)
        deep = levels(self.arguments)
        head = 2 + PLACE_LEN * deep if deep else int(self.service is not None)
        return laid_out(self.arguments, head)

    @property
    def has_records(self) -> bool:
        """True if its arguments include arrays or records."""
        return levels(self.arguments) > 0


@dataclass(frozen=True)
class Head:
    """Field lines in their order; `validators` belong in a 304 as well."""

    validators: bytes
    content: bytes

    @property
    def octets(self) -> bytes:
        return self.validators + self.content


@dataclass(frozen=True)
class Representation:
    """A content coding of a resource. A generator has one, with no body and no entity tag (0)."""

    coding: Coding
    head: Head
    body: bytes
    etag: int

    @property
    def head_len(self) -> int:
        """Octets of status line and fields on the wire; of a generator without its Content-Length's digits."""
        return len(STATUS_LINE) + len(self.head.octets)

    @property
    def wire_len(self) -> int:
        """Octets of a 200 response to GET."""
        return self.head_len + len(self.body)


def bank_len(size: int, chunk: int) -> int:
    """Octets that a version of a stored content takes: header, sums, `size` octets."""
    return 8 + 2 * -(-size // chunk) + size


@dataclass(frozen=True)
class Stored:
    """A content that is stored at run time, and its place in persistent memory. Lengths are in octets."""

    name: str  # C name without STORED_
    number: int
    address: int  # of the first of its two banks
    size: int  # octets of content at most
    chunk: int
    seal: int

    @property
    def bank_len(self) -> int:
        """Header, sums, octets."""
        return bank_len(self.size, self.chunk)


@dataclass(frozen=True)
class Resource:
    """A resource at one URL, or at two: index.html answers for its directory as well."""

    path: str  # without the leading "/"
    source: str  # file relative to the application's directory
    content_type: str
    generator: Generator | None
    representations: tuple[Representation, ...]  # identity first
    stored: Stored | None = None
    page: str = ""  # of a page template: its C
    asked: tuple[str, ...] = ()  # paths with a query at which it answers too: thermostat?wsdl
    statements: "tuple[Statement, ...]" = ()  # ... and the ones that it asks a database
    describes: bool = False  # the compiler wrote it, about services

    @property
    def paths(self) -> tuple[str, ...]:
        directory, slash, name = self.path.rpartition("/")
        return (directory + slash, self.path) if name == "index.html" else (self.path,)

    @property
    def tail(self) -> int | None:
        """Index of the argument that may follow its path."""
        arguments = self.generator.arguments if self.generator else ()
        return next((index for index, argument in enumerate(arguments) if argument.path), None)

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple("/" + path for path in self.paths)

    @property
    def persistence(self) -> Persistence:
        if self.stored:
            return Persistence.STORED
        return self.generator.persistence if self.generator else Persistence.STATIC

    @property
    def made_later(self) -> bool:
        """True if its content is unknown before the device runs."""
        return self.generator is not None or self.stored is not None


@dataclass(frozen=True)
class Field:
    """A field of a persistent record. Its values are low..high; of an enum they are indices of its words."""

    name: str
    type: str
    size: int  # octets of one value; of a str with its NUL
    default: int = 0
    low: int = 0
    high: int = 0
    count: int = 0  # of an array's elements; 0: no array
    words: tuple[str, ...] = ()
    text: str = ""  # the default of a str
    has_default: bool = False  # app.toml sets it

    @property
    def alignment(self) -> int:
        return 1 if self.type == STR else self.size

    @property
    def len(self) -> int:
        """Octets."""
        return self.size * max(1, self.count)

    @property
    def declaration(self) -> str:
        plain = Argument(self.name, self.type, self.size, False, 0).declaration
        return f"{plain}[{self.count}]" if self.count else plain

    @property
    def is_bounded(self) -> bool:
        """True if some value of its type is out of its range."""
        if self.type == STR:
            return False
        return self.high - self.low + 1 < 1 << 8 * self.size


@dataclass(frozen=True)
class Area:
    """[persistent.NAME]: one record, or several that are found by their index."""

    name: str
    line: int  # of app.toml
    fields: tuple[Field, ...]  # in the order of app.toml
    members: tuple[str, ...]  # of the C struct after its seal
    record_len: int  # octets
    record_cnt: int
    indexed: bool  # it has `records`
    seed: int  # of its records' seals: follows from the layout
    address: int

    @property
    def len(self) -> int:
        """Octets."""
        return self.record_len * self.record_cnt


@dataclass(frozen=True)
class Region:
    """A part of persistent memory that app.toml declares, for messages about its size."""

    name: str  # [persistent.settings]
    line: int
    octets: int
    longest_write: int = 0  # octets that are written at once; 0: as many as the application likes
    record_len: int = 0  # of a named area
    raw: bool = False  # its size is its length


@dataclass(frozen=True)
class Memory:
    """Persistent memory: octets without a name, the named areas, and all parts that are declared, by their address."""

    raw_len: int = 0  # octets
    areas: tuple[Area, ...] = ()
    regions: tuple[Region, ...] = ()
    more: tuple[tuple[str, int, int], ...] = ()  # seeds of other parts


@dataclass(frozen=True)
class Limits:
    """The numbers of app.toml, defaults filled in. Lengths are in octets."""

    connections: int
    idle: int
    buffer: int
    chunk: int
    counter_bits: int
    target_max: int
    fields_max: int
    receive_window: int
    request_timeout_s: int
    idle_timeout_s: int
    port: int
    link_local: bool
    persistent_size: int
    body_max: int
    timers: int
    ping: bool
    entity_tags: bool  # of files
    replay: bool  # a plain function that is not persistent may run again for each segment; else its output is kept
    pipelining: bool  # a request during another response waits; else its client retransmits it
    recovery: str
    content_max: int
    position_bits: int = 24  # of a position in a response
    keep_window: bool | None = None  # a host's next response begins with its last ones' window; None: the port's
    repeats: int | None = None  # SYN-ACKs and RSTs that may be sent again at a time; None: the port's
    client_connections: int = 0  # that the server opens itself
    client_send: int = 512  # each: octets that are kept until they are acknowledged
    client_receive: int = 1460  # ... and until they are read
    keep_alive: bool | None = None  # responses state how long an idle connection is kept; None: unless the line is slow
    form_data: bool = False  # forms may be multipart/form-data


@dataclass(frozen=True)
class Application:
    """A compiled application."""

    name: str
    directory: Path
    limits: Limits
    network: Network
    board: Board
    resources: tuple[Resource, ...]  # by path
    errors: tuple[Resource, ...]  # bodies of errors, such as 404.html
    sources: tuple[Path, ...]  # C files to compile: the generated ones, then the application's helpers
    budgets: Mapping[str, Budget] = field(default_factory=dict)  # by target
    calls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # through pointers, by the caller's name
    recursion: Mapping[str, int] = field(default_factory=dict)  # how often a function is on the stack at most
    hints: tuple[str, ...] = ()  # probable mistakes, a line each: FILE:LINE: text
    memory: Memory = Memory()
    database: Database | None = None
    statements: "tuple[Statement, ...]" = ()  # that it is asked
    https: Https | None = None
    secured: bool = False  # a function is called by WS-Security,
    signed: bool = False  # ... with a signature
    replies: Identity | None = None  # ... and the reply has one: of whom

    @property
    def generators(self) -> tuple[Resource, ...]:
        return tuple(resource for resource in self.resources if resource.generator)

    @property
    def key(self) -> Path | None:
        """Path of the certificate's key; None: the application has no certificate."""
        who = self.https or self.replies
        return who.key if who else None

    @property
    def hashed(self) -> bool:
        """True if the build should look up connections by hash: a scan of that number would cost more."""
        return self.limits.connections > 64 or self.limits.idle > 64
