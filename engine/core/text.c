// SPDX-License-Identifier: MIT
// Characters, times and octets of services as texts.
#include <stddef.h>
#include <string.h>

#include "grammar.h"
#include "limits.h"
#include "tables.h"
#include "text.h"
#include "whit/port.h"

#define DAY_S UINT32_C(86400)
// Days of years from 1969 to 2106; 2100 is the only fourth year without a leap day. The years begin in March.
#define DAYS_TO_1970 UINT32_C(719483)
#define DAYS_FROM_1968 UINT32_C(671)    // to 1970
#define DAYS_TO_2100 UINT32_C(47541)    // from 1970, to its March

uint8_t utf8_write(uint8_t *to, uint32_t code)
{
    uint8_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (uint8_t i = len; i-- > 1; code >>= 6)
        to[i] = (uint8_t)(0x80 | (code & 0x3f));
    to[0] = (uint8_t)((len == 1 ? 0 : 0xf00u >> len) | code);
    return len;
}

// ------------------------------------------------------------------------------------------------ times (RFC 3339)

// Two digits at `text`; 255: others.
static uint8_t two_digits(const uint8_t *text)
{
    uint8_t high = (uint8_t)(text[0] - '0'), low = (uint8_t)(text[1] - '0');
    return high <= 9 && low <= 9 ? (uint8_t)(10 * high + low) : 255;
}

// Days from 1970 to a day of a month: a leap day is the last one of a year. The month behind December is the 13th.
static uint32_t days_of(uint16_t year, uint8_t month, uint8_t day)
{
    year = (uint16_t)(year - (month < 3));
    uint16_t in_year = (uint16_t)((153 * (month + (month < 3 ? 9 : -3)) + 2) / 5 + day - 1);
    return UINT32_C(365) * year + year / 4 - (year >= 2100) + in_year - DAYS_TO_1970;
}

// Reads the minutes that local time is ahead of UTC, from "Z" or "+01:00" on; false: neither.
static bool offset_of(const uint8_t *text, uint8_t len, int16_t *minutes)
{
    *minutes = 0;
    if (len == 1)
        return (text[0] | 0x20) == 'z';
    if (len != 6 || text[3] != ':' || (text[0] != '+' && text[0] != '-'))
        return false;
    uint8_t hour = two_digits(text + 1), minute = two_digits(text + 4);
    int16_t all = (int16_t)(hour * 60 + minute);
    *minutes = text[0] == '+' ? all : (int16_t)-all;
    return hour < 24 && minute < 60;
}

// True if a leap second may end the day before this one, which is counted from 1970. It may in UTC, in June and in
// December (RFC 3339 section 5.7).
static bool may_leap(uint16_t year, uint32_t days)
{
    return days == days_of(year, 1, 1) || days == days_of(year, 7, 1) || days == days_of(year, 13, 1);
}

bool time_read(const uint8_t *text, uint8_t len, uint32_t *unix_s)
{
    enum { CENTURY, YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, PARTS };
    static const uint8_t most[PARTS] WHIT_FLASH = {99, 99, 12, 31, 23, 59, 60 /* a leap second */};
    static const char marks[] WHIT_FLASH = "--T::";    // before month, day, hour, minute, second
    const uint8_t *at = text, *end = text + len;
    uint8_t parts[PARTS];
    int16_t ahead;
    if (len < TIME_LEN)
        return false;
    for (uint8_t i = 0; i < PARTS; i++, at += 2) {
        if (i >= MONTH) {
            uint8_t mark = *at++;
            if ((i == HOUR ? mark & 0xdf : mark) != whit_flash_u8((const uint8_t *)&marks[i - MONTH]))    // "t" as well
                return false;
        }
        parts[i] = two_digits(at);
        if (parts[i] > whit_flash_u8(&most[i]))
            return false;
    }
    if (*at == '.') {    // parts of a second are left out
        do {
            at++;
        } while (at != end && (uint8_t)(*at - '0') <= 9);
        if (at[-1] == '.')
            return false;
    }
    uint16_t year = (uint16_t)(parts[CENTURY] * 100 + parts[YEAR]);
    uint8_t month = parts[MONTH];
    if (at == end || !offset_of(at, (uint8_t)(end - at), &ahead) || year < 1970 || year > 2105 || month == 0 ||
        parts[DAY] == 0)
        return false;
    uint32_t seconds = (parts[HOUR] * UINT32_C(60) + parts[MINUTE]) * 60 + parts[SECOND],
             days = days_of(year, month, parts[DAY]);
    if (days >= days_of(year, (uint8_t)(month + 1), 1))
        return false;
    *unix_s = days * DAY_S + seconds - (uint32_t)((int32_t)ahead * 60);
    if (parts[SECOND] == 60 && (*unix_s % DAY_S != 0 || !may_leap(year, *unix_s / DAY_S)))
        return false;
    return days != 0 || (int32_t)seconds >= (int32_t)ahead * 60;    // not before 1970
}

void time_write(char *to, uint32_t unix_s)
{
    static const char form[] WHIT_FLASH = "0000-00-00T00:00:00Z";
    uint32_t second = unix_s % DAY_S, day = unix_s / DAY_S;
    day += DAYS_FROM_1968 + (day >= DAYS_TO_2100);
    uint16_t year = (uint16_t)((4 * day + 3) / 1461), in_year = (uint16_t)(day - year * UINT32_C(1461) / 4);
    uint8_t month = (uint8_t)((5 * in_year + 2) / 153);    // from March on
    year = (uint16_t)(year + 1968 + (month > 9));
    uint8_t parts[] = {
        (uint8_t)(year / 100),
        (uint8_t)(year % 100),
        (uint8_t)(month < 10 ? month + 3 : month - 9),
        (uint8_t)(in_year - (153 * month + 2) / 5 + 1),
        (uint8_t)(second / 3600),
        (uint8_t)(second / 60 % 60),
        (uint8_t)(second % 60),
    };
    whit_flash_copy(to, form, TIME_LEN);
    for (uint8_t i = 0; i < sizeof parts; i++) {
        to[0] = (char)('0' + parts[i] / 10);
        to[1] = (char)('0' + parts[i] % 10);
        to += i == 0 ? 2 : 3;
    }
}

// ------------------------------------------------------------------------------------------------ base64 (RFC 4648)

// The value of a character; 64: not of the alphabet.
static uint8_t sextet(uint8_t c)
{
    if ((uint8_t)(c - 'A') < 26)
        return (uint8_t)(c - 'A');
    if ((uint8_t)(c - 'a') < 26)
        return (uint8_t)(c - 'a' + 26);
    if ((uint8_t)(c - '0') < 10)
        return (uint8_t)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

// Writes the octets one place behind their number: never before they are read.
bool base64_read(uint8_t *text, uint8_t len)
{
    uint8_t octet_cnt = 0, end = len, waiting = 0;    // bits that are of no octet yet
    uint32_t bits = 0;
    while (end != 0 && len - end < 2 && text[end - 1] == '=')
        end--;
    for (uint8_t at = 0; at != end; at++) {
        uint8_t value = sextet(text[at]);
        if (value > 63)
            return false;
        bits = bits << 6 | value;
        waiting = (uint8_t)(waiting + 6);
        if (waiting < 8)
            continue;
        waiting = (uint8_t)(waiting - 8);
        text[1 + octet_cnt++] = (uint8_t)(bits >> waiting);
    }
    text[0] = octet_cnt;
    return len % 4 == 0 && (bits & ((1u << waiting) - 1)) == 0;    // padding is 0
}

bool text_fits(uint8_t kind, uint8_t *text, uint8_t len)
{
    uint8_t taken;
    uint32_t unix_s;
    if (WHIT_HAS_TIMES && kind == WHIT_TEXT_TIME) {
        if (len >= TIME_ROOM || !time_read(text, len, &unix_s))
            return false;
        memcpy(text + TIME_ROOM, &unix_s, sizeof unix_s);
        return true;
    }
    for (; WHIT_HAS_UTF8 && kind == WHIT_TEXT_UTF8 && *text != 0; text += taken)
        if ((taken = utf8_len(text, UINT16_MAX)) == 0)
            return false;
    return true;
}

// A group's bits wait in the state, not in `to`. Octets of a segment with a wrong checksum must be written behind the
// valid ones only.
bool base64_take(uint8_t *to, uint8_t size, uint32_t *state, uint8_t c)
{
    uint8_t octet_cnt = (uint8_t)*state, waiting = (uint8_t)(*state >> 8 & 3), pad = (uint8_t)(*state >> 10 & 1);
    bool pads = c == '=' && waiting > 1;
    uint8_t value = pads ? 0 : sextet(c);
    if (octet_cnt + 4 >= size || octet_cnt % 3 != 0 || value > 63 || (pad != 0 && !pads))
        return false;    // no room, it was padded, or not of the alphabet
    uint32_t bits = *state >> 11 << 6 | value;
    if (waiting != 3) {
        *state = bits << 11 | (uint32_t)(pad | pads) << 10 | (uint32_t)(waiting + 1) << 8 | octet_cnt;
        return true;
    }
    pad = (uint8_t)(pad + pads);
    if ((bits & ((UINT32_C(1) << 8 * pad) - 1)) != 0)
        return false;    // padding is 0
    for (uint8_t i = 0; i < 3 - pad; i++)
        to[1 + octet_cnt + i] = (uint8_t)(bits >> (16 - 8 * i));
    *state = (uint8_t)(octet_cnt + 3 - pad);
    return true;
}

void base64_write(char *to, const uint8_t *octets, uint8_t len)
{
    static const char alphabet[] WHIT_FLASH = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)octets[0] << 16 | (uint32_t)(len > 1 ? octets[1] : 0) << 8 | (len > 2 ? octets[2] : 0);
    for (uint8_t i = 0; i < 4; i++, bits <<= 6)
        to[i] = i <= len ? (char)whit_flash_u8((const uint8_t *)&alphabet[bits >> 18 & 63]) : '=';
}

// -------------------------------------------------------------------------------- automata of the application compiler

// The automata that the application compiler writes (tables.h), one character at a time.

__attribute__((noinline)) bool in_class(uint8_t class, uint8_t c)
{
    uint8_t set = c == '\t' ? SET_TAB : c < ' ' ? SET_CONTROL : SET_HIGH;
    if ((uint8_t)(c - ' ') < GRAMMAR_SETS)
        set = whit_flash_u8(&whit_words[c - ' ']);
    return (set << 1 >> class & 1) != 0;
}

// Returns the node behind the alternative that begins with c; NULL: no alternative does.
static const uint8_t *automaton_next(const uint8_t *list, uint8_t c)
{
    for (;;) {    // the compiler's lists end with an alternative marked LAST
        uint8_t label = whit_flash_u8(list++), one = label & (LAST - 1);
        bool is_last = label != one;
        uint16_t skip = is_last ? 0 : whit_flash_u8(list++);
        if (skip >= 0x80)
            skip = (uint16_t)((skip & 0x7f) << 8 | whit_flash_u8(list++));
        if (one == c || (one != 0 && one < CLASS_CNT && in_class(one, c)))
            return list;
        if (is_last)
            return NULL;
        list += skip;
    }
}

uint16_t automaton_step(const uint8_t *automaton, uint16_t node, uint8_t c)
{
    const uint8_t *next = node == NODE_NONE ? NULL : automaton_next(automaton + node, c);
    return next == NULL ? NODE_NONE : (uint16_t)(next - automaton);
}

uint16_t automaton_value(const uint8_t *automaton, uint16_t node)
{
    node = automaton_step(automaton, node, 0);
    if (node == NODE_NONE)
        return NODE_NONE;
    return (uint16_t)(whit_flash_u8(automaton + node) | (uint16_t)(whit_flash_u8(automaton + node + 1) << 8));
}
