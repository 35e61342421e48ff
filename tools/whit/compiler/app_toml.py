# SPDX-License-Identifier: MIT
"""app.toml: every key is known, typed and in its range, or it is an error with its line."""

import ipaddress
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from whit.suggest import keys_meant, meant

from .device import EARLY, PLAIN, Board, Network
from .errors import CompileError
from .model import Limits
from .positions import LONG_MAX
from .toml_text import line_of, not_toml

CHUNKS = (4, 8, 16, 32, 64, 128)
BUFFER_MAX = 32768
BUFFER_MIN = 24  # a rerun point with its head, and a few octets to write to
TIMERS_MAX = 32
CLIENTS = 4  # connections that the server opens itself, where [client] leaves it open
FILE = "app.toml"
DEFAULT_HOST = "10.7.0.2"  # of a device, and on a TAP device
LOGINS = ("mysql_native_password", "caching_sha2_password", "client_ed25519")


def _ipv4(text: str) -> bool:
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return not (address.is_multicast or address.is_unspecified or address.is_loopback or address.is_reserved)


def _mac(text: str) -> bool:
    """A unicast EUI-48: the group bit of its first octet is 0."""
    if not re.fullmatch(r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}", text):
        return False
    return int(text[:2], 16) % 2 == 0 and text != "00:00:00:00:00:00"


def _is_name(text: str, longest: int) -> bool:
    return 1 <= len(text.encode()) <= longest and text.isprintable()


def _is_origin(text: str) -> bool:
    """Scheme, host and perhaps port of an URL."""
    found = re.fullmatch(r"https?://(?:[A-Za-z0-9._~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?", text)
    return found is not None and 1 <= int(found[1] or 80) <= 65535


def _is_source(text: str) -> bool:
    """True if the text names the source of a password."""
    return text.isprintable() and re.fullmatch(r"file:.+|env:[A-Za-z_]\w*", text) is not None


def _is_path(text: str) -> bool:
    return bool(text) and text.isprintable()


@dataclass(frozen=True)
class _Text:
    expected: str
    holds: Callable[[str], bool]


# Integer keys have a range or a tuple of values.
KEYS: dict[str, range | tuple[int, ...] | type[bool] | _Text] = {
    "name": _Text("a string of 1 to 64 printable characters", lambda text: 1 <= len(text) <= 64 and text.isprintable()),
    "connections": range(1, 10001),
    "idle": range(100_001),
    "buffer": range(BUFFER_MAX + 1),
    "chunk": CHUNKS,
    "counter_bits": (0, 8, 16),
    "target_max": range(16, 16385),
    "fields_max": range(256, 65536),
    "receive_window": range(536, 65536),
    "request_timeout_s": range(1, 61),
    "idle_timeout_s": range(5, 201),
    "keep_alive": bool,
    "port": range(1, 65536),
    "body_max": range(1, (1 << 24) + 1),
    "form_data": bool,
    "json_errors": bool,
    "content_max": range(1, LONG_MAX + 1),
    "timers": range(TIMERS_MAX + 1),
    "ping": bool,
    "recovery": _Text('"full", or "small"', lambda text: text in ("full", "small")),
    "entity_tags": bool,
    "replay": bool,
    "pipelining": bool,
    "services.describe": bool,
    "services.charsets": bool,
    "services.sign": bool,
    "services.certificate": _Text("the path of a PEM file in a string", _is_path),
    "services.key": _Text("the path of a PEM file in a string", _is_path),
    "services.address": _Text('an URL without a path in a string, "http://10.7.0.2"', _is_origin),
    "repeats": range(65),
    "client.connections": range(1, 65),
    "client.send": range(64, 32769),
    "client.receive": range(128, 32769),
    "database.address": _Text("an IPv4 host address in a string", _ipv4),
    "database.port": range(1, 65536),
    "database.user": _Text("a name of 1 to 80 bytes", lambda text: _is_name(text, 80)),
    "database.database": _Text(
        "a name of 1 to 64 bytes without ` and \\", lambda text: _is_name(text, 64) and not set(text) & set("`\\")
    ),
    "database.password": _Text('its source, "file:PATH" or "env:NAME"', _is_source),
    "database.login": _Text(f'"any", or one of {", ".join(LOGINS)}', lambda text: text in ("any", *LOGINS)),
    "database.connections": range(1, 17),
    "database.row": range(512, 32769),
    "database.rows": range(1, 1_000_001),
    "database.timeout_ms": range(100, 60_001),
    "database.kept": range(256),
    "database.kept_octets": range(64, 32769),
    "https.certificate": _Text("the path of a PEM file in a string", _is_path),
    "https.key": _Text("the path of a PEM file in a string", _is_path),
    "https.port": range(1, 65536),
    "https.plain": _Text(", or ".join(f'"{word}"' for word in PLAIN), lambda text: text in PLAIN),
    "https.hsts": range(63_072_001),
    "https.ticket_s": range(60, 604_801),
    "https.idle": range(100_001),
    "https.aes": bool,
    "https.early_data": _Text(" or ".join(f'"{word}"' for word in EARLY), lambda text: text in EARLY),
    "link.local": bool,
    "link.keep_window": bool,
    "link.baud": range(300, 4_000_001),
    "persistent.size": range(32769),
    "network.address": _Text("an IPv4 host address in a string", _ipv4),
    "network.gateway": _Text("an IPv4 host address in a string", _ipv4),
    "network.prefix": range(33),
    "avr.clock_hz": range(1_000_000, 20_000_001),
    "network.mac": _Text('a unicast MAC address in a string, "02:00:00:00:00:01"', _mac),
}
CLIENT_KEYS = {key for key in KEYS if key.startswith("client.")}
OTHERS = ("stored", "budget", "calls", "recursion", "statement", "keys", "files")
"""Tables that other modules read."""
_TABLES = sorted({key.partition(".")[0] for key in KEYS if "." in key})

# The time that tomllib takes for a key grows with the square of its parts.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""")
Value = int | bool | str
# Octets of the receive window where app.toml leaves it open. Half of a form's carries the request of most browsers.
WINDOW_MIN, WINDOW_OF_FORMS, WINDOW_MAX = 536, 1460, 5840
SEGMENT_ROOM = WINDOW_OF_FORMS // 2  # octets of a call that find room where app.toml leaves the buffer open
# Makes an error of a message.
Complain = Callable[[str], CompileError]


def window_of_bodies(buffer: int, least: int = WINDOW_OF_FORMS) -> int:
    """The receive window where bodies are read: half of the buffer, in which they find room."""
    return max(least, min(WINDOW_MAX, buffer // 2))


@dataclass(frozen=True)
class Settings:
    """Keys that are set, by dotted name, and their source: file and text of app.toml ("" if it does not exist)."""

    values: Mapping[str, Value]
    file: object
    text: str
    tables: Mapping[str, object] = field(default_factory=dict)  # that other modules read
    stored_by_set: frozenset[str] = frozenset()  # paths of stored contents that --set changes

    def error(self, key: str, message: str) -> CompileError:
        """Returns an error about a key, set or not."""
        line = line_of(self.text, key) if key in self.values and self.text else None
        return CompileError(self.file, line, message)

    def line_at(self, key: str) -> int:
        """Returns the line of a key or a table that another module reads."""
        return line_of(self.text, key)

    def error_at(self, key: str, message: str) -> CompileError:
        """Returns an error about a key or a table that another module reads."""
        return CompileError(self.file, self.line_at(key), message)

    def name(self) -> str | None:
        value = self.values.get("name")
        return None if value is None else str(value)

    @property
    def raw_len(self) -> int:
        """Octets of persistent memory without a name."""
        return int(self.values.get("persistent.size", 0))

    @property
    def keeps(self) -> bool:
        """True if the application has persistent memory."""
        named = any(self.tables.get(table) for table in ("persistent", "stored", "keys"))
        return self.raw_len > 0 or named or self.values.get("services.sign") is True

    def limits(
        self,
        has_generators: bool,
        set_timer_cnt: int = 0,
        has_parts: bool = False,
        buffer_min: int = 0,
        has_body: bool = False,
    ) -> Limits:
        """Returns the limits. `set_timer_cnt`: calls of set_timer() in the application. `buffer_min`: octets of the
        shared buffer that its handlers need. has_body: it reads bodies; has_parts: by a doPostIn."""
        values = self.values

        def number(key: str, default: int) -> int:
            return int(values.get(key, default))

        connections = number("connections", 4)
        usual = 2048 if has_parts else 512 if has_generators else 0
        buffer = number("buffer", max(usual, buffer_min + -buffer_min % 32))
        least = WINDOW_MIN if has_parts else WINDOW_OF_FORMS
        window = window_of_bodies(buffer, least) if has_body or has_parts else WINDOW_MAX
        return Limits(
            connections=connections,
            idle=number("idle", min(max(8, 4 * connections), 20000)),
            buffer=buffer,
            chunk=number("chunk", 32),
            counter_bits=number("counter_bits", 16),
            target_max=number("target_max", 1024),
            fields_max=number("fields_max", 8192),
            receive_window=number("receive_window", window),
            request_timeout_s=number("request_timeout_s", 15),
            idle_timeout_s=number("idle_timeout_s", 120),
            port=number("port", 80),
            link_local=bool(values.get("link.local", False)),
            persistent_size=self.raw_len,
            body_max=number("body_max", 65536),
            timers=number("timers", set_timer_cnt),
            ping=bool(values.get("ping", True)),
            recovery=str(values.get("recovery", "full")),
            content_max=number("content_max", LONG_MAX),
            entity_tags=bool(values.get("entity_tags", True)),
            replay=bool(values.get("replay", True)),
            pipelining=bool(values.get("pipelining", True)),
            keep_window=None if "link.keep_window" not in values else bool(values["link.keep_window"]),
            repeats=None if "repeats" not in values else number("repeats", 0),
            client_connections=number("client.connections", CLIENTS if values.keys() & CLIENT_KEYS else 0),
            client_send=number("client.send", 512),
            client_receive=number("client.receive", 1460),
            form_data=bool(values.get("form_data", False)),
            keep_alive=None if "keep_alive" not in values else bool(values["keep_alive"]),
        )

    def board(self) -> Board:
        """Returns the board of a device, also if app.toml does not set its address."""
        network = self.network()
        gateway = network.gateway or ("0.0.0.0" if network.address else "10.7.0.1")
        return Board(
            address=tuple(ipaddress.IPv4Address(network.address or DEFAULT_HOST).packed),
            gateway=tuple(ipaddress.IPv4Address(gateway).packed),
            prefix=24 if network.prefix is None else network.prefix,
            mac=tuple(bytes.fromhex((network.mac or "02:57:0a:07:00:02").replace(":", ""))),
            baud=int(self.values.get("link.baud", 115200)),
            avr_clock_hz=int(self.values.get("avr.clock_hz", 16_000_000)),
        )

    def origin(self) -> str:
        """Returns the URL in front of a service's path."""
        if said := self.values.get("services.address"):
            return str(said)
        secured = self.values.get("https.plain") == "off"
        port = int(self.values.get("https.port", 443) if secured else self.values.get("port", 80))
        usual = port == (443 if secured else 80)
        host = self.network().address or DEFAULT_HOST
        return f"http{'s' if secured else ''}://{host}{'' if usual else f':{port}'}"

    def network(self) -> Network:
        texts = {
            key: str(self.values[f"network.{key}"])
            for key in ("address", "gateway", "mac")
            if f"network.{key}" in self.values
        }
        prefix = self.values.get("network.prefix")
        network = Network(prefix=None if prefix is None else int(prefix), **texts)
        address = ipaddress.IPv4Address(network.address or DEFAULT_HOST)
        link = ipaddress.IPv4Network(f"{address}/{24 if network.prefix is None else network.prefix}", strict=False)
        if link.num_addresses > 2 and address in (link.network_address, link.broadcast_address):
            message = f"network.address is {address}: expected a host's, in {link} from {link[1]} to {link[-2]}"
            raise self.error("network.address", message)
        if network.gateway and ipaddress.IPv4Address(network.gateway) not in link:
            message = f"gateway is {network.gateway}: expected an address in {link}, the network of address"
            default = "" if network.address else f", which is {DEFAULT_HOST} where there is none"
            raise self.error("network.gateway", message + default)
        return network


def read(file: object, text: str, overrides: Mapping[str, object]) -> Settings:
    """Parses and checks the text with its overrides."""
    text = text.removeprefix("\ufeff")  # a byte order mark, which some editors write
    if deep := _DEEP_KEY.search(text):
        raise CompileError(file, text.count("\n", 0, deep.start()) + 1, "a key of many parts: expected at most three")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise not_toml(file, text, error) from None
    except (ValueError, RecursionError):
        raise CompileError(file, None, "not TOML that can be read: a number too long, or nested too deeply") from None
    values: dict[str, Value] = {}
    areas: dict[str, object] = {}  # [persistent.NAME]
    for key, value in document.items():
        if key in OTHERS:
            continue
        if isinstance(value, dict) and key in _TABLES:
            for inner, inner_value in value.items():
                path = f"{key}.{inner}"
                if key == "persistent" and isinstance(inner_value, dict) and path not in KEYS:
                    areas[inner] = inner_value
                    continue
                values[path] = _check(file, line_of(text, path), path, inner_value)
        else:
            values[key] = _check(file, line_of(text, key), key, value)
    if "client" in document:
        values.setdefault("client.connections", CLIENTS)
    for key, value in overrides.items():
        if key.partition(".")[0] == "stored":  # stored.overridden()
            continue
        flag = KEYS.get(key) is bool and value in (0, 1)
        values[key] = _check("--set", None, key, bool(value) if flag else value)
    tables = {key: document[key] for key in (*OTHERS, "database", "https") if key in document} | {"persistent": areas}
    return Settings(values, file, text, tables)


def _check(file: object, line: int | None, key: str, value: object) -> Value:
    if key not in KEYS:
        raise CompileError(file, line, _unknown(key, value))
    kind = KEYS[key]
    if isinstance(kind, _Text):
        if isinstance(value, str) and kind.holds(value):
            return value
        expected = kind.expected
    elif isinstance(kind, type):
        if isinstance(value, bool):
            return value
        expected = "true or false"
    else:
        if isinstance(value, int) and not isinstance(value, bool) and value in kind:
            return value
        expected = f"an integer, {_range(kind)}"
    if not isinstance(kind, _Text) and isinstance(value, str) and value.isascii() and value.isdigit():
        expected += ", without quotes"
    elif isinstance(value, str) and key.startswith("network.") and "/" in value:
        expected += "; the length of its prefix is a key of its own, network.prefix"
    elif key == "database.address" and isinstance(value, str) and value.startswith(("127.", "localhost")):
        expected += "; 10.0.2.2 is 127.0.0.1 of this machine under ./whit run, which starts a database without address"
    raise CompileError(file, line, f"{key} is {shown(value)}: expected {expected}")


def _unknown(key: str, value: object) -> str:
    """Returns the message about an unknown key or table."""
    table = key.partition(".")[0] if "." in key else ""
    known = [name for name in KEYS if not table or name.startswith(f"{table}.")] or list(KEYS)
    if (first := key.partition(".")[0]) in OTHERS:
        return f"{key}: expected in app.toml, the table [{first}] is read from there only"
    if table == "persistent" and key.count(".") > 1:
        return f"{key}: expected in app.toml, tables [persistent.NAME] are read from there only"
    if isinstance(value, dict):
        guess = meant(key, (*_TABLES, *OTHERS))
        wanted = f"did you mean [{guess}]?" if guess else f"expected one of {', '.join((*_TABLES, *OTHERS))}"
        return f"unknown table [{key}]: {wanted}"
    if key in _TABLES:
        inner = [name.partition(".")[2] for name in KEYS if name.startswith(f"{key}.")]
        return f"{key} is {shown(value)}: expected a table, [{key}], with {', '.join(inner)} below it"
    guesses = keys_meant(key, KEYS)
    if table == "persistent":
        guesses = [guess for guess in guesses if guess.startswith("persistent.")]
    if guesses:
        names = [f"{one} above the first table" if table and "." not in one else one for one in guesses]
        return f"unknown key {key!r}: did you mean {' or '.join(names)}?"
    more = ", or a table [persistent.NAME] with fields" if table == "persistent" else ""
    return f"unknown key {key!r}: expected one of {', '.join(known)}{more}"


def _range(kind: range | tuple[int, ...]) -> str:
    return f"{kind[0]} to {kind[-1]}" if isinstance(kind, range) else f"one of {', '.join(map(str, kind))}"


def shown(value: object) -> str:
    """A value in a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list)):
        return "a table" if isinstance(value, dict) else "an array"
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return "a huge number"
    return text if len(text) <= 40 else f"{text[:37]}..."
