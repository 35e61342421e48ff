// SPDX-License-Identifier: MIT
// The fixed octets of heads. Their sums stand beside them so that a device never adds them up; a test does.
#include "status.h"

#include "inner.h"

static const uint8_t text_200[] WHIT_FLASH = "200 OK\r\n";
static const uint8_t text_304[] WHIT_FLASH = "304 Not Modified\r\n";
static const uint8_t text_400[] WHIT_FLASH = "400 Bad Request\r\n";
static const uint8_t text_404[] WHIT_FLASH = "404 Not Found\r\n";
static const uint8_t text_405[] WHIT_FLASH = "405 Method Not Allowed\r\n";
static const uint8_t text_408[] WHIT_FLASH = "408 Request Timeout\r\n";
static const uint8_t text_412[] WHIT_FLASH = "412 Precondition Failed\r\n";
static const uint8_t text_413[] WHIT_FLASH = "413 Content Too Large\r\n";
static const uint8_t text_414[] WHIT_FLASH = "414 URI Too Long\r\n";
static const uint8_t text_417[] WHIT_FLASH = "417 Expectation Failed\r\n";
static const uint8_t text_431[] WHIT_FLASH = "431 Request Header Fields Too Large\r\n";
static const uint8_t text_500[] WHIT_FLASH = "500 Internal Server Error\r\n";
static const uint8_t text_501[] WHIT_FLASH = "501 Not Implemented\r\n";
static const uint8_t text_503[] WHIT_FLASH = "503 Service Unavailable\r\n";
static const uint8_t text_505[] WHIT_FLASH = "505 HTTP Version Not Supported\r\n";

const struct text status_texts[HTTP_STATUS_CNT] WHIT_FLASH = {
    [HTTP_200] = {text_200, 0xbea5, sizeof text_200 - 1},
    [HTTP_304] = {text_304, 0xb490, sizeof text_304 - 1},
    [HTTP_400] = {text_400, 0xb22d, sizeof text_400 - 1},
    [HTTP_404] = {text_404, 0x54cb, sizeof text_404 - 1},
    [HTTP_405] = {text_405, 0x98d8, sizeof text_405 - 1},
    [HTTP_408] = {text_408, 0xb910, sizeof text_408 - 1},
    [HTTP_412] = {text_412, 0x2ff9, sizeof text_412 - 1},
    [HTTP_413] = {text_413, 0xe429, sizeof text_413 - 1},
    [HTTP_414] = {text_414, 0x9234, sizeof text_414 - 1},
    [HTTP_417] = {text_417, 0xdfe3, sizeof text_417 - 1},
    [HTTP_431] = {text_431, 0x6c94, sizeof text_431 - 1},
    [HTTP_500] = {text_500, 0x9939, sizeof text_500 - 1},
    [HTTP_501] = {text_501, 0x9008, sizeof text_501 - 1},
    [HTTP_503] = {text_503, 0x52d9, sizeof text_503 - 1},
    [HTTP_505] = {text_505, 0xea6d, sizeof text_505 - 1},
};

static const uint8_t octets_version[] WHIT_FLASH = "HTTP/1.1 ";
const struct text text_version WHIT_FLASH = {octets_version, 0x1a07, sizeof octets_version - 1};
static const uint8_t octets_close[] WHIT_FLASH = "Connection: close\r\n";
const struct text text_close WHIT_FLASH = {octets_close, 0x7726, sizeof octets_close - 1};
static const uint8_t octets_allow[] WHIT_FLASH = "Allow: GET, HEAD\r\n";
const struct text text_allow WHIT_FLASH = {octets_allow, 0x4d65, sizeof octets_allow - 1};
static const uint8_t octets_error_head[] WHIT_FLASH = "Content-Type: text/plain\r\nContent-Length: ";
const struct text text_error_head WHIT_FLASH = {octets_error_head, 0x7e77, sizeof octets_error_head - 1};
