# SPDX-License-Identifier: MIT
"""The traffic model: a response's duration on a link, and the memory that it needs.

refined      the engine, segment by segment
policy, acks the client's acknowledgments
words        a link in the user's notation
prediction   load times of an application's pages

    from whit.model import Client, Server, read_link, response_s

    response_s(read_link("10kB/s,50ms"), Client(), Server(), request_octets=400, head_octets=100, content_octets=5805)
"""

from whit.model.parties import Client, Item, Link, Server
from whit.model.policy import AckPolicy
from whit.model.refined import page, page_s, response, response_s
from whit.model.words import read_link

__all__ = ["AckPolicy", "Client", "Item", "Link", "Server", "page", "page_s", "read_link", "response", "response_s"]
