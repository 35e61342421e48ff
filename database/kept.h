// SPDX-License-Identifier: MIT
// Answers that are kept for a while (kept.c); WHIT_DATABASE_KEPT of them, each of WHIT_DATABASE_KEPT_OCTETS.
#ifndef DATABASE_KEPT_H
#define DATABASE_KEPT_H

#include "place.h"

// `place`: a number, from 1 on.

// Collecting: from when a query asks until its last row. Without kept_done(), nothing is kept.
void kept_collect(uint8_t place, uint8_t statement, const struct query_value *arguments, uint8_t argument_cnt,
                  uint32_t seconds);
void kept_add(uint8_t place, const struct row *row, uint16_t dates_len);
void kept_done(uint8_t place);
// its query is over; when it changed something, nothing that is kept holds any more
void kept_leave(uint8_t place, uint8_t statement);

// Reading. The query is then QUERY_KEPT.
bool kept_find(struct whit_query *query, uint16_t statement, const struct query_value *arguments, uint8_t argument_cnt);
enum query_status kept_status(struct whit_query *query);
enum query_status kept_next(struct whit_query *query);
bool kept_row_at(const struct whit_query *query, struct row *row);    // false: none is at hand
void kept_end(const struct whit_query *query);

#endif
