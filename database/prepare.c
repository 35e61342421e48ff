// SPDX-License-Identifier: MIT
// COM_STMT_PREPARE: the server reads a statement once for a connection, and gives it a number.
#include "place.h"
#include "wire.h"

#define COMMAND 0x16
#define ANSWER_LEN 12    // 0, number, columns, parameters, 0, warnings
#define END_LEN 5

void write_prepare(struct writer *writer, const struct place *place)
{
    const struct whit_statement *statement = &whit_statements[place->statement];
    put_uint(writer, COMMAND, 1);
    put(writer, statement->sql, statement->len);
}

enum progress prepare_answer_in(struct place *place)
{
    enum progress progress = packet_in(place, 0);
    if (progress != DONE)
        return progress;
    if (is_error(place, 0))
        return error_in(place, 0);
    uint32_t id = (uint32_t)read_uint(place->row + 1, 4);
    if (place->len < ANSWER_LEN || place->row[0] != 0 || id == 0)
        return place_break(place, DATABASE_UNEXPECTED);
    uint16_t column_cnt = (uint16_t)read_uint(place->row + 5, 2);
    uint16_t parameter_cnt = (uint16_t)read_uint(place->row + 7, 2);
    if (parameter_cnt != whit_statements[place->statement].argument_cnt)
        return place_break(place, DATABASE_PARAMETERS);
    place->ids[place->statement] = id;
    place->definition_ends = (uint8_t)((parameter_cnt > 0) + (column_cnt > 0));
    place->definition_cnt = parameter_cnt > 0 ? parameter_cnt : column_cnt;
    place->rest_cnt = column_cnt;
    if (place_is_terse(place)) {
        place->definition_cnt = (uint16_t)(parameter_cnt + column_cnt);
        terse_kinds(place, 0);
    }
    return DONE;
}

// Definitions without ends: of parameters, and then of columns, which are remembered.
static enum progress terse_rest_in(struct place *place)
{
    uint8_t last[DEFINITION_END];
    uint16_t column_cnt = place->rest_cnt;
    while (place->definition_cnt > 0) {
        enum progress progress = packet_tail_in(place, last, sizeof last);
        if (progress != DONE)
            return progress;
        if (place->definition_cnt <= column_cnt && column_cnt <= COLUMNS_MAX)
            definition_kind(last,
                            terse_kinds(place, (uint8_t)column_cnt) + KIND_LEN * (column_cnt - place->definition_cnt));
        place->definition_cnt--;
    }
    return DONE;
}

// Skips definitions; each list has an end. DONE: end of the last list.
enum progress prepare_rest_in(struct place *place)
{
    uint8_t last[END_LEN];
    if (place_is_terse(place))
        return terse_rest_in(place);
    while (place->definition_ends > 0) {
        enum progress progress = packet_tail_in(place, last, sizeof last);
        if (progress != DONE)
            return progress;
        if (place->definition_cnt > 0) {
            place->definition_cnt--;
            continue;
        }
        if (last[0] != 0xfe)
            return place_break(place, DATABASE_UNEXPECTED);
        place->definition_ends--;
        place->definition_cnt = place->rest_cnt;
    }
    return DONE;
}
