# SPDX-License-Identifier: MIT
"""The papers' readings of their own tables, by name.

EMSOFT'09 (paper 001) prints the model's columns of Tables 2 and 3. Bytes of requests and heads are in them, but not
printed. The values here are fitted: with them all 18 cells of Table 2 round to the printed ones. uIP's of Table 3 are
within 5 %. This makes them consistent with the paper, which is no proof. Miniweb's cells come out only when
acknowledgments take no time of their own. Smews' come out only without a wait for the last segment's acknowledgment.
"""

from dataclasses import dataclass, replace

from whit.errors import WhitError
from whit.suggest import did_you_mean
from whit_lab.model.charge import ONE
from whit_lab.model.dynaweb import LINE_RATE
from whit_lab.model.paper import Setting, flight_s, in_flight_s, packets_s


@dataclass(frozen=True)
class Preset:
    """A server on a link. `heads`: bytes of segments before the content, one in flight each."""

    name: str
    what: str
    link: Setting
    strategy: str = "S0"  # of STRATEGIES, or ONE
    request: int = 0  # bytes
    heads: tuple[int, ...] = ()
    static_head: int = 0  # bytes in front of the content, in its first segment
    generated_head: int = 0
    generates: bool = True
    content: int = 8000  # bytes, unless another size is requested

    def response_s(self, content: int, *, generated: bool = False) -> float:
        """A row of Table 2: request and response."""
        octets = content + (self.generated_head if generated else self.static_head)
        ahead = sum(flight_s(self.link, head, 1) for head in self.heads)
        own = in_flight_s(self.link, octets, 1) if self.strategy == ONE else in_flight_s(self.link, octets)
        return packets_s(self.link, self.request, 0) + ahead + own

    def charge_bs(self, content: int) -> float:
        """A row of Table 3, with one segment in flight: each is held until it is acknowledged."""
        if self.strategy != ONE:
            raise ValueError(f"{self.name} has more than one segment in flight")
        whole, rest = divmod(content, self.link.mss)
        segments = [*self.heads, *[self.link.mss] * whole, *([rest] if rest else [])]
        return sum(octets * flight_s(self.link, octets, 1) for octets in segments)


FUNCARD = Setting(10_000.0, 0.005)  # section 5.2
SMEWS_ADD_HELD = 22
"""Bytes that Smews holds for cb_add, fitted: × 0.061 s they are Table 3's 1.3 B·s."""

PRESETS = {
    preset.name: preset
    for preset in (
        Preset("figure1", "001 Figure 1 and section 4.3: 100 kB/s, 50 ms", Setting()),
        Preset("dynaweb", "000 Figures 3 to 5: 14.4 kB/s, no latency", Setting(LINE_RATE, 0.0), content=55_900),
        Preset(
            "uip",
            "001 Table 2, uIP: head in two segments, one in flight",
            FUNCARD,
            ONE,
            request=450,
            heads=(84, 27),
        ),
        Preset(
            "miniweb",
            "001 Table 2, Miniweb: MSS 200",
            replace(FUNCARD, mss=200, charge_acks=False),
            request=260,
            generates=False,
        ),
        Preset(
            "smews",
            "001 Table 2, Smews: MSS 1440",
            replace(FUNCARD, mss=1440, charge_acks=False, even=False, delayed_ack_s=0),
            request=480,
            static_head=70,
            generated_head=40,
        ),
    )
}


def find(name: str) -> Preset:
    if name not in PRESETS:
        raise WhitError(f"--preset {name}: expected {' or '.join(PRESETS)}{did_you_mean(name, PRESETS)}")
    return PRESETS[name]
