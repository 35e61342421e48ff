# SPDX-License-Identifier: MIT
"""What the papers say, as they print it: plain values, each with its place.

000: INRIA RT-0349 (dynaWeb, 2008). 001: EMSOFT 2009 (Smews). 003: Dunkels on uIP's and lwIP's throughput.
"""

from collections.abc import Mapping
from typing import NamedTuple

# 000 Table 1: the reference target.
DYNAWEB_HZ = 16_780_000

# 000 Table 2: phases of sending a segment of 1408 octets without pre-calculation, ms; in sum 12.57, printed as 12.5.
DYNAWEB_TABLE2_MS: Mapping[str, float] = {"IP header": 0.3, "TCP header": 0.4, "checksum": 3.82, "data": 8.05}
DYNAWEB_TABLE2_TOTAL_MS = 12.5


class ChunkRow(NamedTuple):
    memory: int  # octets
    checksum_ms: float
    saved_percent: int
    saved_of_all_percent: int


# 000 Table 3: by octets of a chunk.
DYNAWEB_TABLE3: Mapping[int, ChunkRow] = {
    4: ChunkRow(704, 1.48, 61, 19),
    8: ChunkRow(352, 0.78, 80, 24),
    16: ChunkRow(176, 0.39, 90, 27),
    32: ChunkRow(88, 0.23, 94, 29),
    64: ChunkRow(44, 0.16, 96, 29),
    128: ChunkRow(22, 0.11, 97, 29),
}
DYNAWEB_TOTAL_128_MS = 8.91  # 000 section 5.1.4: all of the segment with chunks of 128 octets
