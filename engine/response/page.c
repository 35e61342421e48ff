// SPDX-License-Identifier: MIT
// Output of page templates (include/whit/page.h): text that cannot become markup or code in its place. A character is
// written whole or not at all, so that a protothread continues after it.
#include <string.h>

#include "response.h"
#include "../core/text.h"
#include "whit/app.h"
#include "whit/page.h"
#include "whit/port.h"

#define ESCAPED_MAX 6    // octets that one character of a text becomes
#define NUMBER_MAX 20    // digits of 64 bits, and the sign

static uint8_t put_text(char *to, const char *from)
{
    uint8_t len = (uint8_t)strlen(from);
    memcpy(to, from, len);
    return len;
}

static uint8_t put_hex(char *to, uint8_t octet, const char *digits)
{
    to[0] = digits[octet >> 4];
    to[1] = digits[octet & 0xf];
    return 2;
}

static uint8_t escape_html(char *to, char octet)
{
    switch (octet) {
    case '&':
        return put_text(to, "&amp;");
    case '<':
        return put_text(to, "&lt;");
    case '>':
        return put_text(to, "&gt;");
    case '"':
        return put_text(to, "&#34;");
    case '\'':
        return put_text(to, "&#39;");
    case '\r':
        return put_text(to, "&#13;");    // a browser takes a plain one for a line feed
    case 0:
        return put_text(to, "\xef\xbf\xbd");
    default:
        to[0] = octet;
        return 1;
    }
}

static uint8_t escape_json(char *to, char octet)
{
    if (octet == '"' || octet == '\\') {
        to[0] = '\\';
        to[1] = octet;
        return 2;
    }
    if ((uint8_t)octet >= ' ' && octet != '<' && octet != '>' && octet != '&') {
        to[0] = octet;
        return 1;
    }
    return (uint8_t)(4 + put_hex(to + put_text(to, "\\u00"), (uint8_t)octet, "0123456789abcdef"));
}

static uint8_t escape_url(char *to, char octet, bool part)
{
    bool plain = (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') || (octet >= '0' && octet <= '9');
    if (!plain && octet == '&' && !part)
        return put_text(to, "&amp;");
    if (plain || (octet != 0 && strchr(part ? "-._~" : "-._~:/?#[]@!$()*+,;=%", octet) != NULL)) {
        to[0] = octet;
        return 1;
    }
    to[0] = '%';
    return (uint8_t)(1 + put_hex(to + 1, (uint8_t)octet, "0123456789ABCDEF"));
}

// Writes the escape of the first character of a text; *taken: its octets in the text.
static uint8_t escape_one(char *to, const uint8_t *text, uint16_t left, enum whit_escape escape, uint8_t *taken)
{
    *taken = 1;
    if (escape == WHIT_ESCAPE_URL || escape == WHIT_ESCAPE_URL_PART)
        return escape_url(to, (char)text[0], escape == WHIT_ESCAPE_URL_PART);
    uint8_t len = utf8_len(text, left);
    if (len == 0)
        return put_text(to, "\xef\xbf\xbd");
    if (len == 1)
        return escape == WHIT_ESCAPE_HTML ? escape_html(to, (char)text[0]) : escape_json(to, (char)text[0]);
    *taken = len;
    if (escape == WHIT_ESCAPE_JSON && len == 3 && text[0] == 0xe2 && text[1] == 0x80 && (text[2] & 0xfe) == 0xa8)
        return put_text(to, text[2] == 0xa8 ? "\\u2028" : "\\u2029");    // these characters end a line of a script
    memcpy(to, text, len);
    return len;
}

static bool is_scheme(const uint8_t *text, uint16_t len, const char *scheme)
{
    for (uint16_t i = 0; i < len; i++)
        if ((text[i] | 0x20) != scheme[i])
            return false;
    return scheme[len] == 0;
}

// True if a URL begins with a known scheme, or has none.
static bool is_url(const uint8_t *text, uint16_t len)
{
    uint16_t at = 0;
    while (at < len && text[at] != 0 && strchr(":/?#", text[at]) == NULL)
        at++;
    if (at == len || text[at] != ':')
        return true;
    return is_scheme(text, at, "http") || is_scheme(text, at, "https") || is_scheme(text, at, "mailto") ||
           is_scheme(text, at, "tel");
}

// A bit for each octet. NUL, CR, " & ' < > have escapes in HTML; the upper half is not a character by itself.
static const uint32_t escaped_by[8] = {0x00002001, 0x500000c4, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};

// Returns the octets at the beginning of a text that need no escape and fit.
static uint16_t plain_len(const uint8_t *text, uint16_t len)
{
    uint16_t at = 0, room = out_room_left();
    len = len < room ? len : room;
    for (; at < len; at++) {
        uint8_t octet = text[at];
        if ((uint8_t)(octet - '?') > 0x7f - '?' && (escaped_by[octet >> 5] >> (octet & 31) & 1) != 0)
            break;
    }
    return at;
}

static bool put_whole(const char *octets, uint8_t len)
{
    if (out_room_left() < len)
        return false;
    out_mem(octets, len);
    return true;
}

bool whit_pt_escaped_mem(struct whit_pt *pt, const void *octets, uint16_t len, enum whit_escape escape)
{
    const uint8_t *text = octets;
    uint16_t quote = escape == WHIT_ESCAPE_JSON ? 1 : 0, end = (uint16_t)(len + 2 * quote);
    if (escape == WHIT_ESCAPE_URL && !is_url(text, len)) {
        text = (const uint8_t *)"#";
        end = 1;
    }
    while (pt->done < end) {    // end of the text and its quotes
        uint16_t plain =
            WHIT_FAST && escape == WHIT_ESCAPE_HTML ? plain_len(text + pt->done, (uint16_t)(end - pt->done)) : 0;
        if (plain != 0) {
            out_mem(text + pt->done, plain);
            pt->done = (uint16_t)(pt->done + plain);
            continue;
        }
        char to[ESCAPED_MAX];
        uint8_t taken = 1, escaped = 1;
        if (quote != 0 && (pt->done == 0 || pt->done == end - 1))
            to[0] = '"';
        else
            escaped = escape_one(to, text + pt->done - quote, (uint16_t)(end - quote - pt->done), escape, &taken);
        if (!put_whole(to, escaped))
            return false;
        pt->done = (uint16_t)(pt->done + taken);
    }
    pt->done = 0;
    return true;
}

bool whit_pt_escaped(struct whit_pt *pt, const char *text, enum whit_escape escape)
{
    return whit_pt_escaped_mem(pt, text, (uint16_t)strlen(text), escape);
}

bool whit_pt_text(struct whit_pt *pt, const void *flash, uint16_t len)
{
    if (WHIT_FAST)    // flash is memory there
        return whit_pt_mem(pt, flash, len);
    for (; pt->done < len; pt->done++)
        if (!whit_pt_c((char)whit_flash_u8((const uint8_t *)flash + pt->done)))
            return false;
    pt->done = 0;
    return true;
}

bool whit_pt_number(int64_t number)
{
    char digits[NUMBER_MAX];
    uint8_t at = NUMBER_MAX;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (number < 0)
        digits[--at] = '-';
    return put_whole(digits + at, (uint8_t)(NUMBER_MAX - at));
}

bool whit_text_is(const char *text, const void *flash)
{
    const uint8_t *other = flash;
    for (;; text++, other++) {
        uint8_t octet = whit_flash_u8(other);
        if ((uint8_t)*text != octet)
            return false;
        if (octet == 0)
            return true;
    }
}

uint16_t whit_text_chars(const char *text)
{
    uint16_t cnt = 0;
    for (; *text != 0; text++)
        cnt = (uint16_t)(cnt + ((*text & 0xc0) != 0x80));
    return cnt;
}
