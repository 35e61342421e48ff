// SPDX-License-Identifier: MIT
// Packets that end something: an error, or the end of definitions and rows.
#include "place.h"
#include "wire.h"

#define ERROR_HEADER 0xff
#define END_HEADER 0xfe
#define END_LEN 5    // header, warnings, status

bool is_error(const struct place *place, uint16_t from)
{
    return place->row[from] == ERROR_HEADER;
}

// Reads the server's error. Its text is not kept: the number identifies the error, and the text may contain secrets.
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
    return place->row[from] == END_HEADER && (place->len <= END_LEN || place_is_terse(place));
}

static bool status_holds(struct place *place, uint16_t status, uint16_t warnings)
{
    if (warnings != 0)
        database_count(DATABASE_WARNINGS);
    if (status & MORE_RESULTS) {
        place_break(place, DATABASE_UNEXPECTED);
        return false;
    }
    return true;
}

// Reads the end of a terse answer: rows changed, inserted number, status, warnings, perhaps a text.
static bool terse_end_in(struct place *place, uint16_t from)
{
    const uint8_t *at = place->row + from + 1, *end = place->row + from + place->len;
    uint64_t number;
    if (!read_length(&at, end, &number) || !read_length(&at, end, &number) || end - at < 4) {
        place_break(place, DATABASE_MALFORMED);
        return false;
    }
    return status_holds(place, (uint16_t)read_uint(at, 2), (uint16_t)read_uint(at + 2, 2));
}

// Reads the end of an answer. False: it was not the requested one, and the connection was dropped.
bool end_in(struct place *place, uint16_t from)
{
    if (place_is_terse(place))
        return terse_end_in(place, from);
    if (place->len != END_LEN) {
        place_break(place, DATABASE_MALFORMED);
        return false;
    }
    return status_holds(place, (uint16_t)read_uint(place->row + from + 3, 2),
                        (uint16_t)read_uint(place->row + from + 1, 2));
}
