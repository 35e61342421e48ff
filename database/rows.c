// SPDX-License-Identifier: MIT
// What the server answers to a statement with columns: their definitions, and rows, of which one is kept.
#include <string.h>

#include "place.h"
#include "wire.h"

#define FLAG_UNSIGNED 0x0020

// 0: none that we know.
uint8_t definition_kind(const uint8_t *end)
{
    return kind_of(end[7], read_uint(end + 8, 2) & FLAG_UNSIGNED);
}

// Definitions of columns. Only the end of each counts: the names before it are of any length. DONE: all came.
enum progress column_in(struct place *place)
{
    while (place->definition_cnt < place->column_cnt) {
        uint8_t end[DEFINITION_END];
        enum progress progress = packet_tail_in(place, end, sizeof end);
        if (progress != DONE)
            return progress;
        if (end[0] != DEFINITION_END - 1)
            return place_break(place, DATABASE_MALFORMED);
        uint8_t kind = definition_kind(end);
        if (kind == 0)
            return place_break(place, DATABASE_COLUMNS);
        place->row[place->definition_cnt++] = kind;
        if (place_is_terse(place) && place->definition_cnt == place->column_cnt)
            memcpy(terse_kinds(place, place->column_cnt), place->row, place->column_cnt);
    }
    return DONE;
}

enum progress columns_end_in(struct place *place)
{
    if (place_is_terse(place))
        return DONE;
    enum progress progress = packet_in(place, place->column_cnt);
    if (progress != DONE)
        return progress;
    if (!is_end(place, place->column_cnt))
        return place_break(place, DATABASE_UNEXPECTED);
    return end_in(place, place->column_cnt) ? DONE : BROKEN;
}

// ROW: the next one stands behind the kinds of its columns, and all its lengths fit. END: that was the last.
enum progress row_in(struct place *place)
{
    enum progress progress = packet_in(place, place->column_cnt);
    if (progress != DONE)
        return progress;
    if (is_end(place, place->column_cnt))
        return end_in(place, place->column_cnt) ? END : BROKEN;
    if (is_error(place, place->column_cnt))
        return error_in(place, place->column_cnt);
    if (place->row[place->column_cnt] != 0)
        return place_break(place, DATABASE_UNEXPECTED);
    if (place->row_cnt++ >= WHIT_DATABASE_ROWS)
        return place_break(place, DATABASE_ROWS);
    if (!row_holds(place))
        return BROKEN;
    return ROW;
}
