// SPDX-License-Identifier: MIT
// The pool: a fixed number of connections, kept open between queries. They are opened one at a time, when a query waits;
// after a failure not before a pause, which grows until one logs in.
#include <stddef.h>
#include <string.h>

#include "place.h"
#include "whit/port.h"

#define PAUSE_MIN_MS 100
#define PAUSE_MAX_MS 2000

struct place places[WHIT_DATABASE_CONNECTIONS];
static uint32_t pause_from_ms;
static uint16_t pause_ms;    // 0: none
static uint16_t refusal;     // the server's error number, if it was the server that failed the last login

// Failed: not again before a pause.
static bool is_paused(uint32_t now_ms)
{
    return pause_ms != 0 && now_ms - pause_from_ms < pause_ms;
}

static bool is_connecting(const struct place *place)
{
    return place->step > STEP_CLOSED && place->step < STEP_READY;
}

bool place_is_late(const struct place *place)
{
    return whit_port_now_ms() - place->since_ms >= WHIT_DATABASE_TIMEOUT_MS;
}

static void place_close(struct place *place, bool in_order)
{
    if (place->client != 0 && in_order)
        client_close(place->client);
    else if (place->client != 0)
        client_abort(place->client);
    place->client = 0;
    place->step = STEP_CLOSED;
    place->is_owned = false;
}

// Drops the connection. What failed before it was logged in makes the next one wait; what fails later makes nobody trust
// the connections that lie idle.
enum progress place_break(struct place *place, enum database_event why)
{
    database_count(why);
    client_call();
    bool was_connecting = is_connecting(place);
    place_close(place, false);
    if (was_connecting) {
        refusal = why == DATABASE_REFUSED ? place->error : why >= DATABASE_SEQUENCE ? QUERY_BROKEN : QUERY_NO_ANSWER;
        pause_from_ms = whit_port_now_ms();
        pause_ms = pause_ms == 0 ? PAUSE_MIN_MS : pause_ms >= PAUSE_MAX_MS / 2 ? PAUSE_MAX_MS : (uint16_t)(2 * pause_ms);
        return BROKEN;
    }
    place->error = why >= DATABASE_SEQUENCE ? QUERY_BROKEN : QUERY_NO_ANSWER;
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        if (places[i].step == STEP_READY && (why == DATABASE_LOST || why == DATABASE_TIMEOUT))
            place_close(&places[i], false);
    }
    return BROKEN;
}

// Its query is over, or its asker went away: the answer is then read to its end by pool_take().
void place_release(struct place *place)
{
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

// Reads on where nobody asks for the answer.
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
    // Nobody came meanwhile: its silence says nothing, unless it was the client that gave it up.
    if (now_ms - place->seen_ms > WHIT_DATABASE_TIMEOUT_MS && client_state(place->client) != CLIENT_FAILED) {
        place_close(place, false);
        return;
    }
    place->seen_ms = now_ms;
    place_run(place, NULL);
    if (place->step == STEP_READY) {
        pause_ms = 0;
        client_call();    // so that another one is opened if somebody waits
    } else if (is_connecting(place) && now_ms - place->since_ms > WHIT_DATABASE_TIMEOUT_MS) {
        place_break(place, DATABASE_TIMEOUT);
    }
}

// The server may have ended it, or have said something that nobody asked for.
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
        if (is_connecting(&places[i]))
            return;
        if (places[i].step == STEP_CLOSED)
            closed = &places[i];
    }
    if (closed == NULL || is_paused(now_ms))
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
        if (is_connecting(place))
            connect_on(place, now_ms);
        else if (place->step > STEP_READY && !place->is_owned)
            read_on(place, now_ms);
        if (place->step != STEP_READY || !is_fresh(place))
            continue;
        place->is_owned = true;
        place->ticket++;
        place->seen_ms = now_ms;
        return place;
    }
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {    // whose asker is gone, or a peer that takes nothing
        if (places[i].is_owned && now_ms - places[i].seen_ms > WHIT_DATABASE_TIMEOUT_MS)
            place_break(&places[i], DATABASE_ABANDONED);
    }
    open_one(now_ms);
    return NULL;
}

// Whether waiting is in vain: nothing is open, and it is too early to try again. *error: why.
bool pool_is_hopeless(uint32_t now_ms, uint16_t *error)
{
    *error = refusal;
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        if (places[i].step != STEP_CLOSED)
            return false;
    }
    return is_paused(now_ms);
}
