// SPDX-License-Identifier: MIT
// Characters, times and octets of services as texts.
#include <string.h>

#include "limits.h"
#include "tables.h"
#include "texts.h"
#include "whit/port.h"

#define DAY_S UINT32_C(86400)
#define DAYS_TO_1970 UINT32_C(719468)    // from the first of March of the year 0
#define DAYS_OF_400_YEARS UINT32_C(146097)

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

// Days from 1970 to a day of a month: years that begin in March have the leap day at their end.
static uint32_t days_of(uint16_t year, uint8_t month, uint8_t day)
{
    year = (uint16_t)(year - (month < 3));
    uint16_t in_year = (uint16_t)((153 * (month + (month < 3 ? 9 : -3)) + 2) / 5 + day - 1);
    return UINT32_C(365) * year + year / 4 - year / 100 + year / 400 + in_year - DAYS_TO_1970;
}

static uint8_t days_of_month(uint16_t year, uint8_t month)
{
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month == 2)
        return leap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Minutes that local time is ahead of UTC, from "Z" or "+01:00" on; false: it is neither.
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

bool time_read(const uint8_t *text, uint8_t len, uint32_t *unix_s)
{
    static const char marks[] WHIT_FLASH = "--T::";    // behind year, month, day, hour, minute
    if (len < TIME_LEN || two_digits(text) == 255)
        return false;
    uint8_t parts[6];    // year of its century, month, day, hour, minute, second
    for (uint8_t i = 0; i < 6; i++) {
        const uint8_t *at = text + 2 + 3 * i;
        parts[i] = two_digits(at);
        uint8_t mark = i == 2 ? at[2] & 0xdf : at[2];    // "t" as well
        if (parts[i] == 255 || (i < 5 && mark != whit_flash_u8((const uint8_t *)&marks[i])))
            return false;
    }
    uint8_t at = TIME_LEN - 1;
    if (text[at] == '.') {    // parts of a second are left out
        do {
            at++;
        } while (at < len && (uint8_t)(text[at] - '0') <= 9);
        if (at == TIME_LEN)
            return false;
    }
    uint16_t year = (uint16_t)(two_digits(text) * 100 + parts[0]);
    int16_t ahead;
    if (at == len || !offset_of(text + at, (uint8_t)(len - at), &ahead) || year < 1970 || year > 2105)
        return false;
    if ((uint8_t)(parts[1] - 1) > 11 || parts[2] == 0 || parts[2] > days_of_month(year, parts[1]) || parts[3] > 23 || parts[4] > 59 ||
        parts[5] > 60)    // a leap second
        return false;
    uint32_t seconds = (parts[3] * UINT32_C(60) + parts[4]) * 60 + parts[5], days = days_of(year, parts[1], parts[2]);
    *unix_s = days * DAY_S + seconds - (uint32_t)((int32_t)ahead * 60);
    return days != 0 || (int32_t)seconds >= (int32_t)ahead * 60;    // not before 1970
}

static void put_two(char *to, uint8_t number)
{
    to[0] = (char)('0' + number / 10);
    to[1] = (char)('0' + number % 10);
}

void time_write(char *to, uint32_t unix_s)
{
    uint32_t second = unix_s % DAY_S, day = unix_s / DAY_S + DAYS_TO_1970;
    uint32_t of_400 = day % DAYS_OF_400_YEARS;
    uint32_t year = (of_400 - of_400 / 1460 + of_400 / 36524 - of_400 / 146096) / 365;
    uint16_t in_year = (uint16_t)(of_400 - (365 * year + year / 4 - year / 100));
    uint8_t month = (uint8_t)((5 * in_year + 2) / 153);    // from March on
    year += day / DAYS_OF_400_YEARS * 400 + (month > 9);
    static const char form[] WHIT_FLASH = "0000-00-00T00:00:00Z";
    whit_flash_copy(to, form, TIME_LEN);
    put_two(to, (uint8_t)(year / 100));
    put_two(to + 2, (uint8_t)(year % 100));
    put_two(to + 5, (uint8_t)(month < 10 ? month + 3 : month - 9));
    put_two(to + 8, (uint8_t)(in_year - (153 * month + 2) / 5 + 1));
    put_two(to + 11, (uint8_t)(second / 3600));
    put_two(to + 14, (uint8_t)(second / 60 % 60));
    put_two(to + 17, (uint8_t)(second % 60));
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

// The octets come to stand one octet behind the place of their number: never before they are read.
bool base64_read(uint8_t *text, uint8_t len)
{
    uint8_t octet_cnt = 0;
    if (len % 4 != 0)
        return false;
    for (uint8_t at = 0; at < len; at += 4) {
        uint8_t pad = text[at + 3] != '=' ? 0 : text[at + 2] != '=' ? 1 : 2;
        uint32_t bits = 0;
        if (pad != 0 && at + 4 != len)
            return false;
        for (uint8_t i = 0; i < 4; i++) {
            uint8_t value = i < 4 - pad ? sextet(text[at + i]) : 0;
            if (value > 63)
                return false;
            bits = bits << 6 | value;
        }
        if ((bits & ((UINT32_C(1) << 8 * pad) - 1)) != 0)
            return false;    // what pads is 0
        for (uint8_t i = 0; i < 3 - pad; i++)
            text[1 + octet_cnt++] = (uint8_t)(bits >> (16 - 8 * i));
    }
    text[0] = octet_cnt;
    return true;
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

// A group's bits wait in the state, not in `to`: what a spoilt segment writes there must lie behind what counts.
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
        return false;    // what pads is 0
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
