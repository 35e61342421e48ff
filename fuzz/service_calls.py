# SPDX-License-Identifier: MIT
"""Seeds of the fuzzer of services."""


def services() -> dict[str, bytes]:
    """Calls of the functions of fuzz/services."""
    host, json, form = b" HTTP/1.1\r\nHost: a\r\n", b"application/json", b"application/x-www-form-urlencoded"

    def call(path: bytes, body: bytes, kind: bytes = json) -> bytes:
        length = b"Content-Length: %d\r\n\r\n" % len(body)
        return b"POST /" + path + host + b"Content-Type: " + kind + b"\r\n" + length + body

    def soap(inner: bytes, version: bytes = b"http://schemas.xmlsoap.org/soap/envelope/", before: bytes = b"") -> bytes:
        message = b'<s:Envelope xmlns:s="' + version + b'">' + before + b"<s:Body>" + inner + b"</s:Body></s:Envelope>"
        return call(b"device", message, b"text/xml")

    first, second = b'<every xmlns="urn:whit:device">', b"http://www.w3.org/2003/05/soap-envelope"
    must = b'<s:Header><a s:mustUnderstand="1" s:role="' + second + b'/role/next"/></s:Header>'
    space = b' xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'
    full = b'{"u8":7,"u16":65.535,"i8":-12.8,"i32":-2.147483648,"on":true,"unit":"k",'
    full += b'"text":"a\\u00e4\\ud83d\\ude00\xc3\xa4",'
    full += b'"when":"2024-02-29T12:30:45.5+01:00","octets":"aGVsbG8="}'
    return {
        "every": call(b"every", full),
        "every_form": call(b"every", b"u16=1.50&text=%c3%a4+b&raw=%ff&when=1970-01-01T00:00:00Z&octets=AAEC", form),
        "every_get": b"GET /every?i16=-1.5&unit=f&text=%ff" + host + b"\r\n",
        "json_as_form": call(b"every", b'{"u8":1}', form),
        "wrong": call(b"every", b'{"u8":256,"text":[{}]}') + call(b"every", b'{"u8":1}'),
        "twice": call(b"every", b'{"on":null,"on":0}') + b"GET /every?u8=1&u8=2" + host + b"\r\n",
        "malformed": call(b"every", b'{"u8":') + call(b"every", b"[]") + call(b"once", b'{"number":1}'),
        "nested": call(b"nested", b'{"points":6,"each":11}'),
        "nested_form": call(b"nested", b"points=3&each=2", form) + call(b"nested", b"points=7&each=0", form),
        "missing": call(b"nested", b"{}") + b"GET /nested?each=1" + host + b"\r\n",
        "faults": call(b"once", b'{"number":7}') + call(b"once", b'{"number":9}') + call(b"once", b'{"number":-3}'),
        "json_only": call(b"once", b"number=1", form),
        "soap": soap(first + b"<u8>7</u8><i8>-1.5</i8><text>&lt;\xc3\xa4&#228;<![CDATA[]]]]></text></every>"),
        "soap_12": soap(first + b"<when> 2024-02-29T12:30:45Z</when><octets>aG Vs</octets></every>", second),
        "soap_nil": soap(first + b"<on" + space + b' i:nil="true"/><u16>+.5</u16><unit>k</unit></every>'),
        "soap_header": soap(first + b"</every>", second, must) + soap(b"<q:nix xmlns:q='urn:whit:device'/>"),
        "soap_nested": soap(b'<?xml?><nested xmlns="urn:whit:device"><points>2</points><each>3</each></nested>'),
        "soap_prefixes": soap(b'<a:every xmlns:a="urn:whit:device" xmlns:b="urn:b"><!-- --><b:u8/></a:every>'),
    }
