# SPDX-License-Identifier: MIT
"""How a text is spelled elsewhere."""


def c_text(text: str) -> str:
    """A string literal in C."""
    return (
        '"' + "".join(f"\\{octet}" if octet in '"\\' else octet if " " <= octet <= "~" else "?" for octet in text) + '"'
    )


def spelled(path: str) -> str:
    """As browsers write it in a request (the path percent-encode set of the URL standard, and the percent sign)."""
    return "".join(f"%{ord(octet):02X}" if octet in ' "#<>?`{}^%' else octet for octet in path)
