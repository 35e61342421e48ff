# SPDX-License-Identifier: MIT
"""Figures of the papers, as printed: plain values, each with its place.

- 000: INRIA RT-0349 (dynaWeb, 2008).
- 001: EMSOFT 2009 (Smews).
- 003: Dunkels on uIP's and lwIP's throughput.
- 004: SOAP services on an ARM board.
"""

from collections.abc import Mapping
from typing import NamedTuple

# 000 Table 1: the reference target.
DYNAWEB_HZ = 16_780_000

# 000 Table 2: phases of sending a segment of 1408 bytes without pre-calculation, ms; in sum 12.57, printed as 12.5.
DYNAWEB_TABLE2_MS: Mapping[str, float] = {"IP header": 0.3, "TCP header": 0.4, "checksum": 3.82, "data": 8.05}
DYNAWEB_TABLE2_TOTAL_MS = 12.5


class ChunkRow(NamedTuple):
    memory: int  # bytes
    checksum_ms: float
    saved_percent: int
    saved_of_all_percent: int


# 000 Table 3: by bytes of a chunk.
DYNAWEB_TABLE3: Mapping[int, ChunkRow] = {
    4: ChunkRow(704, 1.48, 61, 19),
    8: ChunkRow(352, 0.78, 80, 24),
    16: ChunkRow(176, 0.39, 90, 27),
    32: ChunkRow(88, 0.23, 94, 29),
    64: ChunkRow(44, 0.16, 96, 29),
    128: ChunkRow(22, 0.11, 97, 29),
}
DYNAWEB_TOTAL_128_MS = 8.91  # 000 section 5.1.4: all of the segment with chunks of 128 bytes

# 000 section 5.1.4, Figure 5: seconds for 55.9 kB by MSS. The text names these points of the figure.
UIP_FIG5_S = {200: 60.0, 1460: 13.3}
MINIWEB_FIG5_S = {200: 8.8, 1460: 8.8}
DYNAWEB_FIG5_S = {200: 9.0, 1460: 7.2}

# 000 Table 4: (initial load, service time) in ms, by client.
UIP_TABLE4_MS = {"xp": (1728, 736), "linux": (866, 183)}
DYNAWEB_TABLE4_MS = {"xp": (709, 62), "linux": (694, 64)}

# 001 Table 2: seconds by content, the papers' measurement and their model.
SMEWS_TABLE2_S = {
    "index": 0.16, "css": 0.16, "js": 0.44, "png": 0.66, "cb_extract": 0.29, "cb_get": 0.06, "cb_add": 0.06,
    "page": 1.8,
}  # fmt: skip
UIP_TABLE2_S = {
    "index": 0.70, "css": 0.70, "js": 1.36, "png": 1.76, "cb_extract": 1.01, "cb_get": 0.68, "cb_add": 0.67,
    "page": 8.2,
}  # fmt: skip
MINIWEB_TABLE2_S = {"index": 0.14, "css": 0.14, "js": 0.50, "png": 0.78, "page": 2.6}
SMEWS_TABLE2_MODEL_S = {
    "index": 0.14, "css": 0.15, "js": 0.43, "png": 0.66, "cb_extract": 0.26, "cb_get": 0.06, "cb_add": 0.06,
}  # fmt: skip
UIP_TABLE2_MODEL_S = {
    "index": 0.77, "css": 0.78, "js": 1.48, "png": 1.91, "cb_extract": 1.10, "cb_get": 0.70, "cb_add": 0.70,
}  # fmt: skip
MINIWEB_TABLE2_MODEL_S = {"index": 0.12, "css": 0.14, "js": 0.47, "png": 0.73}
MODEL_ERROR_PERCENT = 11.0  # 001 section 5.3.1: largest error of the model

# 001 Table 3: byte seconds, measured.
UIP_TABLE3_BS = {"cb_extract": 603.0, "cb_get": 30.0, "cb_add": 24.0}
SMEWS_TABLE3_BS = {"cb_extract": 0.0, "cb_get": 0.0, "cb_add": 1.5}

# 000 Table 5: functions of uIP, miniWeb and dynaWeb.
FUNCTIONS_SERVERS = ("uIP", "miniWeb", "dynaWeb")
FUNCTIONS: Mapping[str, tuple[bool, bool, bool]] = {
    "UDP": (False, False, False),
    "ICMP": (True, False, False),
    "IP options": (False, False, False),
    "IP reassembly": (True, False, False),
    "TCP options": (True, False, False),
    "TCP urgent data": (True, False, False),
    "TCP RTT estimation": (True, False, False),
    "POST requests": (False, False, False),
    "URL reading": (True, False, True),
    "TCP MSS adaptation": (True, False, True),
    "Multiple TCP conn.": (True, False, True),
    "Multiple in-flight packets": (False, True, True),
    "HTTP persistent conn.": (False, False, True),
    "Contents generation": (True, False, True),
    "Checksum pre-calculation": (False, True, True),
}

# 001 Table 1: strategies by kind of content; A1 is smaller than the output window, A2 larger.
STRATEGY_KINDS: Mapping[str, str] = {
    "B1": "pre-defined static",
    "B2": "runtime static",
    "B3": "persistent generator",
    "B4": "volatile generator",
    "B5": "idempotent generator",
}
STRATEGIES: Mapping[str, tuple[str, str, str, str, str]] = {
    "A1": ("S0", "S0", "S1", "S2", "S1, S2"),
    "A2": ("S0", "S0", "S3", "S4", "S3, S4"),
}


class MemoryRow(NamedTuple):
    """Sizes in bytes."""

    globals: int
    stack: int
    code: int
    ro_data: int

    @property
    def ram(self) -> int:
        return self.globals + self.stack

    @property
    def rom(self) -> int:
        return self.code + self.ro_data


# 000 Table 6, with drivers; "k" as 1000. Its totals are rounded: 1.2 k, 3.8 k, 356, 244; 16.6 k, 7.1 k, 9.2 k.
TABLE6: Mapping[str, MemoryRow] = {
    "uIP, MSS 200": MemoryRow(1000, 204, 15_300, 1300),
    "uIP, MSS 1460": MemoryRow(3600, 204, 15_300, 1300),
    "miniWeb": MemoryRow(88, 268, 6500, 648),
    "dynaWeb": MemoryRow(152, 92, 8900, 304),
}
# 001 section 5.2, on an AVR: (RAM, EEPROM), "around 3 kB", "12 kB" and so on.
FUNCARD: Mapping[str, tuple[int, int]] = {"uIP": (3000, 12_000), "Smews": (200, 8000), "Miniweb": (100, 4000)}
DYNAWEB_CONNECTION = 36  # 000 section 5.2.2, bytes
SMEWS_CONNECTION = 40  # 001 section 4.4.1, "around"
SMEWS_S3_BUFFER = 32  # 001 section 5.1, bytes, of a fixed size

# 001 section 4.3, behind eq. 15, 17 and 20: 8 kB, 600 B, 8 kB; the buffer with which S3 is as fast as uIP. The paper
# prints 10 kB/s, but uses Figure 1's 100.
SECTION_43: Mapping[str, float] = {"s0_ratio": 11.2, "s1_ratio": 4.5, "s3_ratio": 4.1, "s3_equal_buffer_bytes": 300}

# 000 Figure 2: bytes of each packet of a GET on a connection of its own. GET and response are maxima. The
# acknowledgments 2 and 3 can be saved by data that go the same way (section 3.1).
FIGURE2: Mapping[str, int] = {
    "SYN": 48, "SYN/ACK": 48, "ACK 1": 40, "GET": 1500, "ACK 2": 40, "HTTP/1.1": 1500, "ACK 3": 40,
    "FIN/ACK, the first": 40, "ACK 4": 40, "FIN/ACK, the second": 40, "ACK 5": 40,
}  # fmt: skip
FIGURE2_OPTIONAL = ("ACK 2", "ACK 3")
# 000 Figure 1, section 1.2: approximate bytes of content of an answer, while an application loads and while it runs.
FIGURE1_LOADING, FIGURE1_RUNNING = 8192, 600
# 003: the Ethernut board, and the maximum of Figure 7 for lwIP on it, "about 415 kilobytes per second". The text has no
# number for Figure 6.
ETHERNUT_HZ = 14_745_600
ETHERNUT_BITS_PER_S = 10_000_000
LWIP_FIG7_MAX = 415_000  # bytes a second
# 003: statements of the text on Figures 4, 5 and 7, whose points are not printed.
UIP_WINDOWS = range(50, 1451, 50)  # bytes; Figures 4 and 5
LWIP_WINDOWS = range(500, 11_001, 500)  # bytes; Figure 7
UIP_FILE = 200_000  # bytes
UIP_RAM, LWIP_RAM = (400, 3000), (5000, 16_000)  # bytes of the whole stack, with the smallest and the largest window
LWIP_KNEE = 3000  # bytes of window, "two maximum TCP segment sizes"

# 002: the bare PC web server. Section III: bytes of the executable without the boot code. Section IV: the processor of
# each machine; a static file; requests a second and their share of the processor. The points of Figures 3 to 16 are not
# printed.
BARE_PC_IMAGE = 200_000
BARE_PC_HZ = 2_400_000_000
BARE_PC_FILE = 3593
BARE_PC_USE: Mapping[str, Mapping[int, float]] = {"bare PC": {3000: 41, 6000: 82}, "Apache, IIS": {3000: 99}}
# The same for pages from the database (section IV.B); then the capacity, and the response time there in milliseconds.
BARE_PC_PAGE_USE: Mapping[str, Mapping[int, float]] = {
    "bare PC": {600: 17.7, 1000: 29}, "Apache": {600: 99}, "IIS": {500: 99},
}  # fmt: skip
BARE_PC_PAGE_MOST: Mapping[str, tuple[int, float]] = {
    "bare PC": (1000, 66.7), "Apache": (600, 1812), "IIS": (600, 2189),
}  # fmt: skip
# Sections IV.C and E: the most pages a second beside 1000 files, of Figures 7 and 14. None: every rate was served. Then
# the rate of pages alone up to which Figure 13's throughput is linear.
BARE_PC_MIX_MOST: Mapping[str, int | None] = {"bare PC": None, "Apache": 300, "IIS": 400}
BARE_PC_MIX_LINEAR: Mapping[str, int] = {"bare PC": 400, "Apache": 200, "IIS": 300}
BARE_PC_PAGE_LINEAR: Mapping[str, int] = {"bare PC": 900, "Apache, IIS": 500}
# 002 section IV.E, Table 1: Mb/s by requests a second, (dynamic, static). Its formula follows from its numbers. A page
# has 211 bytes and a head of 151; a file counts without its head. A segment has 58 bytes of Ethernet with its checksum,
# IP and TCP. A request has 3 segments that carry no data.
BARE_PC_TABLE1_MB_S: Mapping[tuple[int, int], float] = {
    (400, 1000): 33.4, (300, 1000): 33.0, (200, 1000): 32.5, (100, 1000): 32.0,
    (600, 0): 2.9, (800, 0): 3.8, (1000, 0): 4.8, (0, 6000): 189.2,
}  # fmt: skip
BARE_PC_TEMPLATE = 469  # bytes of the PHP file behind the first of the next
BARE_PC_DATASETS = (211, 10_217, 19_248)  # bytes of the pages of Figures 9 to 12, 15
BARE_PC_MIX_STATIC, BARE_PC_MIX_DYNAMIC = 1000, (100, 200, 300, 400)  # requests a second of Figures 7 and 14
BARE_PC_PAGE, BARE_PC_HEADS, BARE_PC_EMPTY, BARE_PC_MSS = 211 + 151, 58, 3, 1460


def bare_pc_octets(content: int, empty: int = BARE_PC_EMPTY) -> int:
    """Returns the bytes that a server sends for one request, by 002's formula."""
    return content + BARE_PC_HEADS * (-(-content // BARE_PC_MSS) + empty)


# 004 Table 1: average seconds of a call, with a sensor that takes 3.9 s.
SOAP_TABLE1_S: Mapping[str, Mapping[str, float]] = {
    "standalone": {"Echo": 0.01, "Temperature": 3.89},
    "standalone, TLS": {"Echo": 0.44, "Temperature": 3.91},
    "standalone, WS-Security": {"Echo": 0.37, "Temperature": 4.27},
    "behind Apache": {"Echo": 0.14, "Temperature": 3.97},
    "behind Apache, TLS": {"Echo": 0.22, "Temperature": 4.03},
}
# 004 section 3: bytes of WS-Security's header in a message with a short value, "around".
WSS_OVERHEAD_PERCENT = 90
