# SPDX-License-Identifier: MIT
"""What a resource, its content and its handlers may be."""

from enum import StrEnum


class Persistence(StrEnum):
    """What the content of a resource is; the C name is WHIT_ and the upper-case name."""

    STATIC = "static"
    PERSISTENT = "persistent"
    VOLATILE = "volatile"
    IDEMPOTENT = "idempotent"
    STORED = "stored"


class Writer(StrEnum):
    """How a doGet handler writes; the C name is WHIT_ and the upper-case name."""

    PLAIN = "plain"
    INDEX = "index"
    THREAD = "thread"


class Coding(StrEnum):
    """Content coding (RFC 9110 section 8.4.1), by its token."""

    IDENTITY = "identity"
    GZIP = "gzip"
    BROTLI = "br"
