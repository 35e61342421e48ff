// SPDX-License-Identifier: MIT
// The server's answer to a statement with columns: their definitions, and rows, of which one is kept.
#include <stddef.h>
#include <string.h>

#include "place.h"
#include "wire.h"

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
        if (!definition_kind(end, place->row + KIND_LEN * place->definition_cnt++))
            return place_break(place, DATABASE_COLUMNS);
        if (place_is_terse(place) && place->definition_cnt == place->column_cnt)
            memcpy(terse_kinds(place, place->column_cnt), place->row, row_offset(place));
    }
    return DONE;
}

enum progress columns_end_in(struct place *place)
{
    if (place_is_terse(place))
        return DONE;
    enum progress progress = packet_in(place, row_offset(place));
    if (progress != DONE)
        return progress;
    if (!is_end(place, row_offset(place)))
        return place_break(place, DATABASE_UNEXPECTED);
    return end_in(place, row_offset(place)) ? DONE : BROKEN;
}

// ROW: the next one is after the kinds of its columns, and all its lengths fit. END: that was the last.
enum progress row_in(struct place *place)
{
    enum progress progress = packet_in(place, row_offset(place));
    if (progress != DONE)
        return progress;
    if (is_end(place, row_offset(place)))
        return end_in(place, row_offset(place)) ? END : BROKEN;
    if (is_error(place, row_offset(place)))
        return error_in(place, row_offset(place));
    if (place->row[row_offset(place)] != 0)
        return place_break(place, DATABASE_UNEXPECTED);
    if (place->row_cnt++ >= WHIT_DATABASE_ROWS)
        return place_break(place, DATABASE_ROWS);
    const char *needs = whit_statements[place->statement].needs;
    if (!row_holds(place) || (needs != NULL && !row_serves(place, needs)))
        return BROKEN;
    return ROW;
}
