// SPDX-License-Identifier: MIT
// The answer of a function with a value that is given by pieces, longer than the memory. It is written again for each piece,
// from what the function left, and only what no piece had yet is kept; octets of the value are asked for where they are
// wanted. So nothing of it is in memory but the piece at hand.
#include <string.h>

#include "content.h"
#include "out.h"
#include "service_out.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "whit/app.h"
#include "whit/port.h"

#if WHIT_HAS_GIVES

bool whit_pieces_calls(struct whit_pt *pt, const struct args_t *args, struct whit_pieces *pieces)
{
    if (pt->line != 0)
        return false;
    pt->line = 1;
    service_why = NULL;
    pieces->as = service_as;
    pieces->refused = args != NULL && *(const uint8_t *)args != 0;
    return !pieces->refused;
}

void whit_pieces_said(struct whit_pieces *pieces, char said)
{
    pieces->said = said;
    memcpy(pieces->why, &service_why, sizeof service_why);
}

char whit_pieces_goes_on(const struct whit_service *service, struct args_t *args, struct whit_pieces *pieces, const void *result)
{
    struct whit_out *out = whit_out;
    uint16_t room = out_room_left();
    struct whit_out piece = {.to = out->to + out->len, .from = (whit_position)pieces->at, .room = room, .kept = true};
    whit_out = &piece;
    service_giving(service, args);
    service_as = pieces->as;
    memcpy(&service_why, pieces->why, sizeof service_why);
    if (!pieces->refused)
        say_answer(service, pieces->said, result);
    else
        (void)say_refusal(service, args);
    whit_out = out;
    if (!service_gave())
        return 0;
    whit_position left = (whit_position)(piece.len - piece.from);
    bool ends = left <= room;
    uint16_t now = ends ? (uint16_t)left : room;
    out->len = (whit_position)(out->len + now);
    pieces->at += now;
    return ends ? PT_DONE : PT_WAITS;
}

#endif
