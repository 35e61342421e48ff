// SPDX-License-Identifier: MIT
// The request parser (RFC 9112): a machine that takes one octet at a time. What reads the head by the grammar comes in two
// kinds, http_head_octets.c and http_head_code.c, which do the same; only paths, arguments and media types have code of their
// own. Here is how reading ends.
#include "http.h"

void refuse(struct whit_tcb *t, uint8_t status)
{
    t->request.step = STEP_REFUSED;
    t->request.aux = status;
}

bool http_complete(const struct whit_tcb *work)
{
    return work->request.step == STEP_DONE;
}

bool http_refused(const struct whit_tcb *work)
{
    return work->request.step == STEP_REFUSED;
}

bool http_no_room(const struct whit_tcb *work)
{
    return work->request.step == STEP_STARVED;
}
