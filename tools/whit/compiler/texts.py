# SPDX-License-Identifier: MIT
"""Writes a text as C and as a path of a URL."""


def c_text(text: str) -> str:
    """A string literal in C."""
    return (
        '"' + "".join(f"\\{octet}" if octet in '"\\' else octet if " " <= octet <= "~" else "?" for octet in text) + '"'
    )


def spelled(path: str) -> str:
    """Returns the path as browsers request it (path percent-encode set of the URL standard, and the percent sign)."""
    return "".join(f"%{ord(octet):02X}" if octet in ' "#<>?`{}^%' else octet for octet in path)
