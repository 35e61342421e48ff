// SPDX-License-Identifier: MIT
// The value of a column, found by walking the row: a bit for each column that is NULL, and then the values that are not.
#include <stddef.h>
#include <string.h>

#include "place.h"
#include "wire.h"

#define DATE_TEXT_MAX 27    // octets of "-838:59:59.999999" and the like, and a digit more for what no server sends
#define NULLS_FIRST 2       // bits before that of the first column

enum kind {
    KIND_NONE, KIND_NULL, KIND_INT, KIND_UINT = KIND_INT + 8, KIND_FLOAT = KIND_UINT + 8, KIND_DOUBLE, KIND_TEXT,
    KIND_DATE, KIND_DATETIME, KIND_TIME,    // KIND_INT and KIND_UINT have the octets minus 1 added: 1, 2, 4 or 8
};

uint8_t kind_of(uint8_t type, bool is_unsigned)
{
    uint8_t number = is_unsigned ? KIND_UINT : KIND_INT;
    switch (type) {
    case 1:      // TINY
        return number;
    case 2:      // SHORT
    case 13:     // YEAR
        return (uint8_t)(number + 1);
    case 3:      // LONG
    case 9:      // INT24
        return (uint8_t)(number + 3);
    case 8:      // LONGLONG
        return (uint8_t)(number + 7);
    case 4:
        return KIND_FLOAT;
    case 5:
        return KIND_DOUBLE;
    case 6:
        return KIND_NULL;
    case 7:      // TIMESTAMP
    case 12:
        return KIND_DATETIME;
    case 10:
        return KIND_DATE;
    case 11:
        return KIND_TIME;
    case 0:      // DECIMAL, VARCHAR, BIT, and from JSON to GEOMETRY: text or octets with a length
    case 15:
    case 16:
        return KIND_TEXT;
    default:
        return type >= 245 ? KIND_TEXT : KIND_NONE;
    }
}

static bool is_null(const struct row *row, uint8_t column)
{
    uint16_t bit = (uint16_t)(column + NULLS_FIRST);
    return row->octets[1 + bit / 8] >> bit % 8 & 1;
}

// Moves *at past a value, and says where its octets begin and how many they are. False: they do not end before `end`.
static bool value_at(uint8_t kind, const uint8_t **at, const uint8_t *end, const uint8_t **octets, uint64_t *len)
{
    if (kind >= KIND_INT && kind < KIND_FLOAT)
        *len = (uint64_t)((kind - KIND_INT) % 8 + 1);
    else if (kind == KIND_NULL)
        *len = 0;
    else if (kind == KIND_FLOAT || kind == KIND_DOUBLE)
        *len = kind == KIND_FLOAT ? 4 : 8;
    else if (*at == end || **at == 0xfb || !read_length(at, end, len))
        return false;
    *octets = *at;
    if (*len > (uint64_t)(end - *at))
        return false;
    *at += *len;
    if (kind == KIND_TIME)
        return *len == 0 || *len == 8 || *len == 12;
    if (kind == KIND_DATE || kind == KIND_DATETIME)
        return *len == 0 || *len == 4 || *len == 7 || *len == 11;
    return true;
}

static bool is_date(uint8_t kind)
{
    return kind >= KIND_DATE;
}

// Whether the row ends where its last value ends, with room behind it for the texts of its dates. False: it was dropped.
bool row_holds(struct place *place)
{
    const struct row row = row_of(place);
    const uint8_t *end = row.octets + row.len;
    const uint8_t *at = row.octets + 1 + (row.column_cnt + NULLS_FIRST + 7) / 8;
    uint32_t dates_len = 0;
    bool fits = at <= end;
    for (uint8_t column = 0; fits && column < row.column_cnt; column++) {
        const uint8_t *octets;
        uint64_t len;
        if (is_null(&row, column))
            continue;
        fits = value_at(row.kinds[column], &at, end, &octets, &len);
        if (is_date(row.kinds[column]))
            dates_len += DATE_TEXT_MAX;
    }
    if (!fits || at != end) {
        place_break(place, DATABASE_MALFORMED);
        return false;
    }
    if (dates_len > (uint32_t)(place->row + sizeof place->row - end)) {
        place_break(place, DATABASE_LONG);
        return false;
    }
    return true;
}

static char *write_digits(char *to, uint32_t number, uint8_t digits)
{
    for (uint8_t i = digits; i-- > 0; number /= 10)
        to[i] = (char)('0' + number % 10);
    return to + digits;
}

// Hours have two digits or three.
static char *write_clock(char *to, uint32_t hours, const uint8_t *minute_second, const uint8_t *microseconds)
{
    to = write_digits(to, hours, hours < 100 ? 2 : hours < 1000 ? 3 : 10);
    *to++ = ':';
    to = write_digits(to, minute_second[0], 2);
    *to++ = ':';
    to = write_digits(to, minute_second[1], 2);
    if (microseconds == NULL)
        return to;
    *to++ = '.';
    return write_digits(to, (uint32_t)read_uint(microseconds, 4), 6);
}

// As the server itself would write it. What does not stand there is zero.
static uint16_t write_date(uint8_t kind, char *text, const uint8_t *octets, uint8_t len)
{
    static const uint8_t zero[4];
    char *to = text;
    if (kind == KIND_TIME) {    // negative, days, hour, minute, second, microseconds
        if (len > 0 && octets[0] != 0)
            *to++ = '-';
        uint32_t hours = len > 0 ? (uint32_t)read_uint(octets + 1, 4) * 24 + octets[5] : 0;
        return (uint16_t)(write_clock(to, hours, len > 0 ? octets + 6 : zero, len > 8 ? octets + 8 : NULL) - text);
    }
    const uint8_t *day = len > 0 ? octets : zero;
    to = write_digits(to, (uint32_t)read_uint(day, 2), 4);
    *to++ = '-';
    to = write_digits(to, day[2], 2);
    *to++ = '-';
    to = write_digits(to, day[3], 2);
    if (kind == KIND_DATETIME) {
        *to++ = ' ';
        to = write_clock(to, len > 4 ? octets[4] : 0, len > 4 ? octets + 5 : zero, len > 7 ? octets + 7 : NULL);
    }
    return (uint16_t)(to - text);
}

static void number_of(uint8_t kind, const uint8_t *octets, uint8_t len, struct query_value *to)
{
    uint64_t number = read_uint(octets, len);
    if (kind == KIND_FLOAT) {
        uint32_t bits = (uint32_t)number;
        float real;
        memcpy(&real, &bits, sizeof real);
        to->type = QUERY_REAL;
        to->real = (double)real;
    } else if (kind == KIND_DOUBLE) {
        to->type = QUERY_REAL;
        memcpy(&to->real, &number, sizeof to->real);
    } else if (kind >= KIND_UINT) {
        to->type = QUERY_UINT;
        to->unsigned_integer = number;
    } else {    // its sign is its highest bit
        uint64_t sign = (uint64_t)1 << (8 * len - 1);
        to->type = QUERY_INT;
        to->integer = (int64_t)((number ^ sign) - sign);
    }
}

// Octets behind a row for the texts of its dates.
uint16_t row_dates_len(const struct row *row)
{
    uint16_t len = 0;
    for (uint8_t column = 0; column < row->column_cnt; column++) {
        if (is_date(row->kinds[column]) && !is_null(row, column))
            len = (uint16_t)(len + DATE_TEXT_MAX);
    }
    return len;
}

// Of a row that holds.
bool column_of(const struct row *row, uint8_t wanted, struct query_value *to)
{
    if (wanted >= row->column_cnt)
        return false;
    const uint8_t *end = row->octets + row->len;
    const uint8_t *at = row->octets + 1 + (row->column_cnt + NULLS_FIRST + 7) / 8, *octets = at;
    uint8_t *date_text = (uint8_t *)end;
    *to = (struct query_value){.type = QUERY_NULL};
    uint64_t len = 0;
    for (uint8_t column = 0; column <= wanted; column++) {
        if (is_null(row, column)) {
            if (column == wanted)
                return true;
            continue;
        }
        value_at(row->kinds[column], &at, end, &octets, &len);
        if (column < wanted && is_date(row->kinds[column]))
            date_text += DATE_TEXT_MAX;
    }
    uint8_t kind = row->kinds[wanted];
    if (kind == KIND_NULL)
        return true;
    if (kind < KIND_TEXT) {
        number_of(kind, octets, (uint8_t)len, to);
        return true;
    }
    to->type = QUERY_TEXT;
    to->text = (const char *)octets;
    to->len = (uint16_t)len;
    if (is_date(kind)) {
        to->text = (char *)date_text;
        to->len = write_date(kind, (char *)date_text, octets, (uint8_t)len);
    }
    return true;
}
