# SPDX-License-Identifier: MIT
"""004 Table 1: the delay of a call, in a capture of the line.

A delay begins with the client's first SYN, and ends with the server's last segment. All servers run and are called in
turn, so other load of the machine meets all of them.
"""

import re
import socket
import ssl
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from whit.errors import WhitError
from whit.image.build import build
from whit.paths import ROOT
from whit_lab.experiment import Bars, Beside, Figure, Found, Progress, Row, Sheet
from whit_lab.experiments.services import messages, secured
from whit_lab.instruments import secured as https
from whit_lab.papers import SOAP_TABLE1_S
from whit_lab.real import apache_before, gsoap, namespace
from whit_lab.real.capture import ACK, SYN, Capture, Seen, capture
from whit_lab.real.hosted import DEVICE, TAP, hosted
from whit_lab.real.namespace import Namespace
from whit_lab.real.sensor import sensor

APPLICATION = ROOT / "lab" / "device"
RUNS = 101
SENSOR_S = 0.039  # 004's 3.9 s, a hundredth of it
GSOAP, GSOAP_TLS = 7001, 7002
SECURED = {
    secured.DIGEST: ("10.9.1.2", "whit1", 7003),
    secured.SIGNED: ("10.9.2.2", "whit2", 7004),
    secured.RSA: ("10.9.3.2", "whit3", 7005),
}
"""Where ours is that is called so, its device, and gSOAP's port."""
OURS, THEIRS = "Whit", "gSOAP"
CALLS = {"Echo": messages.ECHO, "Temperature": messages.TEMPERATURE}
QUIET_S, TIMEOUT_S = 0.003, 10


@dataclass(frozen=True)
class Place:
    """Address of a server, and the device on which its segments are captured."""

    host: str
    port: int
    target: str
    device: str
    tls: bool = False
    security: str = ""
    der: bool = False


@dataclass(frozen=True)
class Scenario:
    name: str
    servers: dict[str, Place]


def scenarios(ours: str) -> list[Scenario]:
    """Returns the scenarios. ours: the address of Whit's server."""
    there, http, https = apache_before.HOST, apache_before.HTTP, apache_before.HTTPS
    proxied, cgi = f"{apache_before.PROXIED}/device", apache_before.CGI
    plain = {OURS: Place(ours, 80, "/device", DEVICE), THEIRS: Place(gsoap.HOST, GSOAP, "/device", "lo")}
    tls = {
        OURS: Place(ours, 443, "/device", DEVICE, True),
        THEIRS: Place(gsoap.HOST, GSOAP_TLS, "/device", "lo", True),
    }
    apache = {OURS: Place(there, http, proxied, "lo"), THEIRS: Place(there, http, cgi, "lo")}
    both = {OURS: Place(there, https, proxied, "lo", True), THEIRS: Place(there, https, cgi, "lo", True)}
    return [
        Scenario("standalone", plain),
        *(Scenario(name, _secured(security)) for security, name in SECURITY.items()),
        Scenario("standalone, TLS", tls),
        Scenario("behind Apache", apache),
        Scenario("behind Apache, TLS", both),
    ]


SECURITY = {
    secured.DIGEST: "standalone, token",
    secured.SIGNED: "standalone, WS-Security",
    secured.RSA: "standalone, WS-Security by RSA",
}
"""The second by 004's name."""


def _secured(security: str) -> dict[str, Place]:
    host, device, port = SECURED[security]
    return {
        OURS: Place(host, 80, "/device", device, security=security),
        THEIRS: Place(gsoap.HOST, port, "/device", "lo", security=security, der=True),
    }


def why_not() -> str:
    return namespace.why_not() or gsoap.why_not() or apache_before.why_not()


Delays = dict[tuple[str, str, str], list[float]]
"""Seconds, by scenario, service and server."""


def measure(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    if reason := why_not():
        yield f"No delays of 004's table: {reason}."
        return
    progress("building both servers", 0)
    made = gsoap.build(quickly=reduced)
    build(APPLICATION, target="linux", overrides=_settings())  # fetches its dependencies while there is a network
    for security in SECURED:
        build(secured.application(security), target="linux")
    runs = 3 if reduced else RUNS
    delays: Delays = {}
    with (
        Namespace() as here,
        _servers(here, made) as ours,
        ExitStack() as stack,
    ):
        devices = (DEVICE, "lo", *(device for _, device, _ in SECURED.values()))
        captures = {device: stack.enter_context(capture(here, device)) for device in devices}
        for run in range(-1, runs):  # the first run is not counted: it resolves addresses and loads programs
            progress(f"calls: run {run + 1} of {runs}", (run + 1) / (runs + 1))
            for key, delay in _turn(here, ours, captures):
                delays.setdefault(key, []).extend([delay] if run >= 0 else [])
    yield from _show(delays, runs)


def _settings() -> dict[str, object]:
    return {**https.settings(), "https.port": 443}


@contextmanager
def _servers(here: Namespace, made: gsoap.Gsoap) -> Iterator[str]:
    """Runs all servers. Yields the address of Whit's."""
    with ExitStack() as stack:
        line = stack.enter_context(sensor(b"215", SENSOR_S))
        where = {"WHIT_SENSOR": line}
        pem = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whit-services-"))) / "both.pem"
        settings = _settings()
        pem.write_bytes(b"".join(Path(str(settings[f"https.{name}"])).read_bytes() for name in ("key", "certificate")))
        server = stack.enter_context(hosted(APPLICATION, here, TAP, _settings(), quiet=True, environment=where))
        stack.enter_context(gsoap.serving(made.plain, here, GSOAP, sensor=where))
        stack.enter_context(gsoap.serving(made.tls, here, GSOAP_TLS, pem, sensor=where))
        for security, (host, device, port) in SECURED.items():
            copy = secured.application(security)
            one = hosted(copy, here, TAP, quiet=True, environment=where, device=device, address=host)
            stack.enter_context(one)
            stack.enter_context(gsoap.serving(made.secured, here, port, *secured.asked(security), sensor=where))
        stack.enter_context(apache_before.before(here, server.url, made.plain, pem, where))
        yield server.host


def _turn(here: Namespace, ours: str, captures: dict[str, Capture]) -> Iterator[tuple[tuple[str, str, str], float]]:
    """Makes each call once. Yields its server and delay."""
    for scenario in scenarios(ours):
        for service, call in CALLS.items():
            for server, place in scenario.servers.items():
                captures[place.device].segments()
                client = _call(here, place, call)
                time.sleep(QUIET_S)
                delay = delay_of(captures[place.device].segments(), client)
                if delay is None:
                    raise WhitError(f"lab: {server}, {scenario.name}: the capture lacks the call's segments", 1)
                yield (scenario.name, service, server), delay


def delay_of(segments: Sequence[Seen], client: tuple[str, int]) -> float | None:
    """Returns the seconds from the client's first SYN to the last segment that it received."""
    begun = [one.time_s for one in segments if one.source == client and one.flags & (SYN | ACK) == SYN]
    ended = [one.time_s for one in segments if one.target == client and one.flags & ACK]
    return max(ended) - min(begun) if begun and ended else None


def _call(here: Namespace, place: Place, call: str) -> tuple[str, int]:
    """Makes a call. Returns the client's address."""
    if place.security:
        message = secured.message(call, place.target, place.host, place.security, der=place.der)
    else:
        message = messages.message(call, place.target, place.host)
    with here.entered():
        connection = socket.create_connection((place.host, place.port), TIMEOUT_S)
    client: tuple[str, int] = connection.getsockname()
    if place.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = context.wrap_socket(connection, suppress_ragged_eofs=True)
    with connection:
        connection.sendall(message)
        said = b""
        while octets := connection.recv(4096):
            said += octets
    if messages.ANSWERS[call] not in re.sub(rb"\r\n[0-9a-f]+\r\n", b"", said):  # Apache may send chunks
        raise WhitError(f"lab: {place.host}:{place.port}{place.target} said {said[-300:]!r}", 1)
    return client


def _show(delays: Delays, runs: int) -> Iterator[Found]:
    median = {key: statistics.median(values) for key, values in delays.items()}
    yield {"runs": runs, "sensor_s": SENSOR_S, "gsoap": gsoap.version()}
    pairs = {(scenario, service) for scenario, service, _ in delays}
    worst = max(median[(*pair, OURS)] / median[(*pair, THEIRS)] for pair in pairs)
    what = "median delay of a call over gSOAP's, the worst of seven scenarios and two services"
    yield Figure("delay_over_gsoap_max", what, round(worst, 2), "times", 1)
    plain, signed = (median[(name, "Echo", OURS)] for name in ("standalone", SECURITY[secured.SIGNED]))
    what = "part of the delay of a signed Echo that a plain one does not take"
    yield Beside("wss_delay_percent", what, round((1 - plain / signed) * 100, 1), "%")
    yield from _compared(median)
    yield _sheet(delays)
    amounts = {
        f"{service}, {scenario}, {server}": round(statistics.mean(values) * 1000, 3)
        for (scenario, service, server), values in delays.items()
    }
    yield Bars("Average delay of a call (004 Figure 2)", "milliseconds, from first SYN to last segment", amounts, True)


def _compared(median: dict[tuple[str, str, str], float]) -> Iterator[Row]:
    for scenario, service, server in median:
        if server == OURS:
            ours, theirs = (median[(scenario, service, one)] * 1000 for one in (OURS, THEIRS))
            name = f"{service}, {scenario}: median delay"
            yield Row(name, round(ours, 3), round(theirs, 3), "ms", f"{gsoap.version()}, same run")


def _sheet(delays: Delays) -> Sheet:
    """Returns 004's table; its averages are seconds with a sensor of 3.9 s."""
    rows = []
    for (scenario, service, server), values in delays.items():
        ms = [value * 1000 for value in values]
        steps = [after - before for before, after in pairwise(ms)]
        paper = SOAP_TABLE1_S[scenario][service] if server == THEIRS and scenario in SOAP_TABLE1_S else None
        numbers = (min(ms), statistics.mean(ms), statistics.median(ms), statistics.stdev(ms))
        jitter = (min(steps), max(steps), statistics.mean(steps), statistics.stdev(steps))
        rows.append([scenario, service, server, *(f"{number:.3f}" for number in (*numbers, *jitter)), str(paper or "")])
    columns = ["", "", "", "min", "average", "median", "deviation"]
    columns += ["jitter min", "max", "average", "deviation", "004's average, s"]
    return Sheet("004 Table 1: delay of a call and its jitter, milliseconds", columns, rows)
