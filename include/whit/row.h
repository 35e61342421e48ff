// SPDX-License-Identifier: MIT
// Columns of a database's rows in page templates (docs/templates.md). A column that is not there is NULL.
#ifndef WHIT_ROW_H
#define WHIT_ROW_H

#include "whit/database.h"
#include "whit/page.h"

#ifdef __cplusplus
extern "C" {
#endif

// wanted ones; WHIT_OTHER: a NULL, or no number
enum whit_order { WHIT_LESS = 1, WHIT_SAME = 2, WHIT_GREATER = 4, WHIT_OTHER = 8 };

// As the server shows it. Of NULL nothing, in a script null.
#define PT_OUT_COLUMN(pt, query, column, escape) PT_WAIT_UNTIL(pt, whit_pt_column(pt, query, column, escape))
WHIT_PUBLIC bool whit_pt_column(struct whit_pt *pt, const struct whit_query *query, uint8_t column,
                                enum whit_escape escape);

// of a text its leading digits; of others rounded to 0
WHIT_PUBLIC int64_t whit_column_int(const struct whit_query *query, uint8_t column);
// not NULL, a number that is 0, or a text without octets
WHIT_PUBLIC bool whit_column_true(const struct whit_query *query, uint8_t column);
// Exact, of numbers of any two types. Of two texts it is known whether they are the same.
WHIT_PUBLIC bool whit_column_order(const struct whit_query *query, uint8_t column, int64_t other,
                                   enum whit_order wanted);
WHIT_PUBLIC bool whit_columns_order(const struct whit_query *query, uint8_t column, uint8_t other,
                                    enum whit_order wanted);
WHIT_PUBLIC bool whit_column_none(const struct whit_query *query, uint8_t column);
// NULL, or a text without octets
WHIT_PUBLIC bool whit_column_empty(const struct whit_query *query, uint8_t column);
// a text, the same as one with a NUL
WHIT_PUBLIC bool whit_column_is(const struct whit_query *query, uint8_t column, const void *flash);
WHIT_PUBLIC uint16_t whit_column_chars(const struct whit_query *query, uint8_t column);    // of a text

#ifdef __cplusplus
}
#endif

#endif
