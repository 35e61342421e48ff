# SPDX-License-Identifier: MIT
"""Which tests concern a file: those that are most likely to catch a fault in it come first."""

import re

_TCP = ("tests/segments", "tests/hostile", "tests/http/test_methods.py", "tests/strategies", "tests/property")
_HTTP = ("tests/http", "tests/hostile/test_http.py", "tests/bodies", "tests/segments")
_BODIES = ("tests/bodies", "tests/http", "tests/strategies", "tests/property")
_CONTENT = ("tests/strategies", "tests/http", "tests/segments", "tests/property", "tests/bodies")
_LINK = ("tests/hostile/test_link_and_ip.py", "tests/segments", "tests/hostile", "tests/http/test_cut.py")
_STORED = ("tests/http", "tests/compiler", "tests/bodies", "tests/property")
_COMPILER = ("tests/compiler", "tests/http", "tests/strategies", "tests/bodies", "tests/segments/test_data.py")

# The first that matches the name of a file.
_BY_NAME = (
    (r"engine/(recovery|congestion|retransmit|rtt|cookie|tag|tcp|connection|table|peer|keyed_hash|timer)", _TCP),
    (r"engine/(body|http_body|http_chunked|http_form|http_json|http_media|http_multipart|in)\b", _BODIES),
    (r"engine/(http|automaton|grammar|status|log)", _HTTP),
    (r"engine/(stored|content_stored)", _STORED),
    (r"engine/(content|generator|framing|buffer|response|out|answer)", _CONTENT),
    (r"engine/(link|arp|ipv4|icmp|rx|frame|checksum|udp)", _LINK),
    (r"tools/whit/compiler/", _COMPILER),
    (r"", _TCP),
)


def tests_of(file: str) -> tuple[str, ...]:
    """Directories and files of tests, in the order in which they run."""
    return next(tests for pattern, tests in _BY_NAME if re.match(pattern, file))
