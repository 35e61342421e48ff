// SPDX-License-Identifier: MIT
// Requests: read octet by octet, and answered.
#ifndef WHIT_HTTP_HTTP_H
#define WHIT_HTTP_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/tcb.h"

void request_begin(struct whit_tcb *tcb);             // it waits for a request's first octet
bool request_begun(const struct whit_tcb *tcb);       // that has come
// Takes octets of a request. Returns how many, which is less than len when the request ended or was refused.
uint16_t http_parse(struct whit_tcb *pending, const uint8_t *octets, uint16_t len);

void http_answer(struct whit_tcb *tcb);            // the request in tcb is complete: decide, and begin the response
void http_fail(struct whit_tcb *tcb, uint8_t status);    // instead of a response of which nothing has left
void http_refuse(struct whit_tcb *tcb, uint8_t status);    // begins an error response that ends the connection
void http_continue(struct whit_tcb *tcb);          // begins "100 Continue"

#endif
