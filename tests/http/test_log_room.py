# SPDX-License-Identifier: MIT
"""A reason longer than a line of the request log, and than an error's page, is cut at the last octet."""

import pytest

from tests.harness import opened, saying
from whit.wire.http import request
from whit_testbed.net import Net

LINE_MAX, PAGE_MAX = 512, 2048


@pytest.mark.parametrize("cnt", [2, 7, 64])
def test_a_reason_that_does_not_fit(cnt: int) -> None:
    words = [f"{number:02}" + "w" * 61 for number in range(cnt)]
    values = " ".join(words)
    source = saying("out_uint(args->way);", f'name="way" type="enum" values="{values}"')
    whole = "GET /say?way=x 400 way: expected " + ", ".join(words[:-1]) + f" or {words[-1]}"
    with opened({"say.c": source}, log=True) as engine:
        net = Net(engine)
        for target in ("/say?way=x", "/say?way=" + words[-1]):
            client = net.host().client()
            client.send(request(target), "GET")
            net.run(client, for_s=30)
            net.idle(0.5)
            line, response = engine.take_log(), client.responses[0]
            if target.endswith("x"):
                assert line == whole[: LINE_MAX - 1] + "\n"
                assert response.status == 400
                assert (len(response.body) == PAGE_MAX) == (cnt == 64)
                assert response.body.endswith(b"\n") == (cnt != 64)
            else:
                assert response.body == b"%d" % (cnt - 1)


def test_a_page_ends_within_an_entity() -> None:
    """`&amp;` and `&quot;` in a page of an error are cut where the page's room ends."""
    ends = set()
    with opened({"index.html": "x"}, log=True) as engine:
        net = Net(engine)
        for cnt in range(240, 252):
            client = net.host().client()
            client.send(b"GET /" + b"&" * cnt + b" HTTP/1.1\r\nHost: a b" + b'"' * 90 + b"\r\n\r\n", "GET")
            net.run(client, for_s=30)
            body = client.responses[0].body
            assert client.responses[0].status == 400 and len(body) == PAGE_MAX
            assert body.count(b"&amp;") == cnt
            ends.add(body[body.rindex(b"&") :])
    assert len(ends) > 3
