// SPDX-License-Identifier: MIT
// Stored definitions of the columns of a place's statements, so that answers omit them. The server agrees to this at
// login. Each answer tells whether its columns are the same as before; after a change of a table, the server sends them
// again.
#include <string.h>

#include "place.h"

#define TERSE_PLACES (WHIT_DATABASE_FAST ? WHIT_DATABASE_CONNECTIONS : 1)
#define TERSE_STATEMENTS (WHIT_DATABASE_FAST && WHIT_STATEMENT_CNT ? WHIT_STATEMENT_CNT : 1)

static struct {
    bool is_terse;
    struct {
        uint8_t cnt;    // 0: nothing is known
        uint8_t kinds[KIND_LEN * COLUMNS_MAX];
    } of[TERSE_STATEMENTS];
} terse[TERSE_PLACES];

bool terse_agreed(const struct place *place)
{
    return terse[place - places].is_terse;
}
void terse_agree(const struct place *place, bool is_terse)
{
    terse[place - places].is_terse = is_terse;
}

uint8_t *terse_kinds(const struct place *place, uint8_t cnt)
{
    terse[place - places].of[place->statement].cnt = cnt;
    return terse[place - places].of[place->statement].kinds;
}

bool terse_same(struct place *place)
{
    uint8_t cnt = place->column_cnt;
    const uint8_t *kinds = terse[place - places].of[place->statement].kinds;
    if (cnt != terse[place - places].of[place->statement].cnt)
        return false;
    memcpy(place->row, kinds, row_offset(place));
    for (uint8_t i = 0; i < cnt; i++) {
        if (kinds[KIND_LEN * i] == 0)
            return false;
    }
    return true;
}
