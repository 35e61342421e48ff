// SPDX-License-Identifier: MIT
// Columns in page templates: as numbers, as truth, and written into a page. Rows are values of another machine: nothing of them is
// trusted to be what a statement asked for.
#include <stddef.h>

#include "whit/port.h"
#include "whit/row.h"

#define REAL_MAX 24       // octets of a number with a fraction
#define DECIMALS 6        // digits of a fraction, zeros at its end left out
#define REAL_PLAIN 1e15   // from here on, with an exponent

static struct query_value value_of(const struct whit_query *query, uint8_t column)
{
    struct query_value value;
    if (!query_column(query, column, &value))
        value = (struct query_value){.type = QUERY_NULL};
    return value;
}

// What does not fit is the greatest number there is, or the least.
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

static int64_t int_of_real(double real)
{
    return real >= -9.2e18 && real <= 9.2e18 ? (int64_t)real : 0;
}

int64_t whit_column_int(const struct whit_query *query, uint8_t column)
{
    struct query_value value = value_of(query, column);
    switch (value.type) {
    case QUERY_INT: return value.integer;
    case QUERY_UINT: return value.unsigned_integer <= INT64_MAX ? (int64_t)value.unsigned_integer : INT64_MAX;
    case QUERY_REAL: return int_of_real(value.real);
    case QUERY_TEXT: return int_of_text(value.text, value.len);
    default: return 0;
    }
}

bool whit_column_true(const struct whit_query *query, uint8_t column)
{
    struct query_value value = value_of(query, column);
    switch (value.type) {
    case QUERY_INT: return value.integer != 0;
    case QUERY_UINT: return value.unsigned_integer != 0;
    case QUERY_REAL: return value.real < 0 || value.real > 0;
    case QUERY_TEXT: return value.len != 0;
    default: return false;
    }
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

// With six digits after the point at most; an exponent where it would be longer than sixteen digits.
static uint8_t real_text(char *to, double real)
{
    uint8_t len = 0;
    uint16_t exponent = 0;
    if (!(real >= -1.7e308 && real <= 1.7e308))
        return 0;    // which no database has
    if (real < 0) {
        to[len++] = '-';
        real = -real;
    }
    for (bool is_long = real >= REAL_PLAIN; is_long && real >= 10; real /= 10)
        exponent++;
    uint64_t whole = (uint64_t)real;
    uint32_t part = (uint32_t)((real - (double)whole) * 1e6 + 0.5);
    if (part >= 1000000u) {
        part -= 1000000u;
        whole++;
    }
    len = (uint8_t)(len + digits(to + len, whole));
    if (part != 0)
        to[len++] = '.';
    for (uint32_t weight = 100000u; part != 0; part %= weight, weight /= 10)
        to[len++] = (char)('0' + part / weight);
    if (exponent != 0) {
        to[len++] = 'e';
        len = (uint8_t)(len + digits(to + len, exponent));
    }
    return len;
}

bool whit_pt_column(struct whit_pt *pt, const struct whit_query *query, uint8_t column, enum whit_escape escape)
{
    struct query_value value = value_of(query, column);
    char text[REAL_MAX];
    switch (value.type) {
    case QUERY_INT: return whit_pt_number(value.integer);
    case QUERY_UINT: return whit_pt_mem(pt, text, digits(text, value.unsigned_integer));
    case QUERY_REAL: return whit_pt_mem(pt, text, real_text(text, value.real));
    case QUERY_TEXT: return whit_pt_escaped_mem(pt, value.text, value.len, escape);
    default: return whit_pt_mem(pt, "null", escape == WHIT_ESCAPE_JSON ? 4 : 0);
    }
}
