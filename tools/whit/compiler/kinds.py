# SPDX-License-Identifier: MIT
"""Kinds of resources, contents and handlers."""

from enum import StrEnum


class Persistence(StrEnum):
    """The kind of a resource's content; the C name is WHIT_ and the upper-case name."""

    STATIC = "static"
    PERSISTENT = "persistent"
    VOLATILE = "volatile"
    IDEMPOTENT = "idempotent"
    STORED = "stored"


class Writer(StrEnum):
    """The way a doGet handler writes; the C name is WHIT_ and the upper-case name."""

    PLAIN = "plain"
    INDEX = "index"
    THREAD = "thread"


class Coding(StrEnum):
    """Content coding (RFC 9110 section 8.4.1), by its token."""

    IDENTITY = "identity"
    GZIP = "gzip"
    BROTLI = "br"
