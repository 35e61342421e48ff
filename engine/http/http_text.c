// SPDX-License-Identifier: MIT
// A text whose last octets may prove not to be its own (http_form_parts.c).
#include "argument.h"
#include "parser.h"
#include "../base/body_block.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "whit/port.h"

#if WHIT_HAS_FORM_PARTS
static bool is_text(const struct whit_tcb *t)
{
    return argument_type(t) == WHIT_STR && argument_text(t) <= WHIT_TEXT_UTF8;
}

bool text_takes(struct whit_tcb *t, uint8_t c)
{
    if (!is_text(t) || t->value + 1 >= whit_flash_u8(&argument_of(t)->size))
        return false;
    argument_octet(t, c, true);
    return true;
}

// What is cut off is ASCII: a text that is well-formed before is so behind.
void text_end(struct whit_tcb *t, uint16_t len)
{
    bool text = is_text(t);
    const struct whit_argument *argument = argument_of(t);
    argument_octet(t, '&', false);
    if (text)
        ((uint8_t *)body_data(t))[whit_flash_u8(&argument->offset) + (WHIT_HAS_RECORDS ? record_offset(t, argument) : 0) + len] = 0;
}
#endif
