# SPDX-License-Identifier: MIT
"""app.toml: defaults, ranges, and every mistake with its line."""

from pathlib import Path

import pytest

from tests.compiler.support import error_of, generator, make_app
from whit.compiler import app_toml, compile_application
from whit.compiler.device import Network
from whit.compiler.model import Limits
from whit.compiler.toml_text import line_of

ARGS = generator('<args><arg name="a" type="str" size="200"/></args>')
NETWORK = '[network]\naddress = "10.7.0.2"\nprefix = 24\n'
# app.toml, and the error: its line and message.
CASES = [
    ("conections = 4", "1: unknown key 'conections': did you mean connections?"),
    ("xyzzy = 4", "1: unknown key 'xyzzy': expected one of name, connections, idle, buffer,"),
    ("[link]\nbuad = 9600", "2: unknown key 'link.buad': did you mean link.baud?"),
    ("size = 9600", "1: unknown key 'size': did you mean persistent.size?"),
    ("[persistant]\nsize = 64", "1: unknown table [persistant]: did you mean [persistent]?"),
    ('connections = "4"', "1: connections is '4': expected an integer, 1 to 10000, without quotes"),
    (
        '[network]\naddress = "10.0.0.1/24"',
        "2: network.address is '10.0.0.1/24': expected an IPv4 host address in a string; the",
    ),
    (
        "[persistent]\nsize = 64k",
        "2: not TOML: Expected newline or end of document after a statement; a number has no unit, 64k is 65536",
    ),
    ("idle = 1\nidle = 2", "2: not TOML: Cannot overwrite a value; is idle set twice?"),
    ("ping = [", "1: not TOML: Invalid value; expected a ] at the end of ping"),
    ("[calls]\na = [ # two\n  'x',\n\nb = 2", "2: not TOML: Invalid value; expected a ] at the end of a"),
    ("idle: 2", "1: not TOML: Expected '=' after a key in a key/value pair; expected idle = value"),
    ("name = thing", '1: not TOML: Invalid value; a text is in quotes: name = "thing"'),
    ("idle =", "1: not TOML: Invalid value; expected a value after idle ="),
    ("\n[link]\nspeed = 9600", "3: unknown key 'link.speed': expected one of link.local"),
    ("[budgets]\nram = 1", "1: unknown table [budgets]: did you mean [budget]?"),
    ("[xyzzy]\nram = 1", "1: unknown table [xyzzy]: expected one of"),
    ("[budget]\nram = 1", "2: budget of 'ram': expected one of avr, cortex-m, riscv, gba, pc"),
    ("[budget]\navr = 1", "2: budget.avr is 1: expected a table [budget.avr]"),
    ("budget = 900", "1: budget is 900: expected tables [budget.avr]"),
    ("[budget.linux]\nram = 1", "1: budget of 'linux': expected one of avr, cortex-m, riscv, gba, pc"),
    ("[budget.avr]\nflash = 1\nrom = 1", "3: unknown key 'rom': expected one of flash, ram, stack"),
    ("[budget.avr]\nflash = 1\nram = '1k'", "3: budget.avr.ram is '1k': expected bytes, 1 to 16777215"),
    ("[budget.cortex-m]\nstack = 0", "2: budget.cortex-m.stack is 0: expected bytes, 1 to 16777215"),
    ("[budget.gba]\nstack = true", "2: budget.gba.stack is true: expected bytes, 1 to 16777215"),
    ("calls = 1", "1: calls is 1: expected a table of FUNCTION = ['FUNCTION']"),
    ("[calls]\nf = 'g'", "2: [calls] f = 'g': expected names of the functions that it calls, in an array"),
    ("[calls]\nf = ['g()']", "2: [calls] f = an array: expected names of the functions that it calls, in an array"),
    ("[calls]\n'a b' = ['g']", "2: [calls] a b = an array: expected names of the functions that it calls, in an array"),
    ("[recursion]\nf = 0", "2: [recursion] f = 0: expected how often it is on the stack, 1 to 1000"),
    ("[recursion]\nf = []", "2: [recursion] f = an array: expected how often it is on the stack, 1 to 1000"),
    (
        '[database]\naddress = "127.0.0.1"',
        "2: database.address is '127.0.0.1': expected an IPv4 host address in a string; 10.0.2.2 is 127.0.0.1 of this",
    ),
    ("link = true", "1: link is true: expected a table, [link], with local, keep_window, baud below it"),
    ("connections = 0", "1: connections is 0: expected an integer, 1 to 10000"),
    ("\n\nconnections = 10001", "3: connections is 10001: expected an integer, 1 to 10000"),
    ('connections = "4"', "1: connections is '4': expected an integer, 1 to 10000"),
    ("connections = true", "1: connections is true: expected an integer"),
    ("connections = 4.0", "1: connections is 4.0: expected an integer"),
    ("connections = [4]", "1: connections is an array: expected an integer"),
    ("idle = 100001", "1: idle is 100001: expected an integer, 0 to 100000"),
    ("buffer = 32769", "1: buffer is 32769: expected an integer, 0 to 32768"),
    ("# c\nchunk = 24", "2: chunk is 24: expected an integer, one of 4, 8, 16, 32, 64, 128"),
    ("target_max = 1", "1: target_max is 1: expected an integer, 16 to 16384"),
    ("fields_max = 65536", "1: fields_max is 65536: expected an integer, 256 to 65535"),
    ("receive_window = 535", "1: receive_window is 535: expected an integer, 536 to 65535"),
    ("request_timeout_s = 61", "1: request_timeout_s is 61: expected an integer, 1 to 60"),
    ("idle_timeout_s = 4", "1: idle_timeout_s is 4: expected an integer, 5 to 200"),
    ("content_max = 0", "1: content_max is 0: expected an integer, 1 to 16711680"),
    ("body_max = 0", "1: body_max is 0: expected an integer, 1 to 16777216"),
    ("timers = 33", "1: timers is 33: expected an integer, 0 to 32"),
    ("port = 0", "1: port is 0: expected an integer, 1 to 65535"),
    ('name = ""', "1: name is '': expected a string of 1 to 64 printable characters"),
    ('name = "a\\nb"', "1: name is 'a\\nb': expected a string of 1 to 64 printable characters"),
    ("[link]\nlocal = 1", "2: link.local is 1: expected true or false"),
    ("link.local = 'yes'", "1: link.local is 'yes': expected true or false"),
    ("[persistent]\n\nsize = 40000", "3: persistent.size is 40000: expected an integer, 0 to 32768"),
    ('[network]\naddress = "10.0.0"', "2: network.address is '10.0.0': expected an IPv4 host address in a string"),
    ('[network]\naddress = "224.0.0.1"', "2: network.address is '224.0.0.1': expected an IPv4 host address"),
    ('[network]\naddress = "127.0.0.1"', "2: network.address is '127.0.0.1': expected an IPv4 host address"),
    ('[network]\naddress = "127.255.9.9"', "2: network.address is '127.255.9.9': expected an IPv4 host address"),
    ('[network]\naddress = "0.0.0.0"', "2: network.address is '0.0.0.0': expected an IPv4 host address"),
    ('[network]\naddress = "240.0.0.1"', "2: network.address is '240.0.0.1': expected an IPv4 host address"),
    ('[network]\nmac = "03:00:00:00:00:01"', "2: network.mac is '03:00:00:00:00:01': expected a unicast MAC address"),
    ("[network]\nprefix = 33", "2: network.prefix is 33: expected an integer, 0 to 32"),
    (
        '[network]\naddress = "10.7.0.255"',
        "2: network.address is 10.7.0.255: expected a host's, in 10.7.0.0/24 from 10.7",
    ),
    ('[network]\ngateway = "10.8.0.1"', "2: gateway is 10.8.0.1: expected an address in 10.7.0.0/24, the network of a"),
    (f'{NETWORK}gateway = "10.8.0.1"', "4: gateway is 10.8.0.1: expected an address in 10.7.0.0/24"),
    ("connections = \nidle = 3", "1: not TOML: "),
    ("connections = 1\n\nconnections = 2", "3: not TOML: Cannot overwrite a value"),
    ('name = "x', "1: not TOML: "),
    (b"# a\nname = '\xff'", "2: not UTF-8: expected TOML; convert it"),
    ("buffer = 63", "1: buffer is 63: expected at least 208 for the arguments of x.c"),
    ("connections = 4\nbuffer = 200", "2: buffer is 200: expected at least 208 for the arguments of x.c"),
    ('recovery = "none"', '1: recovery is \'none\': expected "full", or "small"'),
    ("target_max = 16", "1: target_max is 16: expected at least 19 for /a/rather/long.path"),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[expected for _, expected in CASES])
def test_error(tmp_path: Path, text: str | bytes, expected: str) -> None:
    app = make_app(tmp_path / "app", {"app.toml": text, "x.c": ARGS, "a/rather/long.path": "x"})
    said = error_of(app)
    assert said.startswith(f"app.toml:{expected}")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ping = [1 2]", "app.toml:1: not TOML: Unclosed array"),
        ("ping = 08", "app.toml:1: not TOML: Expected newline or end of document after a statement"),
        ('[database]\naddress = "1"', "app.toml:2: database.address is '1': expected an IPv4 host address in a string"),
    ],
)
def test_no_way_out_that_is_none(tmp_path: Path, text: str, expected: str) -> None:
    assert error_of(make_app(tmp_path / "app", {"app.toml": text, "x.c": generator()})) == expected


def test_what_no_line_can_be_told_of(tmp_path: Path) -> None:
    for text in ("port = " + "9" * 5000, "port = " + "[" * 100_000):
        app = make_app(tmp_path / "app", {"app.toml": text, "index.html": "x"})
        assert error_of(app).startswith("app.toml: not TOML that can be read: ")


def test_a_generator_needs_a_buffer(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"app.toml": "buffer = 0", "x.c": generator()})
    assert error_of(app) == "app.toml:1: buffer is 0: expected at least 24 for generators"
    app = make_app(tmp_path / "app", {"app.toml": "", "x.c": generator()})
    assert error_of(app, {"buffer": 23}) == "app.toml: buffer is 23: expected at least 24 for generators"


def test_defaults(tmp_path: Path) -> None:
    app = make_app(tmp_path / "hello", {"index.html": "x"})
    application = compile_application(app, tmp_path / "out")
    limits = Limits(
        4,
        16,
        0,
        32,
        16,
        1024,
        8192,
        5840,
        15,
        120,
        80,
        False,
        0,
        65536,
        0,
        True,
        True,
        True,
        True,
        "full",
        63488,
        16,
    )
    assert application.limits == limits
    assert application.network == Network()
    assert application.name == "hello"
    assert not application.hashed


def test_what_follows_from_connections(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": "connections = 10_000", "x.c": generator()})
    application = compile_application(app, tmp_path / "out")
    assert (application.limits.idle, application.limits.buffer) == (20000, 512)
    assert application.hashed


@pytest.mark.parametrize(
    ("text", "client"),
    [("", (0, 512, 1460)), ("[client]\n", (4, 512, 1460)), ("[client]\nsend = 64\n", (4, 64, 1460))],
)
def test_connections_that_the_server_opens(tmp_path: Path, text: str, client: tuple[int, ...]) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": text})
    limits = compile_application(app, tmp_path / "out").limits
    assert (limits.client_connections, limits.client_send, limits.client_receive) == client


def test_a_connection_is_opened_where_there_are_none(tmp_path: Path) -> None:
    code = "static void open(void)\n{\n    (void)client_open(1, 2, 3);\n}\n"
    app = make_app(tmp_path / "app", {"index.html": "x", "help.c": code})
    said = error_of(app)
    assert "help.c:3: opens a connection: " in said and "[client] with connections = 4" in said


def test_every_key(tmp_path: Path) -> None:
    text = (
        'name = "n"\nconnections = 1\nidle = 2\nbuffer = 3\nchunk = 4\n'
        "counter_bits = 8\ntarget_max = 20\nfields_max = 1000\n"
        "receive_window = 600\nrequest_timeout_s = 7\nidle_timeout_s = 8\nport = 9\nbody_max = 11\ncontent_max = 13\n"
        "timers = 12\nping = false\nkeep_alive = false\n"
        "entity_tags = false\nreplay = false\npipelining = false\nrepeats = 8\nrecovery = 'small'\n"
        "client = { connections = 3, send = 100, receive = 200 }\n"
        "link = { local = true, keep_window = true }\n"
        f'persistent.size = 10\n{NETWORK}gateway = "10.7.0.1"\nmac = "02:00:00:00:00:01"\n'
    )
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": text})
    application = compile_application(app, tmp_path / "out")
    assert application.limits == Limits(
        *(1, 2, 3, 4, 8, 20, 1000, 600, 7, 8, 9, True, 10, 11, 12, False, False, False, False, "small", 13, 16),
        *(True, 8, 3, 100, 200, False),
    )
    assert application.network == Network("10.7.0.2", "10.7.0.1", 24, "02:00:00:00:00:01")
    assert application.name == "n"
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    for line in ("WHIT_CONNECTIONS 1 ", "WHIT_IDLE 2 ", "WHIT_BUFFER 3 ", "WHIT_CHUNK 4 ", "WHIT_COUNTER_BITS 8 ",
                 "WHIT_TARGET_MAX 20 ",
                 "WHIT_FIELDS_MAX 1000 ", "WHIT_RCV_WND 600 ", "WHIT_REQUEST_TIMEOUT_S 7 ",
                 "WHIT_IDLE_TIMEOUT_S 8 ", "WHIT_KEEP_ALIVE 0 ",
                 "WHIT_TCP_PORT 9\n", "WHIT_LINK_LOCAL 1 ", "WHIT_PERSISTENT_SIZE 10 ",
                 "WHIT_BODY_MAX 11 ", "WHIT_CONTENT_MAX 13 ", "WHIT_POSITION_BITS 16 ",
                 "WHIT_KEEPS_WINDOW 0 ",  # small recovery has no such window
                 "WHIT_TIMERS 12 ", "WHIT_PING 0 ", "WHIT_PIPELINING 0 ",
                 "WHIT_HAS_GENERATORS 0 ", "WHIT_HAS_ARGUMENTS 0 ", "WHIT_HAS_VARIANTS 0 "):  # fmt: skip
        assert f"#define {line}" in page


def test_overrides(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": "connections = 3\nidle = 5\n"})
    settings: dict[str, object] = {"connections": 2, "link.local": 1, "network.address": "10.0.0.2"}
    application = compile_application(app, tmp_path / "out", overrides=settings)
    assert (application.limits.connections, application.limits.idle, application.limits.link_local) == (2, 5, True)
    assert application.network.address == "10.0.0.2"
    (tmp_path / "out" / "app.json").unlink()
    for path in (tmp_path / "out").iterdir():
        path.unlink()
    (tmp_path / "out").rmdir()
    assert error_of(app, {"slots": 2}).startswith("--set: unknown key 'slots': expected one of name, connections")
    assert error_of(app, {"connections": 0}) == "--set: connections is 0: expected an integer, 1 to 10000"


def spoilt(name: str) -> list[str]:
    """Returns a name's usual misspellings: two letters swapped, one missing, one doubled."""
    middle = len(name) // 2
    swapped = name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]
    return [swapped, *([name[:middle] + name[middle + 1 :], name[:middle] + name[middle:middle + 1] + name[middle:]]
                       if len(name) > 3 else [])]  # fmt: skip


@pytest.mark.parametrize("key", app_toml.KEYS)
def test_a_misspelled_key_is_found_in_its_table(tmp_path: Path, key: str) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    table, _, name = key.rpartition(".")
    for wrong in {*spoilt(name)} - {name}:
        unknown = f"{table}.{wrong}" if table else wrong
        assert error_of(app, {unknown: 1}) == f"--set: unknown key {unknown!r}: did you mean {key}?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[link]\nadress = "10.0.0.2"',
            "2: unknown key 'link.adress': did you mean services.address or database.address or network.address?",
        ),
        ("[network]\nconections = 4", "did you mean connections above the first table or client.connections or"),
        ("[persistent]\nsiez = 4", "2: unknown key 'persistent.siez': did you mean persistent.size?"),
        ("[budget.corte-m]\nram = 1", "expected one of avr, cortex-m, riscv, gba, pc; did you mean cortex-m?"),
        ("[budget.avr]\nrma = 1", "2: unknown key 'rma': expected one of flash, ram, stack; did you mean ram?"),
        ("[persistent.one]\na = 'unit16'", "did you mean uint16?"),
        ("[persistent.one]\na = { type = 'uint8', defualt = 4 }", "default, min, max, count; did you mean default?"),
        ("[files]\nsevred = []", "files.sevred: expected served"),
    ],
)
def test_what_was_probably_meant(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in error_of(make_app(tmp_path / "app", {"index.html": "x", "app.toml": text}))


@pytest.mark.parametrize("key", ["netwrok.address", "network.adress", "network.ip"])
def test_a_misspelled_table_of_set(tmp_path: Path, key: str) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x"})
    assert error_of(app, {key: 1}) == f"--set: unknown key {key!r}: did you mean network.address?"


def test_lines_of_keys() -> None:
    text = '# port = 1\n"port" = 2\n[link]\nlocal = true\n[network]\nport = 3\n"mac"="m"\n[a.b]\nc.d = 1\n'
    assert line_of(text, "port") == 2
    assert line_of(text, "link.local") == 4
    assert line_of(text, "network.mac") == 7
    assert line_of(text, "a.b.c.d") == 9
    assert line_of("link = { local = 1 }\n", "link.local") == 1


def test_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """A byte order mark, which some editors write invisibly, is ignored."""
    code = generator('<args><arg name="a" type="uint8"/></args>')
    files = {"app.toml": "\ufeffconnections = 3\n", "x.c": f"\ufeff{code}", "y.c": "\ufeffint y;\n"}
    application = compile_application(make_app(tmp_path / "app", files), tmp_path / "out")
    assert application.limits.connections == 3
    assert [resource.path for resource in application.resources] == ["x"]


FORM = generator(
    '<args><arg name="ssid" type="str" size="33"/><arg name="key" type="str" size="64"/></args>', 'doPost="get"'
)


def test_default_buffer_has_room_for_the_form(tmp_path: Path) -> None:
    """A form takes a quarter of the buffer at most: 4 * (32 + 97) octets for a network's name and its key."""
    app = make_app(tmp_path / "app", {"x.c": FORM})
    assert compile_application(app, tmp_path / "out").limits.buffer == 544
    small = make_app(tmp_path / "of" / "small", {"x.c": FORM, "app.toml": "idle = 4\nbuffer = 512"})
    said = error_of(small).removeprefix("app.toml:")
    assert said == "2: buffer is 512: expected at least 516 for the form of x.c"


@pytest.mark.parametrize(
    ("toml", "window", "told"),
    [
        ("", 1460, ""),
        ("buffer = 4000\n", 2000, ""),
        ("buffer = 32768\n", 5840, ""),
        ("buffer = 4000\nreceive_window = 2000\n", 2000, ""),
        (
            "buffer = 512\nreceive_window = 5840\n",
            5840,
            "2: receive_window is 5840, and half of the buffer keeps 256 bytes: longer bodies are sent twice; "
            "expected 1460 at most, or buffer = 11680",
        ),
    ],
)
def test_the_window_of_an_application_that_reads_forms(tmp_path: Path, toml: str, window: int, told: str) -> None:
    take = "static char take(struct args_t *args) { (void)args; return 1; }\n"
    form = generator("", handlers='doPost="take"', code=take)
    app = make_app(tmp_path / "app", {"app.toml": toml, "x.c": form})
    compiled = compile_application(app, tmp_path / "out")
    assert compiled.limits.receive_window == window
    assert [hint.removeprefix(f"{app}/app.toml:") for hint in compiled.hints] == ([told] if told else [])


@pytest.mark.parametrize(
    ("toml", "buffer", "told"), [("", 2272, False), ("buffer = 2243", 2243, True), ("buffer = 2244", 2244, False)]
)
def test_the_buffer_of_an_application_that_soap_calls(tmp_path: Path, toml: str, buffer: int, told: bool) -> None:
    """Half of the buffer holds half a segment of a message, and its kept state."""
    get = "static char get(struct args_t *args, struct result_t *result) { result->v = args->v; return 1; }\n"
    inner = (
        '<service as="soap"/><args><arg name="v" type="uint8"/></args><result><value name="v" type="uint8"/></result>'
    )
    app = make_app(tmp_path / "app", {"app.toml": toml, "x.c": generator(inner, 'call="get"', get)})
    compiled = compile_application(app, tmp_path / "out")
    assert compiled.limits.buffer == buffer
    assert [hint.removeprefix(f"{app}/app.toml:").partition(":")[0] for hint in compiled.hints] == ["1"] * told


BAUD_MAX = 1_000_000  # bits each second of 100 kB/s


@pytest.mark.parametrize(
    ("text", "serial", "seconds"),
    [
        ("", False, 120),
        ("", True, 0),
        ("idle_timeout_s = 5", False, 5),
        ("keep_alive = false", False, 0),
        ("keep_alive = true", True, 120),
        ("idle = 0", False, 0),
        (f"link.baud = {BAUD_MAX}", True, 0),
        (f"link.baud = {BAUD_MAX + 1}", True, 120),
        (f"link.baud = {BAUD_MAX}", False, 120),
    ],
)
def test_what_a_response_tells_of_its_connection(tmp_path: Path, text: str, serial: bool, seconds: int) -> None:
    """Lines of 100 kB/s and less omit Keep-Alive, which would cost a page too much, unless app.toml asks for it."""
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": text})
    compile_application(app, tmp_path / "out", serial=serial)
    page = (tmp_path / "out" / "whit_limits.h").read_text()
    lines = rf"Connection: keep-alive\r\nKeep-Alive: timeout={seconds}\r\n" if seconds else ""
    assert f"#define WHIT_KEEP_ALIVE {seconds} " in page
    assert f'#define WHIT_KEEP_ALIVE_LINES "{lines}"\n' in page


def test_keep_alive_without_idle_connections(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": "idle = 0\nkeep_alive = true\n"})
    assert error_of(app) == (
        "app.toml:2: keep_alive is true, and with idle = 0 each response closes its connection: "
        "expected idle = 1 or more, or no keep_alive"
    )


def test_more_idle_connections_under_tls_than_in_all(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", {"index.html": "x", "app.toml": "idle = 3\n[https]\nidle = 4\n"})
    assert error_of(app) == "app.toml:3: https.idle is 4: expected at most idle, which is 3: each is one of those"
