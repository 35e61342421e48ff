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
    (r"engine/(recovery|tcp)/|engine/base/(table|peer|keyed_hash|timer|state)", _TCP),
    (r"engine/body/|engine/http/http_(body|chunked|media)|engine/base/body_block", _BODIES),
    (r"engine/http/|engine/base/automaton|engine/content/(http_status|log)", _HTTP),
    (r"engine/(base/(stored|record)|content/content_stored)", _STORED),
    (r"engine/content/|engine/base/buffer", _CONTENT),
    (r"engine/(link|front)/|engine/base/checksum", _LINK),
    (r"tools/whit/compiler/", _COMPILER),
    (r"", _TCP),
)


def tests_of(file: str) -> tuple[str, ...]:
    """Directories and files of tests, in the order in which they run."""
    return next(tests for pattern, tests in _BY_NAME if re.match(pattern, file))
