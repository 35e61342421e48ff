// SPDX-License-Identifier: MIT
// Stored answers: a query within the answer's time gets the rows that an earlier query got.
//
// An answer has a statement's arguments, the kinds of its columns, and its rows as the server sent them. Each row has
// its length and room for the texts of its dates. The answer is collected while a query reads its rows. Its age counts
// from the beginning of that query, so that it is never older than its time. A new answer replaces one whose time is
// over, or else the one that was not used for longest; never one that is being read or collected.
#include <stddef.h>
#include <string.h>

#include "kept.h"
#include "whit/port.h"
#include "wire.h"

#define ROW_HEADER 4    // octets: of its length, and of the room behind it

struct kept {
    bool is_whole;
    uint8_t statement;
    uint8_t place;    // place whose query collects it, 1..; 0: none
    uint8_t column_cnt;
    uint8_t reader_cnt;    // queries that have a row of it at hand
    uint16_t ticket;       // changes with the answer
    uint16_t arguments_len;
    uint16_t len;    // octets in use
    uint32_t asked_ms, used_ms, time_ms;
    uint8_t octets[WHIT_DATABASE_KEPT_OCTETS];    // arguments, kinds of columns, rows
};

_Static_assert(sizeof(struct kept) <= WHIT_DATABASE_KEPT_OCTETS + 27,
               "as ./whit report has it: 24, and up to a multiple of 4");
#define KEPT_CNT (WHIT_DATABASE_KEPT ? WHIT_DATABASE_KEPT : 1)
static struct kept kept_answers[KEPT_CNT];

static void forget(struct kept *kept)
{
    kept->is_whole = false;
    kept->place = 0;
    kept->reader_cnt = 0;
    kept->ticket++;
}

// Answers whose time is over, before the clock wraps around and they look young.
static void forget_old(uint32_t now_ms)
{
    for (uint8_t i = 0; i < KEPT_CNT; i++) {
        struct kept *kept = &kept_answers[i];
        if (kept->reader_cnt != 0 && now_ms - kept->used_ms > WHIT_DATABASE_TIMEOUT_MS)
            kept->reader_cnt = 0;    // their requests are over, or they read too slowly
        if (kept->is_whole && kept->reader_cnt == 0 && now_ms - kept->asked_ms >= kept->time_ms)
            forget(kept);
    }
}

static bool append(struct kept *kept, const void *octets, uint16_t len)
{
    if (len > sizeof kept->octets - kept->len)
        return false;
    if (len != 0)
        memcpy(kept->octets + kept->len, octets, len);
    kept->len = (uint16_t)(kept->len + len);
    return true;
}

// ------------------------------------------------------------------------------------------------ arguments

// Writes octets that distinguish a value from all others: its type, its length, itself.
static uint16_t value_head(const struct query_value *value, uint8_t *head)
{
    head[0] = (uint8_t)value->type;
    if (value->type == QUERY_TEXT) {
        memcpy(head + 1, &value->len, sizeof value->len);
        return 1 + sizeof value->len;
    }
    if (value->type == QUERY_NULL)
        return 1;
    memcpy(head + 1, &value->unsigned_integer, sizeof value->unsigned_integer);
    return 1 + sizeof value->unsigned_integer;
}

#define VALUE_HEAD_MAX 9

static bool append_arguments(struct kept *kept, const struct query_value *arguments, uint8_t argument_cnt)
{
    uint8_t head[VALUE_HEAD_MAX];
    for (uint8_t i = 0; i < argument_cnt; i++) {
        if (!append(kept, head, value_head(&arguments[i], head)))
            return false;
        if (arguments[i].type == QUERY_TEXT && !append(kept, arguments[i].text, arguments[i].len))
            return false;
    }
    kept->arguments_len = kept->len;
    return true;
}

static bool starts_with(const struct kept *kept, uint16_t *at, const void *octets, uint16_t len)
{
    if (len > kept->arguments_len - *at || (len != 0 && memcmp(kept->octets + *at, octets, len) != 0))
        return false;
    *at = (uint16_t)(*at + len);
    return true;
}

static bool is_asked_with(const struct kept *kept, const struct query_value *arguments, uint8_t argument_cnt)
{
    uint8_t head[VALUE_HEAD_MAX];
    uint16_t at = 0;
    for (uint8_t i = 0; i < argument_cnt; i++) {
        if (!starts_with(kept, &at, head, value_head(&arguments[i], head)))
            return false;
        if (arguments[i].type == QUERY_TEXT && !starts_with(kept, &at, arguments[i].text, arguments[i].len))
            return false;
    }
    return at == kept->arguments_len;
}

// ------------------------------------------------------------------------------------------------ collecting

// Returns a place for a new answer: a free one, or else that of the answer that was not used for longest. NULL: none.
static struct kept *take(uint32_t now_ms)
{
    struct kept *taken = NULL;
    for (uint8_t i = 0; i < KEPT_CNT; i++) {
        struct kept *kept = &kept_answers[i];
        if (kept->place != 0 || kept->reader_cnt != 0)
            continue;
        if (!kept->is_whole)
            return kept;
        if (taken == NULL || now_ms - kept->used_ms > now_ms - taken->used_ms)
            taken = kept;
    }
    return taken;
}

void kept_collect(uint8_t place, uint8_t statement, const struct query_value *arguments, uint8_t argument_cnt,
                  uint32_t seconds)
{
    uint32_t now_ms = whit_port_now_ms();
    for (uint8_t i = 0; i < KEPT_CNT; i++) {
        struct kept *kept = &kept_answers[i];
        if (kept->place != 0 && kept->statement == statement && is_asked_with(kept, arguments, argument_cnt))
            return;    // another query does
    }
    struct kept *kept = take(now_ms);
    if (kept == NULL)
        return;
    forget(kept);
    kept->statement = statement;
    kept->place = place;
    kept->column_cnt = 0;
    kept->len = 0;
    kept->asked_ms = now_ms;
    kept->time_ms = seconds * 1000;
    if (!append_arguments(kept, arguments, argument_cnt))
        forget(kept);
}

static struct kept *collected_by(uint8_t place)
{
    for (uint8_t i = 0; i < KEPT_CNT; i++) {
        if (kept_answers[i].place == place)
            return &kept_answers[i];
    }
    return NULL;
}

// Stores the kinds of the columns before the first row: they are needed to read the rows.
static bool append_kinds(struct kept *kept, const struct row *row)
{
    if (kept->column_cnt != 0)
        return true;
    kept->column_cnt = row->column_cnt;
    return append(kept, row->kinds, (uint16_t)(KIND_LEN * row->column_cnt));
}

void kept_add(uint8_t place, const struct row *row, uint16_t dates_len)
{
    struct kept *kept = collected_by(place);
    if (kept == NULL)
        return;
    uint16_t lens[2] = {row->len, dates_len};
    bool fits = append_kinds(kept, row) && append(kept, lens, ROW_HEADER) && append(kept, row->octets, row->len);
    if (fits && dates_len <= sizeof kept->octets - kept->len)
        kept->len = (uint16_t)(kept->len + dates_len);
    else
        forget(kept);    // it is longer than the memory of an answer
}

void kept_done(uint8_t place)
{
    struct kept *kept = collected_by(place);
    if (kept == NULL)
        return;
    kept->place = 0;
    kept->is_whole = true;
    kept->used_ms = whit_port_now_ms();
}

// True if a statement may have changed data that others read.
static bool is_change(uint8_t statement)
{
    return (whit_statements[statement].sql[0] | 0x20) != 's';    // SELECT, SHOW
}

void kept_leave(uint8_t place, uint8_t statement)
{
    struct kept *kept = collected_by(place);
    if (kept != NULL)
        forget(kept);
    for (uint8_t i = 0; is_change(statement) && i < KEPT_CNT; i++)
        forget(&kept_answers[i]);
}

// ------------------------------------------------------------------------------------------------ reading

static struct kept *kept_of(const struct whit_query *query)
{
    if (query->step != QUERY_KEPT || query->place == 0 || query->place > KEPT_CNT)
        return NULL;
    struct kept *kept = &kept_answers[query->place - 1];
    return kept->is_whole && kept->ticket == query->ticket ? kept : NULL;
}

static uint16_t length_at(const struct kept *kept, uint32_t at)
{
    uint16_t len;
    memcpy(&len, kept->octets + at, sizeof len);
    return len;
}

// The row that begins at query->since_ms, or the end.
static enum query_status row_or_end(struct whit_query *query, struct kept *kept)
{
    kept->used_ms = whit_port_now_ms();
    if (query->since_ms < kept->len)
        return QUERY_ROW;
    kept_end(query);
    return QUERY_END;
}

bool kept_find(struct whit_query *query, uint16_t statement, const struct query_value *arguments, uint8_t argument_cnt)
{
    forget_old(whit_port_now_ms());
    for (uint8_t i = 0; i < KEPT_CNT; i++) {
        struct kept *kept = &kept_answers[i];
        if (!kept->is_whole || kept->reader_cnt == UINT8_MAX || kept->statement != statement)
            continue;
        if (whit_port_now_ms() - kept->asked_ms >= kept->time_ms || !is_asked_with(kept, arguments, argument_cnt))
            continue;
        kept->reader_cnt++;
        query->step = QUERY_KEPT;
        query->place = (uint8_t)(i + 1);
        query->ticket = kept->ticket;
        query->since_ms = (uint32_t)kept->arguments_len + KIND_LEN * (uint32_t)kept->column_cnt;
        return true;
    }
    return false;
}

enum query_status kept_status(struct whit_query *query)
{
    struct kept *kept = kept_of(query);
    return kept == NULL ? QUERY_FAILED : row_or_end(query, kept);
}

enum query_status kept_next(struct whit_query *query)
{
    struct kept *kept = kept_of(query);
    if (kept == NULL)
        return QUERY_FAILED;
    query->since_ms += (uint32_t)ROW_HEADER + length_at(kept, query->since_ms) + length_at(kept, query->since_ms + 2);
    return row_or_end(query, kept);
}

bool kept_row_at(const struct whit_query *query, struct row *row)
{
    struct kept *kept = kept_of(query);
    if (kept == NULL || query->since_ms >= kept->len)
        return false;
    kept->used_ms = whit_port_now_ms();
    *row = (struct row){
        .kinds = kept->octets + kept->arguments_len,
        .octets = kept->octets + query->since_ms + ROW_HEADER,
        .len = length_at(kept, query->since_ms),
        .column_cnt = kept->column_cnt,
    };
    return true;
}

void kept_end(const struct whit_query *query)
{
    struct kept *kept = kept_of(query);
    if (kept != NULL && kept->reader_cnt != 0)
        kept->reader_cnt--;
}
