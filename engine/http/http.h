// SPDX-License-Identifier: MIT
// Requests: read octet by octet, and answered.
#ifndef WHIT_HTTP_HTTP_H
#define WHIT_HTTP_HTTP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../base/tcb.h"
#include "../content/content.h"

void request_begin(struct whit_tcb *tcb);             // it waits for a request's first octet
bool request_begun(const struct whit_tcb *tcb);       // that has come
// What the floor above tells of a request that it has the octets of. Nobody but this floor, and that of bodies, writes a request's state.
static inline void request_starve(struct whit_tcb *tcb) { tcb->request.step = STEP_STARVED; }    // no room: its octets come again
static inline void request_read_again(struct whit_tcb *tcb) { tcb->request.step = STEP_READ; }    // there is room now
static inline uint8_t request_waited(struct whit_tcb *tcb) { return ++tcb->request.turns; }       // one more turn for room. How many
static inline void request_copy(struct whit_tcb *to, const struct whit_tcb *from)
{
    to->value = from->value;
    to->request = from->request;
}
static inline void request_put_back(struct whit_tcb *tcb, uint32_t value, const void *request, bool small)    // what was kept of one
{
    tcb_reads(tcb);
    window_seems(tcb, small);
    tcb->value = value;
    memcpy(&tcb->request, request, sizeof tcb->request);
}
// Takes octets of a request. Returns how many, which is less than len when the request ended or was refused.
uint16_t http_parse(struct whit_tcb *pending, const uint8_t *octets, uint16_t len);

void http_answer(struct whit_tcb *tcb);            // the request in tcb is complete: decide, and begin the response
void http_fail(struct whit_tcb *tcb, uint8_t status);    // instead of a response of which nothing has left
void http_refuse(struct whit_tcb *tcb, uint8_t status);    // begins an error response that ends the connection
void http_continue(struct whit_tcb *tcb);          // begins "100 Continue"

#endif
