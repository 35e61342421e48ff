# SPDX-License-Identifier: MIT
"""Seeds of the fuzzer of the TLS layer: hellos, and records before and after Finished (see fuzz/tls.c)."""


def seeds() -> dict[str, bytes]:
    def vector(size: int, *items: bytes) -> bytes:
        return len(b"".join(items)).to_bytes(size, "big") + b"".join(items)

    def hello(
        share: bytes = b"\x00\x1d\x00\x20" + b"\x09" * 32,
        *more: tuple[int, bytes],
        suites: bytes = b"\x13\1\x13\3",
    ) -> bytes:
        extensions = [(43, vector(1, b"\3\4")), (10, vector(2, b"\0\x1d\0\x17")), (13, vector(2, b"\4\3"))]
        extensions += [(51, vector(2, share)), (45, vector(1, b"\1")), *more]
        listed = vector(2, *(number.to_bytes(2, "big") + vector(2, content) for number, content in extensions))
        body = b"\3\3" + b"r" * 32 + vector(1, b"s" * 32) + vector(2, suites) + b"\1\0" + listed
        return b"\x16\3\1" + vector(2, b"\1" + vector(3, body))

    by_aes = 4

    def records(kind: int, *inner: bytes) -> bytes:
        return bytes((kind, 3)) + b"".join(vector(1, one) for one in inner)

    usual, other = hello(), b"\0\x17\0\x41" + bytes(65)
    ticket = vector(2, vector(2, b"t" * 64) + bytes(4)) + vector(2, vector(1, bytes(32)))
    protocols = vector(2, vector(1, b"h2"), vector(1, b"http/1.1"))
    return {
        "hello": b"\0\7" + usual,
        "hello_again": b"\0\7" + hello(other) + b"\x14\3\3\0\1\1" + usual,
        "hello_more": b"\0\7" + hello(other, (16, protocols), (28, b"\2\1"), (99, b"x"), (42, b""), (41, ticket)),
        "hello_small": b"\0\7" + b"".join(b"\x16\3\1\0\1" + bytes((octet,)) for octet in usual[5:]),
        "hello_alert": b"\0\7\x15\3\1\0\2\2\x28",
        "wrong_finished": records(1, b"\x14\0\0\x20" + bytes(32) + b"\x16"),
        "hello_aes": b"\0\7" + hello(suites=b"\x13\1"),
        "hello_aes_again": b"\0\7" + hello(other, suites=b"\x13\1\x13\2") + hello(suites=b"\x13\1"),
        "aes_wrong_finished": records(by_aes | 1, b"\x14\0\0\x20" + bytes(32) + b"\x16"),
        "aes_half_finished": records(by_aes | 1, b"\x14\0\x16", b"\0\x20" + bytes(20) + b"\x16"),
        "aes_content": records(
            by_aes | 2, b"GET / HTTP/1.1\r\n\r\n\x17", bytes(80) + b"\x17", b"a" + bytes(100) + b"b\x17\0"
        ),
        "aes_updates": records(by_aes | 2, b"\x18\0\0\1\1\x16", b"x\x17", b"\x18\0\0\1\0\x16", b"y\x17", b"\1\0\x15"),
        "aes_padding": records(by_aes | 2, bytes(70)),
        "aes_forged": b"\7\7\x17\3\3\0\x14" + bytes(20),
        "half_finished": records(1, b"\x14\0\x16", b"\0\x20" + bytes(20) + b"\x16"),
        "early_content": records(1, b"GET /\x17"),
        "gives_up": records(1, b"\2\x30\x15"),
        "content": records(2, b"GET / HTTP/1.1\r\n\r\n\x17", bytes(80) + b"\x17", b"a" + bytes(100) + b"b\x17\0\0"),
        "updates": records(2, b"\x18\0\0\1\1\x16", b"x\x17", b"\x18\0\0\1\0\x16", b"y\x17", b"\1\0\x15"),
        "half_update": records(2, b"\x18\0\x16", b"\0\1\0\x16", b"x\x17"),
        "padding": records(2, bytes(70)),
        "forged": b"\3\7\x17\3\3\0\x14" + bytes(20),
        "in_clear": b"\3\7\x14\3\3\0\1\1",
    }
