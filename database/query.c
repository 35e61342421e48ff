// SPDX-License-Identifier: MIT
// Functions for handlers: whit/database.h.
#include "kept.h"
#include "place.h"
#include "whit/port.h"

#define UNKNOWN_STATEMENT 1243    // to the server, which lost it: it is prepared anew the next time

// The query's own place; NULL: it has none any more.
static struct place *place_of(const struct whit_query *query)
{
    if (query->step != QUERY_ASKED || query->place == 0 || query->place > WHIT_DATABASE_CONNECTIONS)
        return NULL;
    struct place *place = &places[query->place - 1];
    return place->is_owned && place->ticket == query->ticket ? place : NULL;
}

static enum query_status fail(struct whit_query *query, uint16_t error, enum database_event why)
{
    if (WHIT_HAS_LOG)
        database_why(error, why);
    query->step = QUERY_ENDED;
    query->place = 0;
    query->ticket = error;
    return QUERY_FAILED;
}

// A number of 56 bits takes the octets that are free when a query is over.
static enum query_status ended(struct whit_query *query, uint64_t inserted)
{
    bool fits = inserted >> 56 == 0;
    query->step = QUERY_ENDED;
    query->since_ms = fits ? (uint32_t)inserted : 0;
    query->ticket = fits ? (uint16_t)(inserted >> 32) : 0;
    query->place = fits ? (uint8_t)(inserted >> 48) : 0;
    return QUERY_END;
}

static void keep_row(const struct place *place)
{
    struct row row = row_of(place);
    kept_add(place_number(place), &row, row_dates_len(&row));
}

// Continues with the query's own place, or returns the failure.
static enum query_status ask(struct whit_query *query, struct place *place, const struct query_value *arguments)
{
    uint32_t now_ms = whit_port_now_ms();
    place->seen_ms = now_ms;
    if (place->step == STEP_ROW)
        return QUERY_ROW;
    switch (place_run(place, arguments)) {
    case ROW:
        if (WHIT_DATABASE_KEPT)
            keep_row(place);
        return QUERY_ROW;
    case END:
        database_count(DATABASE_QUERIES);
        if (WHIT_DATABASE_KEPT)
            kept_done(place_number(place));
        place->step = STEP_READY;
        place_release(place);
        return ended(query, place->inserted);
    case ERROR:
        database_count(DATABASE_QUERIES);
        if (place->error == UNKNOWN_STATEMENT)
            place->ids[place->statement] = 0;
        place->step = STEP_READY;
        place_release(place);
        return fail(query, place->error, DATABASE_ERRORS);
    case BROKEN:
        return fail(query, place->error, place_broken());
    default:
        break;
    }
    if (now_ms - query->since_ms <= WHIT_DATABASE_TIMEOUT_MS)
        return QUERY_WAITS;
    place_break(place, DATABASE_TIMEOUT);
    return fail(query, place->error, DATABASE_TIMEOUT);
}

// Waits for a place.
static bool has_place(struct whit_query *query, uint16_t statement)
{
    struct place *place = pool_take(whit_port_now_ms());
    if (place == NULL)
        return false;
    query->place = place_number(place);
    query->ticket = place->ticket;
    query->step = QUERY_ASKED;
    place->statement = (uint8_t)statement;
    place->step = place->ids[statement] != 0 ? STEP_EXECUTE : STEP_PREPARE;
    place->since_ms = query->since_ms;
    place->sequence = 0;
    place->sent = 0;
    place->inserted = 0;
    place->column_cnt = 0;
    return true;
}

enum query_status query_begin(struct whit_query *query, uint16_t statement, const struct query_value *arguments,
                              uint8_t argument_cnt)
{
    uint32_t now_ms = whit_port_now_ms();
    if (query->step == QUERY_NEW || query->step == QUERY_ENDED) {
        if (statement >= WHIT_STATEMENT_CNT || argument_cnt != whit_statements[statement].argument_cnt)
            return fail(query, QUERY_BROKEN, DATABASE_PARAMETERS);
        query->step = QUERY_QUEUED;
        query->since_ms = now_ms;
    }
    if (query->step == QUERY_QUEUED && !has_place(query, statement)) {
        uint16_t error;
        bool is_hopeless = places_hopeless(now_ms, &error);
        if (!is_hopeless && now_ms - query->since_ms <= WHIT_DATABASE_TIMEOUT_MS) {
            client_queue();
            return QUERY_WAITS;
        }
        client_call();    // the next query that waits
        enum database_event why = is_hopeless ? DATABASE_BACKED_OFF : DATABASE_NO_PLACE;
        database_count(why);
        return fail(query, is_hopeless ? error : QUERY_NO_ANSWER, error == QUERY_BROKEN ? place_broken() : why);
    }
    struct place *place = place_of(query);
    return place == NULL ? fail(query, QUERY_NO_ANSWER, DATABASE_ABANDONED) : ask(query, place, arguments);
}

// A row or the end of an answer that is kept.
static enum query_status of_kept(struct whit_query *query, enum query_status status)
{
    return status == QUERY_END      ? ended(query, 0)
           : status == QUERY_FAILED ? fail(query, QUERY_NO_ANSWER, DATABASE_ABANDONED)
                                    : status;
}

enum query_status query_begin_kept(struct whit_query *query, uint16_t statement, const struct query_value *arguments,
                                   uint8_t argument_cnt, uint32_t seconds)
{
    bool was_asked = query->step == QUERY_ASKED, was_queued = query->step == QUERY_QUEUED;
    if (WHIT_DATABASE_KEPT &&
        (query->step == QUERY_KEPT || (!was_asked && kept_find(query, statement, arguments, argument_cnt)))) {
        if (was_queued)
            client_call();    // the next query that waits
        return of_kept(query, kept_status(query));
    }
    enum query_status status = query_begin(query, statement, arguments, argument_cnt);
    if (WHIT_DATABASE_KEPT && status == QUERY_WAITS && !was_asked && query->step == QUERY_ASKED)
        kept_collect(query->place, (uint8_t)statement, arguments, argument_cnt, seconds);
    return status;
}

enum query_status query_next(struct whit_query *query)
{
    if (WHIT_DATABASE_KEPT && query->step == QUERY_KEPT)
        return of_kept(query, kept_next(query));
    struct place *place = place_of(query);
    if (place == NULL)
        return fail(query, QUERY_NO_ANSWER, DATABASE_ABANDONED);
    if (place->step == STEP_ROW) {
        place->step = STEP_ROWS;
        place->since_ms = query->since_ms = whit_port_now_ms();
    }
    return ask(query, place, NULL);
}

bool query_column(const struct whit_query *query, uint8_t column, struct query_value *to)
{
    struct row row;
    if (WHIT_DATABASE_KEPT && query->step == QUERY_KEPT)
        return kept_row_at(query, &row) && column_of(&row, column, to);
    struct place *place = place_of(query);
    if (place == NULL || place->step != STEP_ROW)
        return false;
    place->seen_ms = whit_port_now_ms();
    row = row_of(place);
    return column_of(&row, column, to);
}

uint64_t query_inserted(const struct whit_query *query)
{
    if (query->step != QUERY_ENDED)
        return 0;
    return query->since_ms | (uint64_t)query->ticket << 32 | (uint64_t)query->place << 48;
}

uint16_t query_error(const struct whit_query *query)
{
    return query->step == QUERY_ENDED ? query->ticket : QUERY_NO_ANSWER;
}

void query_end(struct whit_query *query)
{
    if (WHIT_DATABASE_KEPT)
        kept_end(query);
    struct place *place = place_of(query);
    if (place != NULL)
        place_release(place);
    query->step = QUERY_ENDED;
    query->place = 0;
    query->ticket = QUERY_NO_ANSWER;
}
