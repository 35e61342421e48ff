// SPDX-License-Identifier: MIT
// The fixed octets of heads. Their sums stand beside them so that a device never adds them up; a test does. A status is told by
// its number alone: nobody's machine reads reason phrases (RFC 9112 section 4), and each would take some twenty octets.
#include "status.h"

#include "inner.h"

const struct code status_codes[] WHIT_FLASH = {
    [HTTP_200] = {"200 \r\n", 0x6f5a},
    [HTTP_304] = {"304 \r\n", 0x745a},
    [HTTP_400] = {"400 \r\n", 0x715a},
    [HTTP_404] = {"404 \r\n", 0x755a},
    [HTTP_408] = {"408 \r\n", 0x795a},
    [HTTP_412] = {"412 \r\n", 0x735b},
    [HTTP_413] = {"413 \r\n", 0x745b},
    [HTTP_414] = {"414 \r\n", 0x755b},
    [HTTP_431] = {"431 \r\n", 0x725d},
    [HTTP_501] = {"501 \r\n", 0x735a},
    [HTTP_505] = {"505 \r\n", 0x775a},
#if WHIT_HAS_GENERATORS || WHIT_HAS_STORED
    [HTTP_500] = {"500 \r\n", 0x725a},
    [HTTP_503] = {"503 \r\n", 0x755a},
#endif
#if WHIT_HAS_BODY
    [HTTP_100] = {"100 \r\n", 0x6e5a},
    [HTTP_415] = {"415 \r\n", 0x765b},
    [HTTP_405] = {"405 \r\n", 0x765a},
    [HTTP_405_POST] = {"405 \r\n", 0x765a},
#endif
};

static const uint8_t octets_version[] WHIT_FLASH = "HTTP/1.1 ";
static const uint8_t octets_close[] WHIT_FLASH = "Connection: close\r\n";
static const uint8_t octets_empty[] WHIT_FLASH = "Content-Length: 0\r\n\r\n";
static const uint8_t octets_chunked[] WHIT_FLASH = "Transfer-Encoding: chunked\r\n\r\n";
static const uint8_t octets_blank[] WHIT_FLASH = "\r\n";
static const uint8_t octets_allow_get[] WHIT_FLASH = "Allow: GET, HEAD\r\nContent-Length: 0\r\n\r\n";
static const uint8_t octets_allow_post[] WHIT_FLASH = "Allow: POST, PUT\r\nContent-Length: 0\r\n\r\n";

const struct text text_version WHIT_FLASH = {octets_version, 0x1a07, sizeof octets_version - 1};
const struct text text_close WHIT_FLASH = {octets_close, 0x7726, sizeof octets_close - 1};
const struct text text_empty WHIT_FLASH = {octets_empty, 0x38ef, sizeof octets_empty - 1};
const struct text text_chunked WHIT_FLASH = {octets_chunked, 0xe12b, sizeof octets_chunked - 1};
const struct text text_blank WHIT_FLASH = {octets_blank, 0x0d0a, sizeof octets_blank - 1};
const struct text text_allow_get WHIT_FLASH = {octets_allow_get, 0x8654, sizeof octets_allow_get - 1};
const struct text text_allow_post WHIT_FLASH = {octets_allow_post, 0xa483, sizeof octets_allow_post - 1};
