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
PART_MEDIA = {
    "boundary": "WHIT_MEDIA_BOUNDARY",
    "filename": "WHIT_MEDIA_FILENAME",
    "content-type": "WHIT_MEDIA_TYPE",
    "content-disposition": "WHIT_MEDIA_DISPOSITION",
}


def tables(bodies: bool, parts: bool) -> dict[str, dict[str, str]]:
    """The automata of whit_words in their order; `bodies`: some generator takes a request's body; `parts`: in parts."""
    return {
        "METHODS": BODY_METHODS if bodies else METHODS,
        "FIELDS": BODY_FIELDS if bodies else FIELDS,
        "TOKENS": TOKENS,
    } | ({"MEDIA": MEDIA | (PART_MEDIA if parts else {})} if bodies else {})
