// SPDX-License-Identifier: MIT
// What field lines mean together, and what only the application's tables tell of them (RFC 9110, 9112).
#include <stddef.h>

#include "parser.h"
#include "../base/body_block.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../content/content.h"
#include "../content/log.h"
#include "whit/port.h"

static uint32_t etag_of(const struct whit_resource *r)
{
    if (WHIT_HAS_STORED && whit_flash_u8(&r->persistence) == WHIT_STORED)
        return content_stored_etag(r);
    return whit_flash_u32(&r->etag);
}

// The number is the tag of which of the resource's representations?
static void tag_read(struct whit_tcb *t, bool any)
{
    if (t->request.resource == RESOURCE_NONE)
        return;
    const struct whit_resource *r = &whit_resources[t->request.resource];
    uint8_t variant_cnt = WHIT_HAS_VARIANTS ? whit_flash_u8(&r->variant_cnt) : 0;
    uint16_t mark = (t->request.flags & FLAG_STRONG) != 0 ? FLAG_MATCHED : FLAG_KNOWN;
    for (uint8_t i = 0; i <= variant_cnt; i++) {
        if (any || (t->value != 0 && etag_of(&r[i]) == t->value))
            t->request.flags |= mark;
        if (mark != FLAG_MATCHED)
            mark = (uint16_t)(mark << 1);
    }
}

static void length_read(struct whit_tcb *t)
{
    if (WHIT_HAS_BODY && body_of(t) != NULL)
        body_length(t);
    else if (t->value > BODY_DISCARD_MAX)
        refuse(t, HTTP_413);
    if (t->value != 0)
        t->request.flags |= FLAG_BODY;
}

// RFC 9110 section 15.5.16. Where no body is taken, what it is like does not matter.
static void coding_read(struct whit_tcb *t)
{
    if (body_of(t) == NULL)
        return;
    if (WHIT_HAS_LOG)
        log_why(t, WHY_CODED);
    refuse(t, HTTP_415);
}

void field_read(struct whit_tcb *t, uint8_t what)
{
    if (what == FIELD_LENGTH)
        length_read(t);
    else if (WHIT_HAS_BODY && what == FIELD_CODED)
        coding_read(t);
    else if (WHIT_HAS_ETAGS && what != FIELD_TYPE)
        tag_read(t, what == FIELD_ANY_TAG);
    else if (WHIT_HAS_BODY)
        body_type_begin(t);
}

void fields_end(struct whit_tcb *t)
{
    uint16_t flags = t->request.flags, one = flags & (FLAG_1_0 | FLAG_HOST);
    if ((flags & FLAG_CODING) != 0)
        t->request.flags |= FLAG_BODY;
    if (WHIT_HAS_LOG && (one == 0 || ((flags & FLAG_CODING) != 0 && (flags & (FLAG_LENGTH | FLAG_1_0)) != 0)))
        log_why(t, one == 0 ? WHY_HOST : WHY_FRAMING);
    if (one == 0 || ((flags & FLAG_CODING) != 0 && (flags & (FLAG_LENGTH | FLAG_1_0)) != 0))
        refuse(t, HTTP_400);    // RFC 9112 sections 3.2, 6.1
    else if (WHIT_HAS_BODY && body_of(t) != NULL)
        body_fields_end(t);
    else
        t->request.step = STEP_DONE;
}
