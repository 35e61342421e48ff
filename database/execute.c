// SPDX-License-Identifier: MIT
// COM_STMT_EXECUTE: the number of a prepared statement, and its arguments in binary.
#include <string.h>

#include "place.h"
#include "wire.h"

#define COMMAND 0x17
#define TYPE_DOUBLE 5
#define TYPE_NULL 6
#define TYPE_LONGLONG 8
#define TYPE_VAR_STRING 253
#define UNSIGNED 0x8000
#define HEADER_OK 0x00
#define HEADER_LOCAL_INFILE 0xfb

static uint16_t type_of(const struct query_value *value)
{
    switch (value->type) {
    case QUERY_INT:
        return TYPE_LONGLONG;
    case QUERY_UINT:
        return TYPE_LONGLONG | UNSIGNED;
    case QUERY_REAL:
        return TYPE_DOUBLE;
    case QUERY_TEXT:
        return TYPE_VAR_STRING;
    default:
        return TYPE_NULL;
    }
}

static void put_value(struct writer *writer, const struct query_value *value)
{
    uint64_t number;
    switch (value->type) {
    case QUERY_TEXT:
        if (value->len >= 0xfb)
            put_uint(writer, 0xfc, 1);
        put_uint(writer, value->len, value->len < 0xfb ? 1 : 2);
        put(writer, value->text, value->len);
        break;
    case QUERY_REAL:
        memcpy(&number, &value->real, sizeof number);
        put_uint(writer, number, 8);
        break;
    case QUERY_INT:
    case QUERY_UINT:
        put_uint(writer, value->unsigned_integer, 8);
        break;
    default:
        break;
    }
}

void write_execute(struct writer *writer, const struct place *place, const struct query_value *arguments)
{
    uint8_t cnt = whit_statements[place->statement].argument_cnt;
    uint32_t id = place->ids[place->statement];
    const uint8_t begin[] = {
        // no cursor: rows come at once; and once
        COMMAND, (uint8_t)id, (uint8_t)(id >> 8), (uint8_t)(id >> 16), (uint8_t)(id >> 24), 0, 1, 0, 0, 0,
    };
    put(writer, begin, sizeof begin);
    if (cnt == 0)
        return;
    uint8_t nulls = 0;
    for (uint16_t i = 0; i < cnt; i++) {
        nulls |= (uint8_t)((arguments[i].type == QUERY_NULL) << i % 8);
        if (i % 8 == 7 || i + 1 == cnt) {
            put_uint(writer, nulls, 1);
            nulls = 0;
        }
    }
    put_uint(writer, 1, 1);    // types follow
    for (uint16_t i = 0; i < cnt; i++)
        put_uint(writer, type_of(&arguments[i]), 2);
    for (uint16_t i = 0; i < cnt; i++)
        put_value(writer, &arguments[i]);
}

// DONE: rows follow. END: no rows follow.
enum progress execute_answer_in(struct place *place)
{
    enum progress progress = packet_in(place, 0);
    if (progress != DONE)
        return progress;
    if (is_error(place, 0))
        return error_in(place, 0);
    if (place->row[0] == HEADER_LOCAL_INFILE)
        return place_break(place, DATABASE_LOCAL_INFILE);
    const uint8_t *at = place->row, *end = place->row + place->len;
    uint64_t number;
    if (*at == HEADER_OK) {    // rows changed, inserted number, status, warnings
        at++;
        if (!read_length(&at, end, &number) || !read_length(&at, end, &place->inserted) || end - at < 4)
            return place_break(place, DATABASE_MALFORMED);
        if (read_uint(at, 2) & MORE_RESULTS)
            return place_break(place, DATABASE_UNEXPECTED);
        if (read_uint(at + 2, 2) != 0)
            database_count(DATABASE_WARNINGS);
        return END;
    }
    bool is_terse = place_is_terse(place);
    if (!read_length(&at, end, &number) || end - at != is_terse)
        return place_break(place, DATABASE_MALFORMED);
    if (number > COLUMNS_MAX || KIND_LEN * number > sizeof place->row / 2)
        return place_break(place, DATABASE_COLUMNS);
    place->column_cnt = (uint8_t)number;
    place->definition_cnt = 0;
    place->row_cnt = 0;
    if (is_terse && *at == 0) {    // no definitions follow: they are as they were
        if (!terse_same(place))
            return place_break(place, DATABASE_COLUMNS);
        place->definition_cnt = place->column_cnt;
    }
    return DONE;
}
