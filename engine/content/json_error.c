// SPDX-License-Identifier: MIT
// A device's answer to a request with a wrong argument: status 400, and {"error":"brightness: expected a number from 0 to 255"}. The
// compiler made its parts, and the response has its number, so that each octet is found again from the position alone.
#include "content.h"
#include "strategies.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../link/walk.h"
#include "whit/port.h"

#if HAS_JSON_ERRORS
_Static_assert(HTTP_STATUS_CNT < JSON_STATUS && JSON_STATUS == WHIT_WRONG_INDEX + 1, "a number tells kind and argument");
_Static_assert(WHIT_WRONG_TWICE == 1 << 6 && WHIT_WRONG_MISSING == 2 << 6, "kinds follow one another");

static uint8_t begin_of(uint8_t status) { return (uint8_t)((status >> 6) - 1 + WHIT_JSON_BEGINS); }

static uint8_t end_of(uint8_t status) { return (uint8_t)((status & WHIT_WRONG_INDEX) + WHIT_JSON_ENDS); }

static uint16_t part_len(uint8_t number) { return whit_flash_u16(&whit_json_texts[number].len); }

static void part_walk(struct walk *w, uint8_t number)
{
    uint16_t len = part_len(number);
    struct piece p = {
        .octets = whit_flash_ptr(&whit_json_texts[number].octets),
        .sums = whit_json_sums + whit_flash_u16(&whit_json_texts[number].sums),
        .len = len,
    };
    p.sum = whit_flash_u16(&p.sums[(len - 1) / WHIT_CHUNK]);
    static_walk(w, &p);
}

void json_error_walk(struct walk *w, const struct whit_tcb *tcb)
{
    uint8_t status = (uint8_t)tcb->response.resource;
    part_walk(w, 0);
    framing_walk(w, (whit_position)(part_len(begin_of(status)) + part_len(end_of(status))));
    if (tcb->response.head_only)
        return;
    part_walk(w, begin_of(status));
    part_walk(w, end_of(status));
}
#endif
