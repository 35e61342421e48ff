// SPDX-License-Identifier: MIT
// The state of a request in its slot, before its first octet and after its last.
#include <string.h>

#include "http.h"
#include "http_head.h"
#include "../base/limits.h"
#include "../base/tcb.h"
#include "../content/log.h"

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
    return tcb->request.step != STEP_READ || tcb->request.left != REQUEST_LINE_MAX || tcb->request.node != WHIT_WORDS_START;
}

void refuse(struct whit_tcb *t, uint8_t status)
{
    t->request.step = STEP_REFUSED;
    t->request.status = status;
}
