# SPDX-License-Identifier: MIT
"""What the papers give as a figure, and the experiments that answer it."""

from collections.abc import Sequence
from dataclasses import dataclass

PAPERS = {
    "000": "S. Duquennoy, G. Grimaud, J.-J. Vandewalle: Cross-layer enhancement of Web servers dedicated to small "
    "devices. INRIA RT-0349, 2008 (dynaWeb, with uIP and miniWeb beside it)",
    "001": "S. Duquennoy, G. Grimaud, J.-J. Vandewalle: Serving Embedded Content via Web Applications: Model, Design "
    "and Experimentation. EMSOFT 2009 (Smews, with uIP and Miniweb beside it)",
    "003": "A. Dunkels: throughput of uIP and lwIP on an Ethernut board, with and without delayed acknowledgments",
}


@dataclass(frozen=True)
class Item:
    """row: of the papers' list, or of a formula the place where it stands."""

    row: str
    says: str
    theirs: str  # their figure
    by: Sequence[str]  # experiments


ITEMS = (
    Item("D1", "A web server without an operating system", "less than 1 kB of RAM", ("memory",)),
    Item("D4", "A page of this kind is loaded once and then asks for little, again and again", "≈8 kB, then ≈600 B",
         ("traffic", "ajax")),
    Item("D6", "The packets of one GET, and which acknowledgments can be saved", "48, 48, 40, ≤1500, ≤1500, 40 B",
         ("traffic",)),
    Item("D7", "Overhead and throughput by MSS, and what late acknowledgments cost", "at most 5 segments a second",
         ("throughput-mss",)),
    Item("D8", "The console that all of 000 is measured on", "ARM7, 16.78 MHz", ("checksum-chunks",)),
    Item("D9", "uIP with its web server on it", "16.6 kB; 1 to 3.6 kB of variables, 204 B of stack", ("memory",)),
    Item("D11", "miniWeb on it", "7.1 kB; 88 B of variables, 268 B of stack", ("memory",)),
    Item("D13", "What checksums of chunks take", "2·⌈file / CS⌉ octets", ("checksum-chunks",)),
    Item("D15", "A segment of 1408 octets, phase by phase", "12.5 ms, of which the checksum 30 %",
         ("checksum-chunks", "cycles")),
    Item("D16", "Checksums known before, for chunks of 4 to 128 octets",
         "61 to 97 % of the checksum saved, 19 to 29 % of all",
         ("checksum-chunks", "cycles")),
    Item("D17", "Time is measured with a driver that does nothing", "void calls", ("checksum-chunks",)),
    Item("D18", "The most that a line of 14.4 kB/s carries, by MSS", "three servers' curves", ("throughput-mss",)),
    Item("D19", "A file of 55.9 kB over this line", "7.2 s at 1460, 9.0 s at 200", ("throughput-mss", "kernel")),
    Item("D22", "Several connections that stay, and what one takes", "36 B", ("functions", "memory")),
    Item("D25", "A page with buttons that are polled: first load, then a service", "709/62 and 694/64 ms", ("ajax",)),
    Item("D27", "What each server can do, in 15 rows", "7 of 15", ("functions",)),
    Item("D28", "RAM and flash of a whole server", "244 B, 9.2 kB", ("memory", "footprint")),
    Item("D33", "Future work: not point to point, with latency and loss", "none", ("loss",)),
    Item("S3", "How long a content takes, by octets in flight", "eq. 1–8", ("sending-time",)),
    Item("S4", "Sending time by size of the content and segments in flight", "odd numbers in flight are bad",
         ("sending-time",)),
    Item("S7", "Which strategy serves which kind of content", "S0 to S4", ("functions", "strategies")),
    Item("S8", "Memory held times the time for which it is", "eq. 13, 18", ("strategies", "ratios")),
    Item("S9", "S0: files hold nothing and are sent at once", "11.2 times as fast as one in flight",
         ("strategies", "ratios")),
    Item("S10", "S1: small output is kept, and sent with its head", "4.5 times", ("strategies", "ratios")),
    Item("S11", "S2: small output is made again", "no charge", ("strategies",)),
    Item("S12", "S3: a persistent thread, two segments at a time", "4.1 times; 300 B do what uIP does with an MSS",
         ("strategies", "ratios")),
    Item("S13", "S4: a stateless function of the place in the content", "no charge, as fast as S0", ("strategies",)),
    Item("S14", "S3 or S4 is chosen by what a run costs", "planned", ("functions",)),
    Item("S17", "A connection without buffers", "around 40 B", ("memory",)),
    Item("S23", "The address book's contents", "752, 826, 5805, 3613 B; 1915, 28, 2 B", ("contacts",)),
    Item("S24", "S3 with memory as it is needed; theirs had a buffer of 32 octets", "32 B",
         ("memory", "contacts", "ratios")),
    Item("S25", "An AVR at 8 MHz, a line of 10 kB/s", "RTT ≥ 5 ms", ("contacts", "cycles")),
    Item("S26", "RAM and flash on AVR", "200 B, 8 kB", ("memory", "footprint")),
    Item("S27", "The address book, content by content and whole", "1.8 s; Miniweb 2.6, uIP 8.2",
         ("contacts", "kernel")),
    Item("S28", "The same by the model", "at most 11 % off", ("contacts",)),
    Item("S29", "Memory charge of what is generated", "1.5 B·s; uIP 24 to 603", ("contacts",)),
    Item("S30", "Windows counts its 200 ms from the first octet on", "two clients", ("contacts", "ajax")),
    Item("S31", "Future work: sensor networks, several hops, high loss", "none", ("loss",)),
    Item("U1", "An AVR on Ethernet and a peer whose line has a delay", "ATmega128, 10 Mb/s", ("window", "ping")),
    Item("U2", "The mean of ten downloads", "200 kB, 200 MB", ("window",)),
    Item("U3", "uIP's throughput by send window", "50 to 1450 B", ("window",)),
    Item("U4", "lwIP's throughput by send window", "500 to 11 000 B", ("window",)),
    Item("U5", "Late acknowledgments, without a delay and with 10 ms; round trip by packet size", "Fig. 4, 5, 6",
         ("window", "ping")),
    Item("U6", "lwIP by delay", "a knee at two segments; 415 kB/s", ("window",)),
)  # fmt: skip

FORMULAS = (
    Item("000 §3", "overhead of a segment: (40 + α·40) / MSS", "0.300 at 200, 0.041 at 1460", ("throughput-mss",)),
    Item("000 §3", "throughput: MSS / (β·0.2 s + (MSS + 40 + α·40) / rate)", "76.9 to 96.1 %; 6.3 to 33.0 %",
         ("throughput-mss",)),
    Item("000 §5.1", "largest output: CS·⌊MSS/CS⌋, as ⌈ ⌉ exceeds the MSS", "1440 at 1460 and 32",
         ("throughput-mss", "traffic")),
    Item("000 Fig. 5", "uIP's points need 11.52 kB/s, not 14.4", "13.3 s", ("throughput-mss",)),
    Item("001 eq. 1–8", "ST(cs, wnd, n_max), with T(0, 0) = 0", "Fig. 1", ("sending-time",)),
    Item("001 eq. 13, 14", "charge; ST(cs, ∞, ∞)", "Table 3", ("contacts", "ratios")),
    Item("001 eq. 15", "S0 over one in flight, with BW·RTT/α", "11.2 printed, 11.28 by it, 11.86 by ST",
         ("ratios",)),
    Item("001 eq. 17", "S1 over one in flight", "4.5", ("ratios",)),
    Item("001 eq. 20", "S3 over one in flight; the buffer at which both are as fast", "4.1; 300 B", ("ratios",)),
    Item("001 Table 2", "the model's columns", "11 %", ("contacts",)),
)  # fmt: skip


def answered() -> dict[str, set[str]]:
    """Rows of the papers' list, by experiment."""
    names = {name for item in ITEMS for name in item.by}
    return {name: {item.row for item in ITEMS if name in item.by} for name in names}
