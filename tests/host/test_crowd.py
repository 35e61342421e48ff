# SPDX-License-Identifier: MIT
"""Many clients at `whit run`: frames without a slot or room wait in the driver, without a retransmission."""

import http.client
import signal
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP
from scapy.utils import rdpcap

from whit.paths import ROOT

from .conftest import WHIT, Start

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
FEW = 3  # retransmissions without loss: a busy machine lets libslirp's own timers expire


def come_again(capture: Path, port: int) -> int:
    """Segments with data that clients sent more than once."""
    frames = (frame for frame in rdpcap(str(capture)) if TCP in frame and frame[TCP].dport == port)
    sent = Counter(
        (frame[TCP].sport, frame[TCP].seq) for frame in frames if frame[IP].len > 20 + 4 * frame[TCP].dataofs
    )
    return sum(times - 1 for times in sent.values())


def crowd(
    start: Start, port: int, tmp_path: Path, app: str, *options: str, clients: int, ask: Callable[[int], set[int]]
) -> int:
    """Runs all clients at once. ask: one client, given the port, returns its statuses. Returns come_again()."""
    capture = tmp_path / "crowd.pcap"
    server = start(WHIT, "run", ROOT / "apps" / app, "--port", port, "--pcap", capture, *options)
    server.read_until("Ctrl-C ends it.")
    with ThreadPoolExecutor(clients) as pool:
        statuses = set().union(*pool.map(ask, [port] * clients))
    assert statuses <= {200, 303}
    assert server.end(signal.SIGINT) == 0
    return come_again(capture, 80)


@pytest.mark.slow
@pytest.mark.parametrize("slots", [1, 2])
def test_six_kept_alive_clients_of_a_form(start: Start, port: int, tmp_path: Path, slots: int) -> None:
    """Each request to change comes in two segments, head and body."""

    def ask(port: int) -> set[int]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        statuses = set()
        for number in range(20):
            if number % 2:
                connection.request("POST", "/settings", f"name=a&interval={number}&mode=eco", FORM)
            else:
                connection.request("GET", "/")
            response = connection.getresponse()
            response.read()
            statuses.add(response.status)
        return statuses

    assert crowd(start, port, tmp_path, "form", "--set", f"connections={slots}", clients=6, ask=ask) <= FEW


@pytest.mark.slow
def test_eighty_uploads_at_once(start: Start, port: int, tmp_path: Path) -> None:
    """Eighty uploads share four slots, and room for two or three bodies."""
    head = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'
    octets = (head + 20_000 * "x" + "\r\n--b--\r\n").encode()

    def ask(port: int) -> set[int]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("POST", "/checksums", octets, {"Content-Type": "multipart/form-data; boundary=b"})
        return {connection.getresponse().status}

    assert crowd(start, port, tmp_path, "upload", clients=80, ask=ask) <= FEW


@pytest.mark.slow
@pytest.mark.parametrize("octets", [2_000, 20_000])
def test_six_clients_whose_forms_are_longer_than_the_buffer(
    start: Start, port: int, tmp_path: Path, octets: int
) -> None:
    """No client waits for its timer, which is five seconds in libslirp."""
    longest = []

    def ask(port: int) -> set[int]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        statuses = set()
        for number in range(5):
            began = time.monotonic()
            connection.request("POST", "/settings", f"name=a&interval={1 + number}&x={octets * 'y'}", FORM)
            response = connection.getresponse()
            response.read()
            longest.append(time.monotonic() - began)
            statuses.add(response.status)
        return statuses

    assert crowd(start, port, tmp_path, "form", clients=6, ask=ask) <= FEW
    assert max(longest) < 3
