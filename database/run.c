// SPDX-License-Identifier: MIT
// Runs a place, step by step, until it must wait or has a result.
#include <stddef.h>

#include "place.h"

#define SHORT_MAX 192    // octets of a packet that is made before it is sent

static void write_payload(struct writer *writer, const struct place *place, const struct query_value *arguments)
{
    switch (place->step) {
    case STEP_LOGIN:
        write_login(writer, place);
        break;
    case STEP_SWITCHED:
        write_switched(writer, place);
        break;
    case STEP_PREPARE:
        write_prepare(writer, place);
        break;
    default:
        write_execute(writer, place, arguments);
        break;
    }
}

// One that is short, and for which there is room, at once. False: it is another one.
static bool short_out(struct place *place, const struct query_value *arguments)
{
    uint8_t packet[PACKET_HEADER + SHORT_MAX];
    struct writer writer = {.to = packet + PACKET_HEADER, .room = SHORT_MAX};
    write_payload(&writer, place, arguments);
    if (writer.at > SHORT_MAX || place->sent != 0)
        return false;
    struct writer head = {.to = packet, .room = PACKET_HEADER};
    put_uint(&head, writer.at | (uint32_t)place->sequence << 24, PACKET_HEADER);
    return client_send(place->client, packet, (uint16_t)(PACKET_HEADER + writer.at));
}

// Sends the packet of the place's step. DONE: the client has all of it.
static enum progress packet_out(struct place *place, const struct query_value *arguments)
{
    enum client_state state = client_state(place->client);
    if (state != CLIENT_OPEN)
        return place_break(place, DATABASE_LOST);
    if (WHIT_DATABASE_FAST && short_out(place, arguments)) {
        place->sequence++;
        return DONE;
    }
    struct writer counted = {.place = NULL}, sent = {.place = place};
    write_payload(&counted, place, arguments);
    put_uint(&sent, counted.at | (uint32_t)place->sequence << 24, PACKET_HEADER);
    write_payload(&sent, place, arguments);
    if (place->sent < sent.at)
        return WAITS;
    place->sent = 0;
    place->sequence++;
    return DONE;
}

// After a step that is done.
static void go_on(struct place *place, enum step step)
{
    place->step = (uint8_t)step;
    if (step == STEP_PREPARE || step == STEP_EXECUTE)
        place->sequence = 0;    // each command begins at 0
}

static enum progress opening(struct place *place)
{
    enum client_state state = client_state(place->client);
    if (state == CLIENT_OPENING)
        return WAITS;
    return state == CLIENT_OPEN || state == CLIENT_ENDED ? DONE : place_break(place, DATABASE_LOST);
}

// One step. Steps of a login choose the next one themselves, as the server leads there.
static enum progress step_once(struct place *place, const struct query_value *arguments)
{
    enum progress progress;
    switch (place->step) {
    case STEP_OPENING:
        if ((progress = opening(place)) == DONE)
            go_on(place, STEP_GREETING);
        return progress;
    case STEP_GREETING:
        if ((progress = greeting_in(place)) == DONE)
            go_on(place, STEP_LOGIN);
        return progress;
    case STEP_LOGIN:
    case STEP_SWITCHED:
        if ((progress = packet_out(place, arguments)) == DONE)
            go_on(place, STEP_LOGIN_ANSWER);
        return progress;
    case STEP_LOGIN_ANSWER:
        return login_answer_in(place);
    case STEP_PREPARE:
        if ((progress = packet_out(place, arguments)) == DONE)
            go_on(place, STEP_PREPARE_ANSWER);
        return progress;
    case STEP_PREPARE_ANSWER:
        if ((progress = prepare_answer_in(place)) == DONE)
            go_on(place, STEP_PREPARE_REST);
        return progress;
    case STEP_PREPARE_REST:
        if ((progress = prepare_rest_in(place)) == DONE)
            go_on(place, STEP_EXECUTE);
        return progress;
    case STEP_EXECUTE:
        if ((progress = packet_out(place, arguments)) == DONE)
            go_on(place, STEP_EXECUTE_ANSWER);
        return progress;
    case STEP_EXECUTE_ANSWER:
        if ((progress = execute_answer_in(place)) == DONE)
            go_on(place, STEP_COLUMNS);
        return progress;
    case STEP_COLUMNS:
        if ((progress = column_in(place)) == DONE)
            go_on(place, STEP_COLUMNS_END);
        return progress;
    case STEP_COLUMNS_END:
        if ((progress = columns_end_in(place)) == DONE)
            go_on(place, STEP_ROWS);
        return progress;
    case STEP_ROWS:
        if ((progress = row_in(place)) == ROW)
            go_on(place, STEP_ROW);
        return progress;
    default:
        return WAITS;    // for a query, or for its asker
    }
}

// arguments: of the query that owns the place. A place without an owner does not ask.
enum progress place_run(struct place *place, const struct query_value *arguments)
{
    enum progress progress;
    do
        progress = step_once(place, arguments);
    while (progress == DONE && (place->is_owned || place->step != STEP_EXECUTE));
    return progress;
}
