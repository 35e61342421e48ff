// SPDX-License-Identifier: MIT
// The Security header of a message of SOAP, and what it proves, while the message is read.
#ifndef WHIT_BODY_SOAP_SECURITY_H
#define WHIT_BODY_SOAP_SECURITY_H

#include <stdbool.h>
#include <stdint.h>

#include "xml_scan.h"
#include "../base/tcb.h"
#include "../base/limits.h"
#include "../wss/wss.h"
#include "../wss/wss_signed.h"

struct soap_security {
    bool must;      // it must be understood
    bool opened;    // by the last event, for us
#if WHIT_HAS_DIGEST
    struct wss token;
#endif
#if WHIT_HAS_SIGNATURE
    struct wss_signed message;
#endif
};

#define SOAP_LEN (HAS_WSS ? 352 : WHIT_SOAP_KEPT)    // of what is kept of a message; behind it, what a Security header proves
struct soap_security *security_kept(const struct whit_tcb *t);    // of the message in t

void security_begin(struct soap_security *s);
// `in_header`: below the Header; `ours`: the element is for us.
void security_event(struct soap_security *s, const struct xml *x, enum xml_event event, const struct xml_input *in, bool in_header, bool ours);
// The message is whole: enum wss_fault. `security`: enum whit_security of what it calls. WSS_MORE: this is asked again when a slice said true.
uint8_t security_admits(struct soap_security *s, uint8_t security);
bool security_slice(struct soap_security *s);

#endif
