// SPDX-License-Identifier: MIT
// What a handler reads of a body's part.
#include "body.h"

struct reader *body_reader;

int16_t in(void)
{
    int16_t c = part_take(body_reader);
    return c >= 0 ? c : -1;
}

bool whit_pt_in_ready(void)
{
    return part_peek(body_reader) != PART_DRY;
}
