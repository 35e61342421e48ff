# SPDX-License-Identifier: MIT
"""The traffic model: how long this engine's response takes on a link, and what memory that costs.

refined      what the engine does, segment by segment
policy, acks when a client acknowledges
words        a link as a user writes it
prediction   how long the pages of an application take

    from whit.model import Client, Server, read_link, response_s

    response_s(read_link("10kB/s,50ms"), Client(), Server(), request_octets=400, head_octets=100, content_octets=5805)
"""

from whit.model.parties import Client, Item, Link, Server
from whit.model.policy import AckPolicy
from whit.model.refined import page, page_s, response, response_s
from whit.model.words import read_link

__all__ = ["AckPolicy", "Client", "Item", "Link", "Server", "page", "page_s", "read_link", "response", "response_s"]
