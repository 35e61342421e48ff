// SPDX-License-Identifier: MIT
// Columns of a database's rows in page templates (docs/templates.md). A column that does not exist is NULL.
#ifndef WHIT_ROW_H
#define WHIT_ROW_H

#include "whit/database.h"
#include "whit/page.h"

#ifdef __cplusplus
extern "C" {
#endif

// Results of a comparison, as a mask. WHIT_OTHER: a NULL, or not a number.
enum whit_order { WHIT_LESS = 1, WHIT_SAME = 2, WHIT_GREATER = 4, WHIT_OTHER = 8 };

// Writes the column as the server shows it. NULL: nothing, in a script null.
#define PT_OUT_COLUMN(pt, query, column, escape) PT_WAIT_UNTIL(pt, whit_pt_column(pt, query, column, escape))
WHIT_PUBLIC bool whit_pt_column(struct whit_pt *pt, const struct whit_query *query, uint8_t column,
                                enum whit_escape escape);

// Returns the column as an integer: of a text its leading digits, of other types the value rounded towards 0.
WHIT_PUBLIC int64_t whit_column_int(const struct whit_query *query, uint8_t column);
// True if the column is not NULL, not the number 0 and not an empty text.
WHIT_PUBLIC bool whit_column_true(const struct whit_query *query, uint8_t column);
// True if the comparison has a result in `wanted`. Numbers of any two types are compared exactly. Two texts are only
// compared for equality.
WHIT_PUBLIC bool whit_column_order(const struct whit_query *query, uint8_t column, int64_t other,
                                   enum whit_order wanted);
WHIT_PUBLIC bool whit_columns_order(const struct whit_query *query, uint8_t column, uint8_t other,
                                    enum whit_order wanted);
WHIT_PUBLIC bool whit_column_none(const struct whit_query *query, uint8_t column);
// True if the column is NULL or an empty text.
WHIT_PUBLIC bool whit_column_empty(const struct whit_query *query, uint8_t column);
// True if the column is a text equal to `flash`, which ends with NUL.
WHIT_PUBLIC bool whit_column_is(const struct whit_query *query, uint8_t column, const void *flash);
// Returns the number of characters of a text.
WHIT_PUBLIC uint16_t whit_column_chars(const struct whit_query *query, uint8_t column);

#ifdef __cplusplus
}
#endif

#endif
