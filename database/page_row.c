// SPDX-License-Identifier: MIT
// Columns in page templates: as numbers, as truth values, and written into a page. Rows are values of another machine:
// their types are not trusted.
#include <stddef.h>
#include <string.h>

#include "number.h"
#include "whit/port.h"
#include "whit/row.h"

#define SINGLE_DIGITS 6    // digits of a FLOAT, as MariaDB shows it
#define PLAIN_MIN (-14)    // from 0.1e-14 on, and up to 0.1e16, without an exponent
#define PLAIN_MAX 15

static struct query_value value_of(const struct whit_query *query, uint8_t column)
{
    struct query_value value;
    if (!query_column(query, column, &value))
        value = (struct query_value){.type = QUERY_NULL};
    return value;
}

// Returns the number of a text. A number out of range is the greatest one, or the least.
static int64_t int_of_text(const char *text, uint16_t len)
{
    uint64_t number = 0;
    bool minus = len != 0 && text[0] == '-';
    uint64_t greatest = (uint64_t)INT64_MAX + minus;
    for (uint16_t at = minus; at < len && text[at] >= '0' && text[at] <= '9'; at++) {
        uint8_t digit = (uint8_t)(text[at] - '0');
        number = number <= (greatest - digit) / 10 ? 10 * number + digit : greatest;
    }
    return minus ? (int64_t)(0 - number) : (int64_t)number;
}

static uint64_t bits_of(double real)
{
    uint64_t bits = 0;
    uint32_t single;
    if (sizeof real == sizeof bits) {
        memcpy(&bits, &real, sizeof real);
        return bits;
    }
    memcpy(&single, &real, sizeof single);    // AVR: a double is a float
    uint32_t exponent = single >> 23 & 0xff;
    uint64_t wide = exponent == 0 ? 0 : exponent == 0xff ? 0x7ff : exponent + 1023 - 127;
    return (uint64_t)(single >> 31) << 63 | wide << 52 | (uint64_t)(exponent == 0 ? 0 : single & 0x7fffff) << 29;
}

// True if a number has no fraction and 64 bits: those are all its digits, where its shortest form ends with zeros.
static bool number_of_whole(struct number *number, double real)
{
    double amount = real < 0 ? -real : real;
    if (!(amount < 18446744073709551615.0) || (double)(uint64_t)amount != amount)
        return false;
    number_of_int(number, (uint64_t)amount, real < 0);
    return true;
}

// False: it is no number.
static bool number_of(const struct query_value *value, struct number *number)
{
    bool minus = value->type == QUERY_INT && value->integer < 0;
    switch (value->type) {
    case QUERY_INT:
    case QUERY_UINT:
        number_of_int(number, minus ? 0 - value->unsigned_integer : value->unsigned_integer, minus);
        return true;
    case QUERY_REAL:
        return number_of_whole(number, value->real) ||
               number_of_real(number, bits_of(value->real), REAL_DIGITS, QUERY_ANY_DIGITS);
    case QUERY_TEXT:
        return value->is_decimal && number_of_text(number, value->text, value->len);
    default:
        return false;
    }
}

static int64_t int_of_real(double real)
{
    return real >= -9.2e18 && real <= 9.2e18 ? (int64_t)real : 0;
}

int64_t whit_column_int(const struct whit_query *query, uint8_t column)
{
    struct query_value value = value_of(query, column);
    switch (value.type) {
    case QUERY_INT:
        return value.integer;
    case QUERY_UINT:
        return value.unsigned_integer <= INT64_MAX ? (int64_t)value.unsigned_integer : INT64_MAX;
    case QUERY_REAL:
        return int_of_real(value.real);
    case QUERY_TEXT:
        return int_of_text(value.text, value.len);
    default:
        return 0;
    }
}

bool whit_column_true(const struct whit_query *query, uint8_t column)
{
    struct query_value value = value_of(query, column);
    struct number number;
    if (number_of(&value, &number))
        return number.cnt != 0;
    return value.type == QUERY_TEXT && value.len != 0;
}

static bool is_in(int8_t order, enum whit_order wanted)
{
    return (wanted & (order < 0 ? WHIT_LESS : order == 0 ? WHIT_SAME : WHIT_GREATER)) != 0;
}

bool whit_column_order(const struct whit_query *query, uint8_t column, int64_t other, enum whit_order wanted)
{
    struct query_value value = value_of(query, column);
    struct number a, b;
    if (!number_of(&value, &a))
        return (wanted & WHIT_OTHER) != 0;
    number_of_int(&b, other < 0 ? 0 - (uint64_t)other : (uint64_t)other, other < 0);
    return is_in(number_order(&a, &b), wanted);
}

bool whit_columns_order(const struct whit_query *query, uint8_t column, uint8_t other, enum whit_order wanted)
{
    struct query_value value = value_of(query, column), against = value_of(query, other);
    struct number a, b;
    bool is_number = number_of(&value, &a);
    if (number_of(&against, &b) != is_number || value.type == QUERY_NULL || against.type == QUERY_NULL)
        return (wanted & WHIT_OTHER) != 0;
    if (is_number)
        return is_in(number_order(&a, &b), wanted);
    bool same = value.type == QUERY_TEXT && against.type == QUERY_TEXT && value.len == against.len &&
                memcmp(value.text, against.text, value.len) == 0;
    return (wanted & (same ? WHIT_SAME : WHIT_OTHER)) != 0;
}

bool whit_column_none(const struct whit_query *query, uint8_t column)
{
    return value_of(query, column).type == QUERY_NULL;
}

bool whit_column_empty(const struct whit_query *query, uint8_t column)
{
    struct query_value value = value_of(query, column);
    return value.type == QUERY_NULL || (value.type == QUERY_TEXT && value.len == 0);
}

bool whit_column_is(const struct whit_query *query, uint8_t column, const void *flash)
{
    struct query_value value = value_of(query, column);
    const uint8_t *other = flash;
    uint16_t at = 0;
    if (value.type != QUERY_TEXT)
        return false;
    while (at < value.len && whit_flash_u8(other + at) == (uint8_t)value.text[at] && value.text[at] != 0)
        at++;
    return at == value.len && whit_flash_u8(other + at) == 0;
}

uint16_t whit_column_chars(const struct whit_query *query, uint8_t column)
{
    struct query_value value = value_of(query, column);
    uint16_t cnt = 0;
    for (uint16_t at = 0; value.type == QUERY_TEXT && at < value.len; at++)
        cnt = (uint16_t)(cnt + ((value.text[at] & 0xc0) != 0x80));
    return cnt;
}

// ------------------------------------------------------------------------------------------------ writing

static uint8_t digits(char *to, uint64_t number)
{
    char reversed[20];
    uint8_t cnt = 0, len = 0;
    do {
        reversed[cnt++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (cnt != 0)
        to[len++] = reversed[--cnt];
    return len;
}

// A number with a fraction, as the server shows it: one character after the other, so that a column of 255 takes no
// memory.
struct shown {
    struct number number;
    int16_t zeros;          // zeros for ZEROFILL
    int16_t whole, part;    // digits before and behind the point
    int16_t exponent;
    bool has_exponent;
};

static void show(struct shown *shown, uint8_t digits_of_column)
{
    const struct number *number = &shown->number;
    shown->has_exponent = digits_of_column == QUERY_ANY_DIGITS && number->cnt != 0 &&
                          (number->point < PLAIN_MIN || number->point > PLAIN_MAX);
    shown->exponent = (int16_t)(number->point - 1);
    int16_t point = shown->has_exponent ? 1 : number->point;
    shown->whole = point > 0 && number->cnt != 0 ? point : 1;
    shown->part = digits_of_column != QUERY_ANY_DIGITS      ? digits_of_column
                  : number->cnt > point && number->cnt != 0 ? (int16_t)(number->cnt - point)
                                                            : 0;
}

// The digit before (place >= 0) or behind the point.
static char digit_at(const struct shown *shown, int16_t place)
{
    int16_t at = (int16_t)((shown->has_exponent ? 1 : shown->number.point) - 1 - place);
    return at >= 0 && at < shown->number.cnt ? shown->number.digits[at] : '0';
}

static char exponent_at(const struct shown *shown, int16_t at)
{
    char text[5] = "e-";
    uint8_t len = shown->exponent < 0 ? 2 : 1;
    len = (uint8_t)(len + digits(text + len, (uint64_t)(shown->exponent < 0 ? -shown->exponent : shown->exponent)));
    return at < len ? text[at] : 0;
}

// 0: behind its last one.
static char character_at(const struct shown *shown, int16_t at)
{
    if (at < shown->zeros)
        return '0';
    at = (int16_t)(at - shown->zeros);
    if (shown->number.minus && at-- == 0)
        return '-';
    if (at < shown->whole)
        return digit_at(shown, (int16_t)(shown->whole - 1 - at));
    at = (int16_t)(at - shown->whole);
    if (shown->part > 0) {
        if (at == 0)
            return '.';
        if (at <= shown->part)
            return digit_at(shown, (int16_t)-at);
        at = (int16_t)(at - 1 - shown->part);
    }
    return shown->has_exponent ? exponent_at(shown, at) : 0;
}

static bool put_shown(struct whit_pt *pt, struct shown *shown, uint8_t width)
{
    char octet;
    int16_t len = 0;
    while (len < width && character_at(shown, len) != 0)
        len++;
    shown->zeros = (int16_t)(width > len ? width - len : 0);
    for (; (octet = character_at(shown, (int16_t)pt->done)) != 0; pt->done++)
        if (!whit_pt_c(octet))
            return false;
    pt->done = 0;
    return true;
}

// Writes a number without leading zeros in a script, where they would make it another number.
static bool put_number(struct whit_pt *pt, const struct query_value *value, bool is_json)
{
    struct shown shown = {.zeros = 0};
    uint8_t decimals = value->type == QUERY_REAL ? value->digits : 0;
    bool is_number = value->type != QUERY_REAL
                         ? number_of(value, &shown.number)
                         : number_of_real(&shown.number, bits_of(value->real),
                                          value->is_single ? SINGLE_DIGITS : REAL_DIGITS, decimals);
    if (!is_number)    // no database has such a number
        return whit_pt_mem(pt, "null", is_json ? 4 : 0);
    show(&shown, decimals);
    return put_shown(pt, &shown, is_json ? 0 : value->width);
}

static bool put_text(struct whit_pt *pt, const struct query_value *value, enum whit_escape escape)
{
    struct number number;
    uint16_t zeros = 0;
    if (escape != WHIT_ESCAPE_JSON || !value->is_decimal || !number_of_text(&number, value->text, value->len))
        return whit_pt_escaped_mem(pt, value->text, value->len, escape);
    while (zeros + 1 < value->len && value->text[zeros] == '0' && value->text[zeros + 1] != '.')
        zeros++;
    return whit_pt_mem(pt, value->text + zeros, (uint16_t)(value->len - zeros));
}

bool whit_pt_column(struct whit_pt *pt, const struct whit_query *query, uint8_t column, enum whit_escape escape)
{
    struct query_value value = value_of(query, column);
    char text[20];
    bool is_json = escape == WHIT_ESCAPE_JSON, is_filled = value.width != 0 && !is_json;
    switch (value.type) {
    case QUERY_INT:
        return is_filled ? put_number(pt, &value, is_json) : whit_pt_number(value.integer);
    case QUERY_UINT:
        return is_filled ? put_number(pt, &value, is_json)
                         : whit_pt_mem(pt, text, digits(text, value.unsigned_integer));
    case QUERY_REAL:
        return put_number(pt, &value, is_json);
    case QUERY_TEXT:
        return put_text(pt, &value, escape);
    default:
        return whit_pt_mem(pt, "null", is_json ? 4 : 0);
    }
}
