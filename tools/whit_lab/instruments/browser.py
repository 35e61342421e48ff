# SPDX-License-Identifier: MIT
"""A browser with requests of the papers' length."""

from collections.abc import Sequence

from whit.model.policy import Options
from whit.wire.http import Response
from whit_lab.instruments.instructions import request
from whit_testbed.browser import Browser, Item
from whit_testbed.machine import Line
from whit_testbed.net import Net


def browser(
    net: Net | Line,
    items: Sequence[Item],
    options: Options,
    coding: str = "",
    *,
    again: bool = False,
    connection_max: int = 2,
    late: bool = False,
) -> Browser:
    """Returns a browser. again: it revalidates the items that it has."""

    def write(target: str, known: Response | None) -> bytes:
        tag = known.field("etag") if known and again else None
        return request(target, coding + (f"If-None-Match: {tag}\r\n" if tag else ""))

    host = net.host()
    return Browser(host, net.loop, items, write, options=options, connection_max=connection_max, late=late)
