// SPDX-License-Identifier: MIT
// When a line of the request log is written: a refusal's as its response begins, a success' when it has ended.
#include "content.h"
#include "log.h"
#include "sealed.h"
#include "status.h"
#include "strategies.h"
#include "../base/body_block.h"
#include "../base/grammar.h"
#include "../base/limits.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "whit/engine.h"
#include "whit/port.h"

bool whit_log_lines = true;

static void status_digits(struct log_writer *w, const struct whit_tcb *tcb)
{
    struct piece chosen = {.octets = status_codes[response_status(tcb)].octets};
    if (WHIT_HAS_ANSWER && tcb->response.kind != KIND_ERROR)
        answer_piece(tcb, 0, &chosen);
    log_put(w, ' ');
    for (uint8_t i = 0; i < 3; i++)
        log_put(w, (char)whit_flash_u8(&chosen.octets[i]));
}

static void write_line(const struct whit_tcb *tcb, bool refused)
{
    static char line[LOG_OUT_MAX];
    static const char octets_text[] WHIT_FLASH = " octets: ";
    const struct log_entry *e = log_entry(tcb);
    struct log_writer w = {.to = line, .room = sizeof line - 1};
    log_request_line(&w, e);
    status_digits(&w, tcb);
    if (!refused) {
        log_put(&w, ' ');
        log_number(&w, e->acked);
    }
    if (!refused && e->why != WHY_NONE)
        log_flash(&w, octets_text);
    else if (refused)
        log_put(&w, ' ');
    log_reason(&w, e);
    line[w.len++] = '\n';
    whit_port_log(line, w.len);
}

void log_begun(const struct whit_tcb *tcb)
{
    log_entry(tcb)->acked = 0;
    if (!whit_log_lines)
        return;
    if (is_tls(tcb) && sealed_own(tcb)) {
        log_sealed(tcb);
        return;
    }
    if (tcb->response.kind == KIND_ERROR && !(WHIT_HAS_BODY && tcb->response.resource == HTTP_100))
        write_line(tcb, true);
}

void log_acked(const struct whit_tcb *tcb, uint16_t acked)
{
    log_entry(tcb)->acked += acked;
}

void log_ended(const struct whit_tcb *tcb)
{
    struct log_entry *e = log_entry(tcb);
    if (!whit_log_lines || tcb->state != TCB_RESPONSE || tcb->response.kind == KIND_ERROR)
        return;
    if (e->why == WHY_NONE && e->acked != 0 && connection_ends(tcb))
        e->acked--;    // the FIN
    write_line(tcb, false);
}
