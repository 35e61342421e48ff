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
    LINK_IP: ("link_*", "arp", "ipv4", "icmp", "frame", "rx", "dispatch", "line_*", "unreachable"),
    TCP: ("tcp_*", "segment_*", "client*", "recovery_*", "retransmit", "rtt", "congestion", "sack", "repeats"),
    CONNECTIONS: ("connection", "slot", "handshake", "cookie", "tag", "table_*", "peer_*", "keyed_hash*", "buffer"),
    HTTP: ("http_*", "xml_*", "request", "automaton", "body*", "in"),
    CONTENT: (
        *("response", "head", "strategy", "answer", "content_*", "stored", "record", "generator", "framing", "out"),
        *("service", "service_value", "service_soap", "page"),
    ),
    TLS: ("tls_*", "tcp_sealed*", "sealed*"),
    WSS: ("wss_*", "soap_security", "body_proof", "service_signed"),
    COMMON: ("engine", "state", "checksum*", "timer", "texts", "log*"),
}
GROUPS = (*_FILES, C_LIBRARY)


def group_of(stem: str) -> str:
    """The group of engine/`stem`.c; OTHER for a file that nobody has sorted yet."""
    named = [group for group, patterns in _FILES.items() if stem in patterns]
    if named:
        return named[0]
    for group, patterns in _FILES.items():
        if any(fnmatch(stem, pattern) for pattern in patterns):
            return group
    return OTHER
