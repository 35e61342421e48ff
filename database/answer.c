// SPDX-License-Identifier: MIT
// Packets that end something: an error, or the end of definitions and rows.
#include "place.h"
#include "wire.h"

#define ERROR_HEADER 0xff
#define END_HEADER 0xfe
#define END_LEN 5              // header, warnings, status
#define MORE_RESULTS 0x0008    // in the status

bool is_error(const struct place *place, uint16_t from)
{
    return place->row[from] == ERROR_HEADER;
}

// The server's error. Its text is not kept: the number tells what it was, and the text may name what nobody should read.
enum progress error_in(struct place *place, uint16_t from)
{
    if (place->len < 3)
        return place_break(place, DATABASE_MALFORMED);
    place->error = (uint16_t)read_uint(place->row + from + 1, 2);
    database_count(DATABASE_ERRORS);
    return ERROR;
}

bool is_end(const struct place *place, uint16_t from)
{
    return place->row[from] == END_HEADER && place->len <= END_LEN;
}

// Whether it is one that we asked for. False: the connection was dropped.
bool end_in(struct place *place, uint16_t from)
{
    if (place->len != END_LEN) {
        place_break(place, DATABASE_MALFORMED);
        return false;
    }
    if (read_uint(place->row + from + 1, 2) != 0)
        database_count(DATABASE_WARNINGS);
    if (read_uint(place->row + from + 3, 2) & MORE_RESULTS) {
        place_break(place, DATABASE_UNEXPECTED);
        return false;
    }
    return true;
}
