# SPDX-License-Identifier: MIT
"""More clients at once than slots: a hello that waits for its turn does not count as a stalled request."""

import http.client
import ssl
import time
from concurrent.futures import ThreadPoolExecutor

from tests.https.served import PAGE, served

CLIENTS, TIMES = 12, 6


def test_twelve_that_shake_hands_at_once(tmp_path):
    with served(tmp_path) as server:
        context = ssl.create_default_context(cafile=server.authority)

        def ask(number: int) -> list[str]:
            """Returns the errors of TIMES requests, each on its own connection."""
            wrong = []
            for _ in range(TIMES):
                connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=30)
                try:
                    connection.request("GET", "/", headers={"Connection": "close"})
                    if connection.getresponse().read() != PAGE:
                        wrong.append("another page")
                except (OSError, http.client.HTTPException) as error:
                    wrong.append(f"{type(error).__name__} {error}")
                    time.sleep(0.01)
                connection.close()
            return wrong

        with ThreadPoolExecutor(CLIENTS) as pool:
            assert [one for wrong in pool.map(ask, range(CLIENTS)) for one in wrong] == []
