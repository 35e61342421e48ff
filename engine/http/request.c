// SPDX-License-Identifier: MIT
// The state of a request in its slot, before its first octet and after its last.
#include <string.h>

#include "http.h"
#include "internal.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../response/response.h"
#include "whit/port.h"

struct reader *body_reader;

void request_begin(struct whit_tcb *tcb)
{
    memset(&tcb->request, 0, sizeof tcb->request);
    tcb->value = 0;
    request_line_begin(tcb);
    tcb->request.resource = RESOURCE_NONE;
    tcb_reads(tcb);
    window_seems(tcb, false);
    if (WHIT_HAS_LOG)
        log_request(tcb);
}

bool request_begun(const struct whit_tcb *tcb)
{
    return tcb->request.step != STEP_READ || tcb->request.left != REQUEST_LINE_MAX ||
           tcb->request.node != WHIT_WORDS_START;
}

void refuse(struct whit_tcb *t, uint8_t status)
{
    t->request.step = STEP_REFUSED;
    t->request.status = status;
}

// -------------------------------------------------------------------------------------- the status of a wrong argument

// Chooses the status of a request with a wrong argument. A resource with JSON content sends the reason in JSON, and so
// does one that was called by JSON.

#if HAS_JSON_ERRORS
uint8_t wrong_status(const struct whit_tcb *t, uint8_t wrong)
{
    const struct whit_generator *generator = whit_flash_ptr(&whit_resources[t->request.resource].generator);
    uint8_t errors = whit_flash_u8(&generator->json_errors);
    if (errors > WHIT_JSON_ALONE &&
        !(WHIT_HAS_JSON && t->request.method == WHIT_POST && body_reader->body->kind == BODY_JSON))
        return HTTP_400;
    return errors == 0 ? HTTP_400 : (uint8_t)(JSON_STATUS + wrong + (errors & (WHIT_JSON_ALONE - 1)) - 1);
}
#endif
