// SPDX-License-Identifier: MIT
// The end of a place's connection. After a failed login none is opened before a pause, which grows until a login
// succeeds.
#include "kept.h"
#include "place.h"
#include "whit/port.h"

#define PAUSE_MIN_MS 100
#define PAUSE_MAX_MS 2000

struct place places[WHIT_DATABASE_CONNECTIONS];
static uint32_t pause_from_ms;
static uint16_t pause_ms;    // 0: none
static uint8_t broken;       // enum database_event
static uint16_t refusal;     // the server's error number, if it was the server that failed the last login

bool places_pause(uint32_t now_ms)
{
    return pause_ms != 0 && now_ms - pause_from_ms < pause_ms;
}

void places_trusted(void)
{
    pause_ms = 0;
}

bool places_hopeless(uint32_t now_ms, uint16_t *error)
{
    *error = refusal;
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        if (places[i].step != STEP_CLOSED)
            return false;
    }
    return places_pause(now_ms);
}

bool place_is_connecting(const struct place *place)
{
    return place->step > STEP_CLOSED && place->step < STEP_READY;
}

bool place_is_late(const struct place *place)
{
    return whit_port_now_ms() - place->since_ms >= WHIT_DATABASE_TIMEOUT_MS;
}

void place_close(struct place *place, bool in_order)
{
    if (place->client != 0 && in_order)
        client_close(place->client);
    else if (place->client != 0)
        client_abort(place->client);
    place->client = 0;
    place->step = STEP_CLOSED;
    place->is_owned = false;
}

enum database_event place_broken(void)
{
    return (enum database_event)broken;
}

// Drops the connection. After a failure before the login, the next connection waits. After a later failure, idle
// connections are no longer trusted.
enum progress place_break(struct place *place, enum database_event why)
{
    database_count(why);
    broken = (uint8_t)why;
    client_call();
    bool was_connecting = place_is_connecting(place);
    if (WHIT_DATABASE_KEPT && place->is_owned)
        kept_leave(place_number(place), place->statement);
    place_close(place, false);
    if (was_connecting) {
        refusal = why == DATABASE_REFUSED ? place->error : why >= DATABASE_SEQUENCE ? QUERY_BROKEN : QUERY_NO_ANSWER;
        pause_from_ms = whit_port_now_ms();
        pause_ms = pause_ms == 0                  ? PAUSE_MIN_MS
                   : pause_ms >= PAUSE_MAX_MS / 2 ? PAUSE_MAX_MS
                                                  : (uint16_t)(2 * pause_ms);
        return BROKEN;
    }
    place->error = why >= DATABASE_SEQUENCE ? QUERY_BROKEN : QUERY_NO_ANSWER;
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++) {
        if (places[i].step == STEP_READY && (why == DATABASE_LOST || why == DATABASE_TIMEOUT))
            place_close(&places[i], false);
    }
    return BROKEN;
}
