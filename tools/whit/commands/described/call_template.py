#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls each function of @NAME@ once in each of its ways, and checks that all its values arrive.

In one terminal ./whit run @NAME@, in another
python3 @NAME@/test.py http://127.0.0.1:8080
"""

import json
import sys
from ssl import SSLCertVerificationError
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
Call = tuple[str, str, str, str, dict[str, object], list[str]]
# way, path, namespace, name, arguments, names of the expected values
CALLS: list[Call] = []


def posted(url: str, body: str, kind: str, action: str = "") -> str:
    fields = {"Content-Type": kind} | ({"SOAPAction": f'"{action}"'} if action else {})
    return told(url, body.encode(), fields)


def told(url: str, body: bytes | None = None, fields: dict[str, str] | None = None) -> str:
    try:
        with urlopen(Request(url, body, fields or {}), timeout=20) as answer:
            return str(answer.read(), "utf-8")
    except HTTPError as error:
        raise SystemExit(f"{url}: {error.code} {error.read().decode()}") from None
    except ValueError:
        raise SystemExit(f"{url}: expected an URL such as http://127.0.0.1:8080") from None
    except URLError as error:
        way_out = "is it served there?"
        if isinstance(error.reason, SSLCertVerificationError):
            way_out = "SSL_CERT_FILE=.whit/https/ca.pem in front of the command trusts the authority of ./whit cert"
        raise SystemExit(f"{url}: {error.reason}; {way_out}") from None


def by_json(url: str, call: Call) -> set[str]:
    return set(json.loads(posted(url, json.dumps(call[4]), "application/json")))


def spelled(value: object) -> str:
    return "true" if value is True else str(value)


def fields_of(call: Call) -> str:
    return urlencode({name: spelled(value) for name, value in call[4].items()})


def by_get(url: str, call: Call) -> set[str]:
    return set(json.loads(told(f"{url}?{fields_of(call)}")))


def by_form(url: str, call: Call) -> set[str]:
    lines = posted(url, fields_of(call), "application/x-www-form-urlencoded").splitlines()
    return {line.partition(":")[0].partition(".")[0].partition("[")[0] for line in lines}


def element(name: str, value: object) -> str:
    if isinstance(value, list):
        return "".join(element(name, one) for one in value)
    if isinstance(value, dict):
        inner = "".join(element(key, one) for key, one in value.items())
    else:
        inner = escape(spelled(value))
    return f"<{name}>{inner}</{name}>"


def by_soap(url: str, call: Call) -> set[str]:
    _, _, space, name, arguments, _ = call
    inner = "".join(element(key, value) for key, value in arguments.items())
    body = f"<{name} xmlns={quoteattr(space)}>{inner}</{name}>"
    envelope = f'<e:Envelope xmlns:e="{SOAP}"><e:Body>{body}</e:Body></e:Envelope>'
    answer = ElementTree.fromstring(posted(url, envelope, "text/xml; charset=utf-8", f"{space}#{name}"))
    response = answer.find(f"{{{SOAP}}}Body/{{{space}}}{name}Response")
    if response is None:
        raise SystemExit(f"{url}: no {name}Response")
    return {child.tag.rpartition("}")[2] for child in response}


def main(origin: str) -> None:
    for call in CALLS:
        way, path, _, name, _, values = call
        came = {"json": by_json, "form": by_form, "get": by_get, "soap": by_soap}[way](origin.rstrip("/") + path, call)
        if missing := set(values) - came:
            raise SystemExit(f"{name} by {way}: expected {', '.join(sorted(missing))}")
        print(f"{name} by {way}: right")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
