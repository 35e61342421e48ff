// SPDX-License-Identifier: MIT
// Chooses the status of a request with a wrong argument. A resource whose content is JSON tells the reason in JSON, and so does each that
// was called by JSON.
#include "argument.h"
#include "../base/body_block.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../content/content.h"
#include "whit/port.h"

#if HAS_JSON_ERRORS
uint8_t wrong_status(const struct whit_tcb *t, uint8_t wrong)
{
    const struct whit_generator *generator = whit_flash_ptr(&whit_resources[t->request.resource].generator);
    uint8_t errors = whit_flash_u8(&generator->json_errors);
    if (errors > WHIT_JSON_ALONE && !(WHIT_HAS_JSON && t->request.method == WHIT_POST && body_of(t)->kind == BODY_JSON))
        return HTTP_400;
    return errors == 0 ? HTTP_400 : (uint8_t)(JSON_STATUS + wrong + (errors & (WHIT_JSON_ALONE - 1)) - 1);
}
#endif
