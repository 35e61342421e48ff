// SPDX-License-Identifier: MIT
// A complete request becomes a response: which resource, which of its representations, or which refusal.
#include <stddef.h>

#include "http.h"
#include "../core/buffer.h"
#include "../core/grammar.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"
#include "../recovery/recovery.h"
#include "../response/response.h"
#include "whit/port.h"

static void error(struct whit_tcb *tcb, uint8_t status)
{
    bool head_only = tcb->state != TCB_RESPONSE && tcb->request.method == WHIT_HEAD;
    response_forget(tcb);
    response_begin(tcb, KIND_ERROR, status, head_only);
}

static void window_known(struct whit_tcb *tcb, bool small)
{
    if (small && tcb->state == TCB_RESPONSE)
        window_asks(tcb);
}

void http_refuse(struct whit_tcb *tcb, uint8_t status)
{
    bool small = window_is_small(tcb);
    response_is_last(tcb, true);
    if (KEEPS_INPUT)
        buffer_free(tcb, BLOCK_INPUT);    // the input is not read any more
    if (is_tls(tcb))
        buffer_free(tcb, BLOCK_SEALED);
    error(tcb, status);
    window_known(tcb, small);
}

void http_fail(struct whit_tcb *tcb, uint8_t status)
{
    if (WHIT_HAS_LOG)
        log_why_name(tcb, status == HTTP_503 ? WHY_UNAVAILABLE : WHY_RETURNED, WHIT_NAME_GET);
    response_fail(tcb, status);
}

void http_continue(struct whit_tcb *tcb)
{
    bool small = window_is_small(tcb);
    response_is_last(tcb, false);
    response_begin(tcb, KIND_ERROR, HTTP_100, false);
    window_known(tcb, small);
}

// The best representation that the client takes, after the identity; 0: that one.
static uint8_t variant_of(const struct whit_resource *r, uint16_t flags)
{
    uint8_t best = 0, cnt = WHIT_HAS_VARIANTS ? whit_flash_u8(&r->variant_cnt) : 0;
    for (uint8_t i = 1; i <= cnt; i++)
        if ((flags & (whit_flash_u8(&r[i].coding) == WHIT_GZIP ? FLAG_GZIP : FLAG_BROTLI)) != 0)
            best = i;    // brotli comes after gzip
    return best;
}

// Returns the representation of the service that the request's way of calling selects.
static uint8_t asked_as(const struct whit_tcb *tcb)
{
    const struct whit_service *service = service_of(whit_flash_ptr(&whit_resources[tcb->request.resource].generator));
    if (tcb->request.method != WHIT_POST || service == NULL)
        return 0;
    const struct body *b = body_kept(tcb);
    if (WHIT_HAS_SOAP && b->kind == BODY_SOAP) {
        uint8_t ways = whit_flash_u8(&service->ways);
        service_open(b->content_type != 0 ? AS_SOAP_12 : AS_SOAP_11);
        if (WHIT_HAS_REPLIES &&
            service_security(whit_flash_ptr(&whit_resources[tcb->request.resource].generator)) == WHIT_SECURITY_SIGNED)
            service_signs(tcb);
        return (uint8_t)(((ways & (WHIT_BY_JSON | WHIT_BY_FORM)) != 0) + ((ways & WHIT_BY_FORM) != 0) +
                         b->content_type);
    }
    bool by_form =
        (b->kind == BODY_FORM || (WHIT_HAS_FORM_PARTS && b->kind == BODY_FORM_PARTS)) && (b->flags & FLAG_TYPE) != 0;
    service_open((enum service_as)by_form);
    return by_form;
}

static uint8_t answer_generated(struct whit_tcb *tcb, const struct whit_generator *generator)
{
    uint16_t resource = tcb->request.resource;
    bool head_only = tcb->request.method == WHIT_HEAD;
    if (WHIT_HAS_FORM_CALLS || WHIT_HAS_SOAP)
        resource = (uint16_t)(resource + asked_as(tcb));
    uint8_t status = content_run(tcb, generator);
    if (WHIT_HAS_FORM_CALLS || WHIT_HAS_SOAP)
        service_open(AS_JSON);    // as when it runs again
    if (status == HTTP_STATUS_CNT) {
        if (WHIT_CONNECTIONS > 1 && tcb->state != TCB_WAIT)
            tcb->request.turns = 0;    // turns that it has waited
        tcb_awaits_room(tcb);          // the octets of others must be acknowledged first
        whit.waiting = true;
        recovery_hurry();
        return HTTP_200;
    }
    if (status == HTTP_200) {
        if (WHIT_HAS_BODY)
            buffer_free(tcb, BLOCK_BODY);
        response_begin(tcb, KIND_CONTENT, resource, head_only);
    }
    return status;
}

static void answer_static(struct whit_tcb *tcb, const struct whit_resource *r)
{
    uint16_t flags = tcb->request.flags;
    uint8_t variant = variant_of(r, flags);
    uint16_t resource = (uint16_t)(tcb->request.resource + variant);
    bool head_only = tcb->request.method == WHIT_HEAD;
    bool known = WHIT_HAS_ETAGS && (flags & FLAG_KNOWN << variant) != 0;
    response_begin(tcb, known ? KIND_NOT_MODIFIED : KIND_CONTENT, resource, head_only);
}

// Refuses a method, with a list of the resource's methods.
static uint8_t judge_method(const struct whit_tcb *tcb)
{
    if (!WHIT_HAS_BODY)
        return HTTP_200;
    const struct whit_generator *generator = whit_flash_ptr(&whit_resources[tcb->request.resource].generator);
    uint8_t has = generator != NULL ? whit_flash_u8(&generator->methods) : WHIT_METHOD_GET;
    if ((has & (tcb->request.method == WHIT_POST ? WHIT_METHOD_POST : WHIT_METHOD_GET)) != 0)
        return HTTP_200;
    return has == WHIT_METHOD_GET ? HTTP_405 : HTTP_405_POST;
}

// HTTP_200, or the refusal.
static uint8_t judge(const struct whit_tcb *tcb)
{
    if (tcb->request.resource == RESOURCE_NONE)
        return HTTP_404;
    uint8_t status = judge_method(tcb);
    if (WHIT_HAS_ETAGS && status == HTTP_200 && (tcb->request.flags & (FLAG_MATCH | FLAG_MATCHED)) == FLAG_MATCH)
        status = HTTP_412;
    return status;
}

// Says why.
static void log_judged(const struct whit_tcb *tcb, uint8_t status)
{
    enum log_why why = WHY_PATH;
    if (status != HTTP_404)
        why = status == HTTP_412 ? WHY_MATCH : status == HTTP_405 ? WHY_METHODS_GET : WHY_METHODS_POST;
    if (WHIT_HAS_LOG)
        log_why(tcb, why);
}

// Begins the response. HTTP_200: it has begun, or waits for room; else the status of the refusal.
__attribute__((noinline)) static uint8_t answer(struct whit_tcb *tcb)
{
    response_is_last(tcb, !HAS_TAGS || (tcb->request.flags & (FLAG_CLOSE | FLAG_BODY | FLAG_1_0)) != 0 ||
                              (WHIT_PROMISES && table_is_promised(tcb)));
    if (REDIRECTS && !is_tls(tcb)) {
        response_is_last(tcb, true);
        return HTTP_308;
    }
    if (WHIT_HAS_STORED) {
        bool known = tcb->request.resource != RESOURCE_NONE;
        tcb->request.resource = content_stored_select(tcb) & 0xfffu;
        if (WHIT_HAS_LOG && known && tcb->request.resource == RESOURCE_NONE)
            log_why(tcb, WHY_EMPTY);
    }
    uint8_t status = judge(tcb);
    if (status != HTTP_200) {
        if (WHIT_HAS_LOG)
            log_judged(tcb, status);
        return status;
    }
    const struct whit_resource *r = &whit_resources[tcb->request.resource];
    const struct whit_generator *generator = whit_flash_ptr(&r->generator);
    if (WHIT_HAS_GENERATORS && generator != NULL)
        return answer_generated(tcb, generator);
    answer_static(tcb, r);
    return HTTP_200;
}

void http_answer(struct whit_tcb *tcb)
{
    bool small = window_is_small(tcb);
    uint8_t status = answer(tcb);
    if (status != HTTP_200)
        error(tcb, status);
    window_known(tcb, small);
    if (tcb_waits(tcb))
        window_seems(tcb, small);    // it is answered anew when there is room
}
