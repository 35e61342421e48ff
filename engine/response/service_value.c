// SPDX-License-Identifier: MIT
// A single value of a service's result: in JSON (RFC 8259), as text, or in XML (XML Schema 1.1 part 2). XML uses
// canonical forms, except for decimals, whose digits are all written.
#include <string.h>

#include "internal.h"
#include "response.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/text.h"
#include "../wss/wss.h"
#include "whit/app.h"
#include "whit/port.h"
#include "whit/service.h"

void say(const char *octets)
{
    out_flash(octets);
}

const char *service_nth(const char *texts, uint8_t index)
{
    while (index != 0)
        index = (uint8_t)(index - (whit_flash_u8((const uint8_t *)texts++) == 0));
    return texts;
}

#if WHIT_HAS_SIGNATURE
void say_uri(uint8_t uri, uint8_t most)
{
    struct wss_uri text = wss_uri_text(uri);
    for (uint8_t c; most != 0 && (c = wss_uri_octet(&text)) != 0; most--)
        out_c((char)c);
}
#endif

// Writes a character of a text in XML (section 2.4). Characters that XML does not have become U+FFFD.
static void say_xml_character(uint8_t c)
{
    static const char special[] WHIT_FLASH = "&<>\r", escaped[] WHIT_FLASH = "&amp;\0&lt;\0&gt;\0&#xD;";
    for (uint8_t i = 0; i < sizeof special - 1; i++)
        if (c == whit_flash_u8((const uint8_t *)&special[i])) {
            say(service_nth(escaped, i));
            return;
        }
    if (c < ' ' && c != '\t' && c != '\n')
        SAY("\xef\xbf\xbd");
    else
        out_c((char)c);
}

// A character of a JSON string (section 7).
void say_character(uint8_t c)
{
    if (AS_XML) {
        say_xml_character(c);
        return;
    }
    if (c < ' ') {
        SAY("\\u00");
        out_c((char)('0' + (c >> 4)));
        c &= 0xf;
        c = (uint8_t)(c < 10 ? '0' + c : 'a' - 10 + c);
    } else if (c == '"' || c == '\\') {
        out_c('\\');
    }
    out_c((char)c);
}

// Writes a text. Octets of UTF-8 beyond ASCII are unchanged; other octets become U+FFFD, and so do U+FFFE and U+FFFF in
// XML.
static void say_text(const char *string, uint16_t max)
{
    const uint8_t *from = (const uint8_t *)string;
    uint8_t len;
    for (; max != 0 && *from != 0; from += len, max = (uint16_t)(max - len)) {
        len = utf8_len(from, max);
        if (len == 1) {
            say_character(*from);
        } else if (len == 0 || (AS_XML && len == 3 && from[0] == 0xef && from[1] == 0xbf && from[2] >= 0xbe)) {
            SAY("\xef\xbf\xbd");
            len = len != 0 ? len : 1;
        } else {
            out_mem(from, len);
        }
    }
}

void out_json(const char *string, uint16_t max)
{
    out_c('"');
    say_text(string, max);
    out_c('"');
}

void out_json_at(uint16_t address, uint8_t max)
{
    uint8_t octet;
    out_c('"');
    for (; max != 0 && whit_port_persistent_read(address, &octet, 1) && octet != 0; max--, address++)
        say_character(octet);
    out_c('"');
}

static void say_string(const char *string, uint16_t max)
{
    if (AS_XML) {
        say_text(string, max);
        return;
    }
    if (!AS_TEXT) {
        out_json(string, max);
        return;
    }
    for (; max != 0 && *string != 0; max--)
        out_c(*string++);
}

void say_number(uint32_t number, uint8_t scale)
{
    char reversed[12];
    uint8_t cnt = 0;
    do {
        if (WHIT_HAS_SCALE && cnt == scale && cnt != 0)
            reversed[cnt++] = '.';
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0 || (WHIT_HAS_SCALE && scale != 0 && cnt <= scale + 1));
    while (cnt != 0)
        out_c(reversed[--cnt]);
}

static void say_integer(const uint8_t *at, uint8_t type, uint8_t size, uint8_t scale)
{
    int32_t number = (int8_t)*at;
    if (size == 2) {
        int16_t as16;
        memcpy(&as16, at, sizeof as16);
        number = as16;
    } else if (size == 4) {
        memcpy(&number, at, sizeof number);
    }
    if (type <= WHIT_UINT32) {
        say_number((uint32_t)number & UINT32_C(0xffffffff) >> (32 - 8 * size), scale);
        return;
    }
    if (number < 0)
        out_c('-');
    say_number(number < 0 ? UINT32_C(0) - (uint32_t)number : (uint32_t)number, scale);
}

static void say_quote(void)
{
    if (IN_JSON)
        out_c('"');
}

// Writes a word, or null for a number without one.
static void say_word(const char *words, uint8_t word_cnt, uint8_t word)
{
    if (word >= word_cnt) {
        SAY("null");
        return;
    }
    say_quote();
    say(service_nth(words, word));
    say_quote();
}

// Writes octets in base64.
static void say_groups(const uint8_t *at, uint8_t left)
{
    while (left != 0) {
        char four[4];
        uint8_t now = left < 3 ? left : 3;
        base64_write(four, at, now);
        out_mem(four, sizeof four);
        at += now;
        left = (uint8_t)(left - now);
    }
}

static void say_base64(const uint8_t *at, uint8_t size)
{
    say_quote();
    say_groups(at + 1, *at < size ? *at : size);
    say_quote();
}

// The functions that give values while an answer is written in pieces, and their arguments.
static struct {
    const struct whit_service *service;
    struct args_t *args;
    bool failed;
} giving;

void service_giving(const struct whit_service *service, struct args_t *args)
{
    giving.service = service;
    giving.args = args;
    giving.failed = false;
}

bool service_gave(void)
{
    return !giving.failed;
}

// Writes a value that a function gives. Its length is known, so only the wanted octets are requested.
static void say_given(uint8_t place, const uint8_t *at)
{
    struct whit_out *out = whit_out;
    uint32_t len, from = 0;
    memcpy(&len, at, sizeof len);
    say_quote();
    if (out->len < out->from) {
        from = (uint32_t)(out->from - out->len) / 4 * 3;
        from = from < len ? from : (len + 2) / 3 * 3;
        out->len = (whit_position)(out->len + from / 3 * 4);
    }
    for (whit_position end = (whit_position)(out->from + out->room); from < len && out->len < end;) {
        uint8_t octets[WHIT_PIECE], cnt = len - from < sizeof octets ? (uint8_t)(len - from) : sizeof octets;
        giving.failed = giving.failed || !service_give(giving.service, place)(giving.args, from, octets, cnt);
        if (giving.failed)
            return;
        say_groups(octets, cnt);
        from += cnt;
    }
    if (from < len)
        out->len = (whit_position)(out->len + (len - from + 2) / 3 * 4);
    say_quote();
}

static void say_time(const uint8_t *at)
{
    char octets[TIME_LEN];
    uint32_t unix_s;
    memcpy(&unix_s, at, sizeof unix_s);
    time_write(octets, unix_s);
    say_quote();
    out_mem(octets, sizeof octets);
    say_quote();
}

void say_value(const struct whit_value *value, const uint8_t *at)
{
    uint8_t type = whit_flash_u8(&value->type), size = whit_flash_u8(&value->size),
            scale = whit_flash_u8(&value->scale);
    if (WHIT_HAS_TEXTS && type == WHIT_STR)
        say_string((const char *)at, size);
    else if (WHIT_HAS_WORDS && type == WHIT_ENUM)
        say_word(whit_flash_ptr(&value->more), scale, *at);
    else if (WHIT_HAS_TIMES && type == WHIT_TIME)
        say_time(at);
    else if (WHIT_HAS_BASE64 && type == WHIT_BASE64)
        say_base64(at, size);
    else if (WHIT_HAS_GIVES && type == WHIT_PIECES)
        say_given(scale, at);
    else if (type != WHIT_BOOL)
        say_integer(at, type, size, scale);
    else if (*at != 0)
        SAY("true");
    else
        SAY("false");
}
