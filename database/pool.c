// SPDX-License-Identifier: MIT
// The pool: a fixed number of connections, kept open between queries. They are opened one at a time, when a query
// waits.
#include <stddef.h>
#include <string.h>

#include "kept.h"
#include "place.h"
#include "whit/port.h"

// Its query is over, or its asker went away: the answer is then read to its end by pool_take().
void place_release(struct place *place)
{
    if (WHIT_DATABASE_KEPT)
        kept_leave(place_number(place), place->statement);
    place->is_owned = false;
    place->since_ms = whit_port_now_ms();
    client_call();
    bool is_sending = place->step == STEP_PREPARE || place->step == STEP_EXECUTE;
    if (is_sending && place->sent > 0)
        place_break(place, DATABASE_ABANDONED);
    else if (is_sending)
        place->step = STEP_READY;
    else if (place->step == STEP_ROW)
        place->step = STEP_ROWS;
}

// Reads the remainder of an answer that is not wanted any more.
static void read_on(struct place *place, uint32_t now_ms)
{
    enum progress progress;
    while ((progress = place_run(place, NULL)) == ROW)
        place->step = STEP_ROWS;
    if (progress == END || progress == ERROR || place->step == STEP_EXECUTE)
        place->step = STEP_READY;
    if (progress == WAITS && place->step > STEP_READY && now_ms - place->since_ms > WHIT_DATABASE_TIMEOUT_MS)
        place_break(place, DATABASE_ABANDONED);
}

static void connect_on(struct place *place, uint32_t now_ms)
{
    // It was not checked in this time: its silence proves nothing, unless the client gave it up.
    if (now_ms - place->seen_ms > WHIT_DATABASE_TIMEOUT_MS && client_state(place->client) != CLIENT_FAILED) {
        place_close(place, false);
        return;
    }
    place->seen_ms = now_ms;
    place_run(place, NULL);
    if (place->step == STEP_READY) {
        places_trusted();
        client_call();    // another one is opened if a query waits
    } else if (place_is_connecting(place) && now_ms - place->since_ms > WHIT_DATABASE_TIMEOUT_MS) {
        place_break(place, DATABASE_TIMEOUT);
    }
}

// True if the connection is still usable. The server may have ended it, or have sent unexpected data.
static bool is_fresh(struct place *place)
{
    if (client_state(place->client) == CLIENT_OPEN && client_available(place->client) == 0)
        return true;
    if (client_state(place->client) == CLIENT_OPEN)
        database_count(DATABASE_UNEXPECTED);
    place_close(place, true);
    return false;
}

static void open_one(uint32_t now_ms)
{
    struct place *closed = NULL;
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        if (place_is_connecting(&places[i]))
            return;
        if (places[i].step == STEP_CLOSED && closed == NULL)
            closed = &places[i];
    }
    if (closed == NULL || places_pause(now_ms))
        return;
    uint16_t ticket = closed->ticket;
    memset(closed, 0, sizeof *closed);
    closed->ticket = ticket;
    closed->client = client_open(WHIT_DATABASE_ADDRESS, WHIT_DATABASE_PORT, WHIT_DATABASE_TIMEOUT_MS);
    if (closed->client == 0)
        return;
    client_keep(closed->client);    // it outlives the request for which it is opened
    closed->step = STEP_OPENING;
    closed->since_ms = closed->seen_ms = now_ms;
    connect_on(closed, now_ms);
}

// Gives the asker a free place that is logged in, and a new ticket for it. NULL: no place is free.
struct place *pool_take(uint32_t now_ms)
{
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        struct place *place = &places[i];
        if (place->is_owned && place->is_lent && !client_lent(place->client))
            place_release(place);    // its asker's request is over
        if (place_is_connecting(place))
            connect_on(place, now_ms);
        else if (place->step > STEP_READY && !place->is_owned)
            read_on(place, now_ms);
        if (place->step != STEP_READY || !is_fresh(place))
            continue;
        place->is_owned = true;
        place->is_lent = client_lend(place->client);
        place->ticket++;
        place->seen_ms = now_ms;
        return place;
    }
    // finds places whose query has gone, or whose peer takes nothing
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        if (places[i].is_owned && now_ms - places[i].seen_ms > WHIT_DATABASE_TIMEOUT_MS)
            place_break(&places[i], DATABASE_ABANDONED);
    }
    open_one(now_ms);
    return NULL;
}
