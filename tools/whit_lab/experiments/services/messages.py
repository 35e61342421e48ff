# SPDX-License-Identifier: MIT
"""Messages of gSOAP's client for the services of lab/device. Every server receives these."""

ECHO = "<ns:echo><ns:value>42</ns:value></ns:echo>"
TEMPERATURE = "<ns:temperature><ns:unit>c</ns:unit></ns:temperature>"
ANSWERS = {ECHO: b">42<", TEMPERATURE: b">21.5<"}
ENVELOPE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" '
    'xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:ns="urn:whit:device"{more}>'
    "{header}{body}</SOAP-ENV:Envelope>"
)


def message(call: str, target: str, host: str) -> bytes:
    """Returns a POST on a connection of its own."""
    text = ENVELOPE.format(more="", header="", body=f"<SOAP-ENV:Body>{call}</SOAP-ENV:Body>")
    return posted(text.encode(), target, host)


def posted(body: bytes, target: str, host: str) -> bytes:
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: gSOAP/2.8\r\n"
        f"Content-Type: text/xml; charset=utf-8\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        'Accept-Encoding: gzip, deflate\r\nSOAPAction: ""\r\n\r\n'
    )
    return head.encode() + body
