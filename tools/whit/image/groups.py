# SPDX-License-Identifier: MIT
"""The engine's files by their part in the way of the data."""

from fnmatch import fnmatch

LINK_IP = "link, IP"
TCP = "TCP"
CONNECTIONS = "connections"
HTTP = "HTTP"
CONTENT = "content"
TLS = "TLS"
WSS = "WS-Security"
COMMON = "common"
C_LIBRARY = "C library"
OTHER = "elsewhere"

_FILES = {
    LINK_IP: ("ethernet", "slip", "ip", "engine_*"),
    TCP: (
        *("tcp_*", "segment_*", "judge", "kept_frames", "reply", "stateless", "slices", "recovery_*"),
        *("client*", "http_get"),
    ),
    CONNECTIONS: ("connection", "slot", "idle", "table_*", "keyed_hash*", "buffer"),
    HTTP: (
        "head*",
        "text",
        "request",
        "argument",
        "answer",
        "body*",
        "form",
        "multipart",
        "json",
        "soap",
        "xml",
        "chunked",
    ),
    CONTENT: (
        *("response", "response_head", "strategy", "file", "persistent", "kept", "rerun", "generator", "out"),
        *("service", "service_value", "service_soap", "page"),
    ),
    TLS: ("hello", "handshake", "flight", "keys", "record", "*_tls"),
    WSS: ("token", "signature", "c14n", "service_signed"),
    COMMON: ("engine", "state", "checksum*", "log*"),
}
GROUPS = (*_FILES, C_LIBRARY)


def group_of(stem: str) -> str:
    """Returns the group of engine/`stem`.c; OTHER if no group lists the file."""
    named = [group for group, patterns in _FILES.items() if stem in patterns]
    if named:
        return named[0]
    for group, patterns in _FILES.items():
        if any(fnmatch(stem, pattern) for pattern in patterns):
            return group
    return OTHER
