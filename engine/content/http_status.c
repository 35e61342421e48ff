// SPDX-License-Identifier: MIT
// The fixed octets of heads. Their sums stand beside them so that a device never adds them up; a test does. Where flash is
// scarce, a status is its number alone: machines do not read reason phrases (RFC 9112 section 4), and each takes some twenty octets.
#include "status.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "whit/port.h"

#if WHIT_HAS_PAGES
#define CODE(number, sum, phrase, phrase_sum) {number " " phrase "\r\n", phrase_sum, sizeof number + sizeof phrase + 1}
#else
#define CODE(number, sum, phrase, phrase_sum) {number " \r\n", sum}
#endif
const struct code status_codes[] WHIT_FLASH = {
    [HTTP_200] = CODE("200", 0x6f5a, "OK", 0xbea5),
    [HTTP_304] = CODE("304", 0x745a, "Not Modified", 0xb490),
    [HTTP_400] = CODE("400", 0x715a, "Bad Request", 0xb22d),
    [HTTP_404] = CODE("404", 0x755a, "Not Found", 0x54cb),
    [HTTP_408] = CODE("408", 0x795a, "Request Timeout", 0xb910),
    [HTTP_412] = CODE("412", 0x735b, "Precondition Failed", 0x2ff9),
    [HTTP_413] = CODE("413", 0x745b, "Content Too Large", 0xe429),
    [HTTP_414] = CODE("414", 0x755b, "URI Too Long", 0x9234),
    [HTTP_431] = CODE("431", 0x725d, "Request Header Fields Too Large", 0x6c94),
    [HTTP_501] = CODE("501", 0x735a, "Not Implemented", 0x9008),
    [HTTP_505] = CODE("505", 0x775a, "HTTP Version Not Supported", 0xea6d),
#if WHIT_HAS_GENERATORS || WHIT_HAS_STORED
    [HTTP_500] = CODE("500", 0x725a, "Internal Server Error", 0x9939),
    [HTTP_503] = CODE("503", 0x755a, "Service Unavailable", 0x52d9),
#endif
#if WHIT_HAS_BODY
    [HTTP_100] = CODE("100", 0x6e5a, "Continue", 0xff11),
    [HTTP_415] = CODE("415", 0x765b, "Unsupported Media Type", 0xcf75),
    [HTTP_405] = CODE("405", 0x765a, "Method Not Allowed", 0x98d8),
    [HTTP_405_POST] = CODE("405", 0x765a, "Method Not Allowed", 0x98d8),
#endif
#if REDIRECTS
    [HTTP_308] = CODE("308", 0x785a, "Permanent Redirect", 0x02d3),
#endif
};

static const uint8_t octets_version[] WHIT_FLASH = "HTTP/1.1 ";
static const uint8_t octets_close[] WHIT_FLASH = "Connection: close\r\n";
static const uint8_t octets_keep_alive[] WHIT_FLASH = WHIT_KEEP_ALIVE_LINES;
static const uint8_t octets_empty[] WHIT_FLASH = "Content-Length: 0\r\n\r\n";
static const uint8_t octets_chunked[] WHIT_FLASH = "Transfer-Encoding: chunked\r\n\r\n";
static const uint8_t octets_blank[] WHIT_FLASH = "\r\n";
static const uint8_t octets_location[] WHIT_FLASH = "Location: https://";
static const uint8_t octets_allow_get[] WHIT_FLASH = "Allow: GET, HEAD\r\nContent-Length: 0\r\n\r\n";
static const uint8_t octets_allow_post[] WHIT_FLASH = "Allow: POST, PUT\r\nContent-Length: 0\r\n\r\n";
_Static_assert(sizeof octets_version - 1 == VERSION_LEN, "status.h");
_Static_assert(sizeof octets_close - 1 == CLOSE_LEN, "status.h");
_Static_assert(KEEP_ALIVE_LEN <= WHIT_PIECE_MAX, "it is sent whole");
_Static_assert(sizeof octets_empty - 1 == EMPTY_LEN, "status.h");

const struct text text_version WHIT_FLASH = {octets_version, 0x1a07, sizeof octets_version - 1};
const struct text text_close WHIT_FLASH = {octets_close, 0x7726, sizeof octets_close - 1};
const struct text text_keep_alive WHIT_FLASH = {octets_keep_alive, WHIT_KEEP_ALIVE_SUM, KEEP_ALIVE_LEN};
const struct text text_empty WHIT_FLASH = {octets_empty, 0x38ef, sizeof octets_empty - 1};
const struct text text_chunked WHIT_FLASH = {octets_chunked, 0xe12b, sizeof octets_chunked - 1};
const struct text text_blank WHIT_FLASH = {octets_blank, 0x0d0a, sizeof octets_blank - 1};
const struct text text_location WHIT_FLASH = {octets_location, 0x4d17, sizeof octets_location - 1};
const struct text text_allow_get WHIT_FLASH = {octets_allow_get, 0x8654, sizeof octets_allow_get - 1};
const struct text text_allow_post WHIT_FLASH = {octets_allow_post, 0xa483, sizeof octets_allow_post - 1};
