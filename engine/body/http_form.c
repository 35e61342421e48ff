// SPDX-License-Identifier: MIT
// A form as a body (application/x-www-form-urlencoded): typed arguments as in a query, read by the same machine.
#include "reader.h"
#include "../base/body_block.h"
#include "../base/grammar.h"
#include "../base/tcb.h"
#include "../content/content.h"
#include "../http/parser.h"

void form_begin(struct whit_tcb *tcb, struct body *b)
{
    if (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || b->kind == BODY_SOAP)) {
        soap_begin(tcb);
        return;
    }
    tcb->request.escape = 0;
    arguments_unseen(tcb);
    if (WHIT_HAS_JSON && b->kind == BODY_JSON)
        b->json_high = 0;
    if (WHIT_HAS_FORM_PARTS && b->kind == BODY_FORM_PARTS)
        form_parts_begin(b);
    tcb->request.step = STEP_QUERY_SKIP;
    if (WHIT_HAS_RECORDS)
        records_begin(tcb);
    arguments_read(tcb);
    b->step = tcb->request.step;
    tcb->request.step = STEP_BODY;
}

// A service's form begins with a brace: it is JSON under the type that a client sends if it is told none. (In a form of a
// browser, a brace is percent-encoded.)
static bool takes_json(const struct reader *r)
{
    const struct whit_tcb *tcb = r->tcb;
    const struct whit_generator *generator = whit_flash_ptr(&whit_resources[tcb->request.resource].generator);
    bool begins = tcb->request.step == STEP_QUERY_SKIP || tcb->request.node == whit_flash_u16(&generator->names);
    r->body->json_high = 0;
    return service_of(generator) != NULL && whit_flash_u16(&r->post->types) != 0 && begins && tcb->request.escape == 0;
}

void form_run(struct reader *r)
{
    struct whit_tcb *tcb = r->tcb;
    if (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || r->body->kind == BODY_SOAP)) {
        soap_run(r);
        return;
    }
    tcb->request.step = r->body->step;
    while (r->at != r->body->ready && tcb->request.step < STEP_DONE) {
        uint8_t c = r->octets[r->at++];
        if (WHIT_HAS_FORM_CALLS && WHIT_HAS_JSON && c == '{' && r->body->kind == BODY_FORM && takes_json(r))
            r->body->kind = BODY_JSON;
        if (WHIT_HAS_JSON && r->body->kind == BODY_JSON)
            json_octet(tcb, r->body, c);
        else if (WHIT_HAS_FORM_PARTS && r->body->kind == BODY_FORM_PARTS)
            form_parts_octet(tcb, r->body, c);
        else if (c <= ' ' || c >= 0x7f || c == '#')
            refuse(tcb, HTTP_400);    // as in a request target
        else
            query_octet(tcb, c);
    }
    r->body->step = tcb->request.step;
    if (tcb->request.step < STEP_DONE)
        tcb->request.step = STEP_BODY;
}

bool form_end(struct reader *r)
{
    struct whit_tcb *tcb = r->tcb;
    if (WHIT_HAS_SOAP && (WHIT_HAS_SOAP_ALONE || r->body->kind == BODY_SOAP))
        return soap_end(r);
    tcb->request.step = r->body->step;
    if (WHIT_HAS_JSON && r->body->kind == BODY_JSON) {
        if (!json_ended(tcb))
            return true;
    } else if (WHIT_HAS_FORM_PARTS && r->body->kind == BODY_FORM_PARTS) {
        form_parts_end(tcb, r->body);
    } else if (tcb->request.escape != 0) {
        refuse(tcb, HTTP_400);    // it ends within a percent-encoding
        return true;
    }
    if (tcb->request.step < STEP_QUERY_SKIP)
        arguments_end(tcb);
    return true;
}
