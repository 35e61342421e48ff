// SPDX-License-Identifier: MIT
// The value of a column, found by walking the row: a bit for each column that is NULL, and then the values that are
// not.
#include <stddef.h>
#include <string.h>

#include "place.h"
#include "wire.h"

#define DATE_TEXT_MAX 27    // bytes of "-838:59:59.999999" and the like, and a digit more, which no server sends
#define FLAG_UNSIGNED 0x0020
#define FLAG_ZEROFILL 0x0040
#define FLAG_BINARY 0x0080
#define NULLS_FIRST 2    // bits before that of the first column

#define FRACTION_MAX 6    // digits of a second

// A column has two octets: its kind, and of an integer the width that zeros fill, of others the digits behind the
// point. A FLOAT or DOUBLE with ZEROFILL needs both: KIND_FILLED | FILLED_DOUBLE | digits, and the width.
enum kind {
    KIND_NONE,
    KIND_NULL,
    KIND_INT,
    KIND_UINT = KIND_INT + 8,
    KIND_FLOAT = KIND_UINT + 8,
    KIND_DOUBLE,
    KIND_TEXT,
    KIND_DECIMAL,
    KIND_BIT,
    KIND_DATE,
    KIND_DATETIME,
    KIND_TIME,    // KIND_INT and KIND_UINT have the octets minus 1 added: 1, 2, 4 or 8
    FILLED_DOUBLE = 0x40,
    KIND_FILLED = 0x80,
};

static uint8_t kind_of(uint8_t type, bool is_unsigned)
{
    uint8_t number = is_unsigned ? KIND_UINT : KIND_INT;
    switch (type) {
    case 1:    // TINY
        return number;
    case 2:     // SHORT
    case 13:    // YEAR
        return (uint8_t)(number + 1);
    case 3:    // LONG
    case 9:    // INT24
        return (uint8_t)(number + 3);
    case 8:    // LONGLONG
        return (uint8_t)(number + 7);
    case 4:
        return KIND_FLOAT;
    case 5:
        return KIND_DOUBLE;
    case 6:
        return KIND_NULL;
    case 7:    // TIMESTAMP
    case 12:
        return KIND_DATETIME;
    case 10:
        return KIND_DATE;
    case 11:
        return KIND_TIME;
    case 0:
    case 246:
        return KIND_DECIMAL;
    case 16:
        return KIND_BIT;
    case 15:    // VARCHAR, and from JSON to GEOMETRY: text or octets with a length
        return KIND_TEXT;
    default:
        return type >= 245 ? KIND_TEXT : KIND_NONE;
    }
}

static bool is_int(uint8_t kind)
{
    return kind >= KIND_INT && kind < KIND_FLOAT;
}
static bool is_date(uint8_t kind)
{
    return kind >= KIND_DATE && kind < FILLED_DOUBLE;
}
static uint8_t unfilled(uint8_t kind)
{
    return kind & KIND_FILLED ? kind & FILLED_DOUBLE ? KIND_DOUBLE : KIND_FLOAT : kind;
}

// Writes KIND_LEN octets from the end of a column's definition: length, type, flags, digits. False: no type that we
// know.
bool definition_kind(const uint8_t *end, uint8_t *to)
{
    uint64_t width = read_uint(end + 3, 4);
    uint16_t flags = (uint16_t)read_uint(end + 8, 2);
    uint8_t digits = end[10] > QUERY_ANY_DIGITS ? QUERY_ANY_DIGITS : end[10];
    bool is_filled = (flags & FLAG_ZEROFILL) != 0 && width <= UINT8_MAX;
    to[0] = kind_of(end[7], (flags & FLAG_UNSIGNED) != 0);
    to[1] = digits;
    if (to[0] == KIND_BIT && (flags & FLAG_BINARY) != 0)    // MAX() of a BIT: MariaDB sends its digits
        to[0] = KIND_DECIMAL;
    if (is_int(to[0])) {
        to[1] = is_filled ? (uint8_t)width : 0;
    } else if (is_filled && (to[0] == KIND_FLOAT || to[0] == KIND_DOUBLE)) {
        to[0] = (uint8_t)(KIND_FILLED | (to[0] == KIND_DOUBLE ? FILLED_DOUBLE : 0) | digits);
        to[1] = (uint8_t)width;
    }
    return to[0] != KIND_NONE;
}

static bool is_null(const struct row *row, uint8_t column)
{
    uint16_t bit = (uint16_t)(column + NULLS_FIRST);
    return row->octets[1 + bit / 8] >> bit % 8 & 1;
}

// Moves *at past a value; sets its first octet and its length. False: it does not end before `end`.
static bool value_at(uint8_t kind, const uint8_t **at, const uint8_t *end, const uint8_t **octets, uint64_t *len)
{
    kind = unfilled(kind);
    if (is_int(kind))
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
    if (kind == KIND_BIT)
        return *len >= 1 && *len <= 8;
    if (kind == KIND_TIME)
        return *len == 0 || *len == 8 || *len == 12;
    if (kind == KIND_DATE || kind == KIND_DATETIME)
        return *len == 0 || *len == 4 || *len == 7 || *len == 11;
    return true;
}

// True if the row ends where its last value ends, with room behind it for the texts of its dates. False: it was
// dropped.
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
        fits = value_at(row.kinds[KIND_LEN * column], &at, end, &octets, &len);
        if (is_date(row.kinds[KIND_LEN * column]))
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

// Hours have two digits or three. Microseconds that are 0 are not sent: a column of n digits shows n zeros.
static char *write_clock(char *to, uint32_t hours, const uint8_t *minute_second, const uint8_t *microseconds,
                         uint8_t fraction)
{
    to = write_digits(to, hours, hours < 100 ? 2 : hours < 1000 ? 3 : 10);
    *to++ = ':';
    to = write_digits(to, minute_second[0], 2);
    *to++ = ':';
    to = write_digits(to, minute_second[1], 2);
    if (fraction == 0 || fraction > FRACTION_MAX)
        fraction = microseconds != NULL ? FRACTION_MAX : 0;
    if (fraction == 0)
        return to;
    *to++ = '.';
    write_digits(to, microseconds != NULL ? (uint32_t)read_uint(microseconds, 4) : 0, FRACTION_MAX);
    return to + fraction;
}

// Writes a date as the server would. Missing parts are zero.
static uint16_t write_date(uint8_t kind, uint8_t fraction, char *text, const uint8_t *octets, uint8_t len)
{
    static const uint8_t zero[4];
    char *to = text;
    if (kind == KIND_TIME) {    // negative, days, hour, minute, second, microseconds
        if (len > 0 && octets[0] != 0)
            *to++ = '-';
        uint32_t hours = len > 0 ? (uint32_t)read_uint(octets + 1, 4) * 24 + octets[5] : 0;
        return (uint16_t)(write_clock(to, hours, len > 0 ? octets + 6 : zero, len > 8 ? octets + 8 : NULL, fraction) -
                          text);
    }
    const uint8_t *day = len > 0 ? octets : zero;
    to = write_digits(to, (uint32_t)read_uint(day, 2), 4);
    *to++ = '-';
    to = write_digits(to, day[2], 2);
    *to++ = '-';
    to = write_digits(to, day[3], 2);
    if (kind == KIND_DATETIME) {
        *to++ = ' ';
        to = write_clock(to, len > 4 ? octets[4] : 0, len > 4 ? octets + 5 : zero, len > 7 ? octets + 7 : NULL,
                         fraction);
    }
    return (uint16_t)(to - text);
}

static void number_of(const uint8_t *kinds, const uint8_t *octets, uint8_t len, struct query_value *to)
{
    uint8_t kind = unfilled(kinds[0]);
    bool is_real = kind >= KIND_FLOAT;
    uint64_t number = read_uint(octets, len);
    to->digits = !is_real ? 0 : kinds[0] & KIND_FILLED ? kinds[0] & QUERY_ANY_DIGITS : kinds[1];
    to->width = !is_real || (kinds[0] & KIND_FILLED) ? kinds[1] : 0;
    to->is_single = kind == KIND_FLOAT;
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
        if (is_date(row->kinds[KIND_LEN * column]) && !is_null(row, column))
            len = (uint16_t)(len + DATE_TEXT_MAX);
    }
    return len;
}

// Reads a column of a row that row_holds() has checked.
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
        value_at(row->kinds[KIND_LEN * column], &at, end, &octets, &len);
        if (column < wanted && is_date(row->kinds[KIND_LEN * column]))
            date_text += DATE_TEXT_MAX;
    }
    const uint8_t *kinds = row->kinds + KIND_LEN * wanted;
    uint8_t kind = unfilled(kinds[0]);
    if (kind == KIND_NULL)
        return true;
    if (kind < KIND_TEXT) {
        number_of(kinds, octets, (uint8_t)len, to);
        return true;
    }
    if (kind == KIND_BIT) {
        to->type = QUERY_UINT;
        while (len-- > 0)    // the highest first
            to->unsigned_integer = to->unsigned_integer << 8 | *octets++;
        return true;
    }
    to->type = QUERY_TEXT;
    to->is_decimal = kind == KIND_DECIMAL;
    to->text = (const char *)octets;
    to->len = (uint16_t)len;
    if (is_date(kind)) {
        to->text = (char *)date_text;
        to->len = write_date(kind, kinds[1], (char *)date_text, octets, (uint8_t)len);
    }
    return true;
}

// True if a number without a fraction has 64 bits and a sign.
static bool text_is_int(const char *text, uint16_t len)
{
    bool minus = len != 0 && text[0] == '-';
    uint64_t number = 0, greatest = (uint64_t)INT64_MAX + minus;
    for (uint16_t at = minus; at < len; at++) {
        uint8_t digit = (uint8_t)(text[at] - '0');
        if (digit > 9 || number > (greatest - digit) / 10)
            return false;
        number = 10 * number + digit;
    }
    return len > minus;
}

static bool serves(char need, const uint8_t *kinds, const struct query_value *value)
{
    uint8_t kind = unfilled(kinds[0]);
    bool is_decimal = kind == KIND_DECIMAL;
    if (kind == KIND_NULL || need == NEED_ANY)
        return true;
    if (need == NEED_TEXT)
        return kind >= KIND_TEXT && kind != KIND_BIT;
    if (need == NEED_NUMBER)
        return kind < KIND_TEXT || is_decimal || kind == KIND_BIT;
    if (value->type == QUERY_UINT)
        return value->unsigned_integer <= INT64_MAX;
    return is_int(kind) || kind == KIND_BIT ||
           (is_decimal && kinds[1] == 0 && (value->type == QUERY_NULL || text_is_int(value->text, value->len)));
}

bool row_serves(struct place *place, const char *needs)
{
    const struct row row = row_of(place);
    struct query_value value;
    for (uint8_t column = 0; needs[column] != 0 && column_of(&row, column, &value); column++) {
        if (!serves(needs[column], row.kinds + KIND_LEN * column, &value)) {
            place_break(place, DATABASE_TYPES);
            return false;
        }
    }
    return true;
}
