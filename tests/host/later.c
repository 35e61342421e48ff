// SPDX-License-Identifier: MIT
// An engine without a free slot, for drivers/later.c (test_later.py): it takes a frame when its peer is dropped. A
// frame that ends with 1 is of a connection with a slot, where octets from `next` on are acknowledged. One that ends
// with 2 is ahead of a gap, until one that ends with 3 was taken.
#include "whit/engine.h"

static enum whit_held how;
static uint8_t last;
static bool filled;
unsigned offered_cnt;    // frames

void whit_input(const uint8_t *octets, uint16_t len, uint32_t now_ms)
{
    (void)now_ms;
    last = octets[len - 1];
    offered_cnt++;
}

void whit_input_again(enum whit_taken said)
{
    (void)said;
}

bool whit_input_whole(void)
{
    return true;
}

uint16_t whit_slots_of(uint32_t address)
{
    return address == 0;
}

void whit_input_held(enum whit_held told)
{
    how = told;
}

uint32_t next;
unsigned let_go_cnt;

bool whit_input_next(uint32_t *seq)
{
    *seq = next;
    return last == 1;
}

void whit_input_kept(uint32_t seq)
{
    next = seq;
}

enum whit_taken whit_input_end(uint32_t now_ms)
{
    (void)now_ms;
    enum whit_held told = how;
    how = (enum whit_held)0;
    filled |= last == 3;
    if (last == 2)
        return filled ? WHIT_TAKEN : WHIT_AHEAD;
    let_go_cnt += told == WHIT_LET_GO;
    if (last == 1)
        return told == WHIT_LET_GO ? WHIT_TAKEN : WHIT_WAITS;
    if (last == 3)
        return WHIT_TAKEN;
    return told == WHIT_LET_GO ? WHIT_TAKEN : WHIT_NO_SLOT;
}
