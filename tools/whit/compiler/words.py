# SPDX-License-Identifier: MIT
"""HTTP's own words that the engine recognises, with the names of their values in engine/tables.h."""

METHODS = {
    "GET": "WHIT_GET",
    "HEAD": "WHIT_HEAD",
    "POST": "WHIT_POST",
} | dict.fromkeys(("PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"), "WHIT_OTHER_METHOD")

FIELDS = {
    "host": "WHIT_HOST",
    "connection": "WHIT_CONNECTION",
    "accept-encoding": "WHIT_ACCEPT_ENCODING",
    "if-none-match": "WHIT_IF_NONE_MATCH",
    "if-match": "WHIT_IF_MATCH",
    "content-length": "WHIT_CONTENT_LENGTH",
    "transfer-encoding": "WHIT_TRANSFER_ENCODING",
    "expect": "WHIT_EXPECT",
}

TOKENS = {
    "close": "WHIT_TOKEN_CLOSE",
    "keep-alive": "WHIT_TOKEN_KEEP_ALIVE",
    "gzip": "WHIT_TOKEN_GZIP",
    "x-gzip": "WHIT_TOKEN_GZIP",
    "br": "WHIT_TOKEN_BR",
    "identity": "WHIT_TOKEN_IDENTITY",
    "*": "WHIT_TOKEN_ANY",
    "chunked": "WHIT_TOKEN_CHUNKED",
    "100-continue": "WHIT_TOKEN_CONTINUE",
}

# Only where requests with a body are answered.
BODY_METHODS = METHODS | {"PUT": "WHIT_POST"}
BODY_FIELDS = FIELDS | {"content-type": "WHIT_CONTENT_TYPE"}
MEDIA = {
    "multipart/form-data": "WHIT_MEDIA_MULTIPART",
    "application/x-www-form-urlencoded": "WHIT_MEDIA_FORM",
}


def tables(bodies: bool) -> dict[str, dict[str, str]]:
    """The automata of whit_words in their order; `bodies`: some generator takes a request's body."""
    return {
        "METHODS": BODY_METHODS if bodies else METHODS,
        "FIELDS": BODY_FIELDS if bodies else FIELDS,
        "TOKENS": TOKENS,
    } | ({"MEDIA": MEDIA} if bodies else {})
