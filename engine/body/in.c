// SPDX-License-Identifier: MIT
// What a handler reads of a body's part.
#include <stddef.h>

#include "reader.h"
#include "whit/app.h"

struct reader *body_reader;

int16_t in(void)
{
    int16_t c = body_reader != NULL ? part_take(body_reader) : PART_OVER;
    return c >= 0 ? c : -1;
}

bool whit_pt_in_ready(void)
{
    return body_reader != NULL && part_peek(body_reader) != PART_DRY;
}
