// SPDX-License-Identifier: MIT
// The fixed octets of heads. Their sums stand beside them so that a device never adds them up; a test does.
#include "status.h"

#include "inner.h"

static const uint8_t line_200[] WHIT_FLASH = "HTTP/1.1 200 OK\r\n";
static const uint8_t line_304[] WHIT_FLASH = "HTTP/1.1 304 Not Modified\r\n";
static const uint8_t line_400[] WHIT_FLASH = "HTTP/1.1 400 Bad Request\r\n";
static const uint8_t line_404[] WHIT_FLASH = "HTTP/1.1 404 Not Found\r\n";
static const uint8_t line_405[] WHIT_FLASH = "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\n";
static const uint8_t line_408[] WHIT_FLASH = "HTTP/1.1 408 Request Timeout\r\n";
static const uint8_t line_412[] WHIT_FLASH = "HTTP/1.1 412 Precondition Failed\r\n";
static const uint8_t line_413[] WHIT_FLASH = "HTTP/1.1 413 Content Too Large\r\n";
static const uint8_t line_414[] WHIT_FLASH = "HTTP/1.1 414 URI Too Long\r\n";
static const uint8_t line_417[] WHIT_FLASH = "HTTP/1.1 417 Expectation Failed\r\n";
static const uint8_t line_431[] WHIT_FLASH = "HTTP/1.1 431 Request Header Fields Too Large\r\n";
static const uint8_t line_500[] WHIT_FLASH = "HTTP/1.1 500 Internal Server Error\r\n";
static const uint8_t line_501[] WHIT_FLASH = "HTTP/1.1 501 Not Implemented\r\n";
static const uint8_t line_503[] WHIT_FLASH = "HTTP/1.1 503 Service Unavailable\r\n";
static const uint8_t line_505[] WHIT_FLASH = "HTTP/1.1 505 HTTP Version Not Supported\r\n";
#if WHIT_HAS_BODY
static const uint8_t line_100[] WHIT_FLASH = "HTTP/1.1 100 Continue\r\n\r\n";
static const uint8_t line_405_post[] WHIT_FLASH = "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST, PUT\r\n";
static const uint8_t line_405_both[] WHIT_FLASH = "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST, PUT\r\n";
static const uint8_t line_415[] WHIT_FLASH = "HTTP/1.1 415 Unsupported Media Type\r\n";
#endif
static const uint8_t octets_close[] WHIT_FLASH = "Connection: close\r\n";
static const uint8_t octets_empty[] WHIT_FLASH = "Content-Length: 0\r\n\r\n";
static const uint8_t octets_chunked[] WHIT_FLASH = "Transfer-Encoding: chunked\r\n\r\n";
static const uint8_t octets_blank[] WHIT_FLASH = "\r\n";

const struct text status_lines[] WHIT_FLASH = {
    [HTTP_200] = {line_200, 0xbfc5, sizeof line_200 - 1},
    [HTTP_304] = {line_304, 0xaabb, sizeof line_304 - 1},
    [HTTP_400] = {line_400, 0x47b9, sizeof line_400 - 1},
    [HTTP_404] = {line_404, 0xe55b, sizeof line_404 - 1},
    [HTTP_405] = {line_405, 0x57ed, sizeof line_405 - 1},
    [HTTP_408] = {line_408, 0x2ac0, sizeof line_408 - 1},
    [HTTP_412] = {line_412, 0x1337, sizeof line_412 - 1},
    [HTTP_413] = {line_413, 0x43eb, sizeof line_413 - 1},
    [HTTP_414] = {line_414, 0x4e99, sizeof line_414 - 1},
    [HTTP_417] = {line_417, 0xfde6, sizeof line_417 - 1},
    [HTTP_431] = {line_431, 0xae73, sizeof line_431 - 1},
    [HTTP_500] = {line_500, 0x53a0, sizeof line_500 - 1},
    [HTTP_501] = {line_501, 0x2297, sizeof line_501 - 1},
    [HTTP_503] = {line_503, 0xf359, sizeof line_503 - 1},
    [HTTP_505] = {line_505, 0x87f1, sizeof line_505 - 1},
#if WHIT_HAS_BODY
    [HTTP_100] = {line_100, 0x3613, sizeof line_100 - 1},
    [HTTP_405_POST] = {line_405_post, 0x870b, sizeof line_405_post - 1},
    [HTTP_405_BOTH] = {line_405_both, 0x948a, sizeof line_405_both - 1},
    [HTTP_415] = {line_415, 0x8fd6, sizeof line_415 - 1},
#endif
};
const struct text text_close WHIT_FLASH = {octets_close, 0x7726, sizeof octets_close - 1};
const struct text text_empty WHIT_FLASH = {octets_empty, 0x38ef, sizeof octets_empty - 1};
const struct text text_chunked WHIT_FLASH = {octets_chunked, 0xe12b, sizeof octets_chunked - 1};
const struct text text_blank WHIT_FLASH = {octets_blank, 0x0d0a, sizeof octets_blank - 1};
