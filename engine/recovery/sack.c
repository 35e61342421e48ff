// SPDX-License-Identifier: MIT
// Selective acknowledgments (RFC 2018) without a scoreboard: the blocks of the segment at hand, and what they show missing. They
// are forgotten with their segment. That they were permitted is not kept either: a peer that was not told so sends none.
#include "full.h"
#include "recovery.h"
#include "../base/octets.h"
#include "../base/state.h"
#include "../base/tcb.h"

#define OPTION_PERMITTED 4
#define EDGES_MAX 8    // two of each block; what the 40 octets of options hold

static struct {
    uint32_t edge;               // being read
    uint16_t edges[EDGES_MAX];   // begin and end of each block, that of the newest segment first; offsets from SEG.ACK
    uint8_t cnt;                 // of edges
    bool permitted;
} sack;

void sack_begin(void)
{
    sack.cnt = 0;
    sack.permitted = false;
}

void sack_permit(bool permitted)
{
    sack.permitted = permitted;
}

bool sack_told(void)
{
    return sack.cnt != 0;
}

bool sack_permitted(void)
{
    return sack.permitted;
}

uint8_t sack_kind(uint8_t kind)
{
    if (kind == OPTION_PERMITTED)
        sack.permitted = true;
    return kind == OPTION_SACK ? OPTION_SACK : 0;
}

void sack_octet(uint8_t octet, uint8_t left)
{
    sack.edge = sack.edge << 8 | octet;
    if ((left & 3) != 0 || sack.cnt == EDGES_MAX)
        return;
    uint32_t offset = sack.edge - load32_be(whit.rx.head + 8);
    sack.edges[sack.cnt++] = offset <= UINT16_MAX ? (uint16_t)offset : 0;
}

// The first octet from `at` on that is in no block.
static uint16_t missing_from(uint16_t at)
{
    for (uint8_t i = 0; i < sack.cnt; i += 2)
        if (sack.edges[i] <= at && at < sack.edges[i + 1]) {
            at = sack.edges[i + 1];
            i = (uint8_t)-2;    // all of them again: their order is that of their arrival
        }
    return at;
}

// Blocks that are not of the flight become empty: old octets (RFC 2883), those that were never sent, an end before its begin.
bool sack_read(const struct whit_tcb *tcb, struct sacked *sacked)
{
    uint16_t mark = tcb->response.mark;
    bool told = sack.cnt != 0;
    *sacked = (struct sacked){0};
    sack.cnt &= (uint8_t)~1u;
    for (uint8_t i = 0; i < sack.cnt; i += 2) {
        uint16_t begin = sack.edges[i], end = sack.edges[i + 1];
        if (begin == 0 || begin >= end || end > tcb->response.flight) {
            sack.edges[i + 1] = 0;
            continue;
        }
        sacked->octets = (uint16_t)(sacked->octets + (end - begin));
        if (sacked->highest < end)
            sacked->highest = end;
        if (i == 0)
            sacked->newest = begin < mark && mark - begin >= segment_len(tcb) && mark <= end;
    }
    sacked->missing = missing_from(mark);
    return told;
}
