# SPDX-License-Identifier: MIT
"""Records a page's requests as sent: Playwright itself shows a 304 as the 200 of the browser's cache."""

import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

SETTLE_TIMEOUT_S = 10.0


@dataclass
class Exchange:
    """One request and its response, as they were on the wire."""

    path: str
    kind: str = ""
    """Document, Stylesheet, Script, Image, Fetch, or Other: the icon."""
    status: int = 0
    fields: dict[str, str] = field(default_factory=dict)
    failed: str = ""

    def is_over(self) -> bool:
        return self.kind == "Other" or self.status != 0 or self.failed != ""


class Recorder:
    """Every exchange of a page from now on, by the DevTools protocol's Network domain."""

    def __init__(self, page: Page) -> None:
        self._by_id: dict[str, Exchange] = {}
        self._page = page
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.responseReceivedExtraInfo", self._received)
        session.on("Network.loadingFailed", self._failed)
        session.send("Network.enable")

    def take(self) -> list[Exchange]:
        """Returns the exchanges since the last call, after all have ended or failed. Events of a request may arrive
        after the page has used its answer."""
        deadline = time.monotonic() + SETTLE_TIMEOUT_S
        while not all(exchange.is_over() for exchange in self._by_id.values()) and time.monotonic() < deadline:
            self._page.wait_for_timeout(20)
        taken = list(self._by_id.values())
        self._by_id.clear()
        return taken

    def take_by_path(self) -> dict[str, Exchange]:
        """The same by path and query, none of which was fetched twice. The page's icon is left out: the browser asks
        for it when it likes, beside the page."""
        taken = [exchange for exchange in self.take() if exchange.kind != "Other"]
        by_path = {exchange.path: exchange for exchange in taken}
        assert len(by_path) == len(taken), f"fetched twice: {[exchange.path for exchange in taken]}"
        return by_path

    def _of(self, event: dict[str, Any]) -> Exchange:
        return self._by_id.setdefault(event["requestId"], Exchange(""))

    def _sent(self, event: dict[str, Any]) -> None:
        url = urlsplit(event["request"]["url"])
        exchange = self._of(event)
        exchange.kind = event["type"]
        exchange.path = url.path + ("?" + url.query if url.query else "")

    def _received(self, event: dict[str, Any]) -> None:
        exchange = self._of(event)
        exchange.status = event["statusCode"]
        exchange.fields = {name.lower(): value for name, value in event["headers"].items()}

    def _failed(self, event: dict[str, Any]) -> None:
        self._of(event).failed = event["errorText"]
