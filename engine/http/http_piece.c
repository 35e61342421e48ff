// SPDX-License-Identifier: MIT
// An argument in base64 that is longer than memory: a function of the author's takes it by pieces of 24 octets, as they come.
#include <stddef.h>
#include <string.h>

#include "argument.h"
#include "../base/tables.h"
#include "../base/texts.h"
#include "whit/port.h"

// Octets that wait go to the function. False: it refuses them, or they are too many.
static bool give_away(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint8_t cnt)
{
    struct whit_taking taking;
    whit_take *take = whit_flash_ptr(&taker->take);
    memcpy(&taking, memory, sizeof taking);
    if (taking.len + cnt > whit_flash_u32(&taker->most))
        return false;
    if (cnt != 0 && !take((struct args_t *)(void *)args, taking.octets + 1, cnt))
        return false;
    taking.len += cnt;
    memcpy(memory, &taking.len, sizeof taking.len);    // and no more: the function may have changed its ticket
    return true;
}

bool piece_octet(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state, uint8_t c)
{
    if (!base64_take(memory + offsetof(struct whit_taking, octets), WHIT_PIECE + 2, state, c))
        return false;
    if (*state != WHIT_PIECE)
        return true;
    *state = 0;
    return give_away(taker, args, memory, WHIT_PIECE);
}

bool piece_end(const struct whit_taker *taker, uint8_t *args, uint8_t *memory, uint32_t *state)
{
    return *state <= WHIT_PIECE && give_away(taker, args, memory, (uint8_t)*state);    // else it ends within a group
}
