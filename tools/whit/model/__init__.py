# SPDX-License-Identifier: MIT
"""Traffic models: how long a web server's response takes on a link, and what memory that costs the server.

paper, charge, dynaweb   as the papers print them, with formulas repaired where print or extraction damaged them
presets                  the papers' own readings of their tables
refined                  what this engine does, segment by segment
comparison               one beside the other
words                    a link as a user writes it
prediction               how long the pages of an application take, by the refined model

    from whit.model import Client, Server, in_flight_s, Setting, read_link, response_s

    in_flight_s(Setting(bandwidth=100_000, rtt_s=0.05, mss=1460), content=8000)
    response_s(read_link("10kB/s,50ms"), Client(), Server(), request_octets=400, head_octets=100, content_octets=5805)
"""

from whit.model.charge import equal_buffer, one_charge, one_s, strategy_charge, strategy_s
from whit.model.comparison import Comparison, Question, compare
from whit.model.dynaweb import overhead, throughput
from whit.model.paper import Setting, in_flight_s, sending_s
from whit.model.parties import Client, Item, Link, Server
from whit.model.presets import PRESETS, Preset
from whit.model.refined import page, page_s, response, response_s
from whit.model.words import read_link
from whit.sim.policy import AckPolicy

__all__ = [
    "PRESETS",
    "AckPolicy",
    "Client",
    "Comparison",
    "Item",
    "Link",
    "Preset",
    "Question",
    "Server",
    "Setting",
    "compare",
    "equal_buffer",
    "in_flight_s",
    "one_charge",
    "one_s",
    "overhead",
    "page",
    "page_s",
    "read_link",
    "response",
    "response_s",
    "sending_s",
    "strategy_charge",
    "strategy_s",
    "throughput",
]
