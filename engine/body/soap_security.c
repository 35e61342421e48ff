// SPDX-License-Identifier: MIT
#include "soap_security.h"

#include "../base/body_block.h"
#include "../base/buffer.h"
#include "../base/tables.h"

#if WHIT_HAS_DIGEST || WHIT_HAS_SIGNATURE

struct soap_security *security_kept(const struct whit_tcb *t)
{
    uint16_t len;
    uint8_t *block = buffer_find(t, BLOCK_BODY, &len);
    return (struct soap_security *)(void *)(block + len - WHIT_SOAP_KEPT + SOAP_LEN);
}

void security_begin(struct soap_security *s)
{
    s->must = s->opened = false;
#if WHIT_HAS_DIGEST
    wss_begin(&s->token);
#endif
#if WHIT_HAS_SIGNATURE
    signed_begin(&s->message);
#endif
}

#if WHIT_HAS_DIGEST
// Of what is in the Header. True: a Security was opened.
static bool token_event(struct wss *w, const struct xml *x, enum xml_event event, const struct xml_input *in, bool ours)
{
    switch (event) {
    case XML_VALUED:
        if (!x->declares)
            wss_valued(w, x->attribute, x->value);
        break;
    case XML_OPENED: return wss_opened(w, ours ? xml_element_uri(x) : XML_URI_NONE, x->name);
    case XML_TEXT: wss_text(w, in->octets, in->len); break;
    case XML_CLOSED: wss_closed(w); break;
    default: break;
    }
    return false;
}
#endif

#if WHIT_HAS_SIGNATURE
static bool message_event(struct wss_signed *w, enum xml_event event, const struct xml_input *in, bool ours)
{
    switch (event) {
    case XML_NAME: signed_name(w, in->octets, in->len); break;
    case XML_ATTRIBUTE: signed_attribute(w, in->octets, in->len); break;
    case XML_VALUE: signed_value(w, in->octets, in->len); break;
    case XML_VALUED: signed_valued(w); break;
    case XML_OPENED: return signed_opened(w, ours);
    case XML_TEXT: signed_text(w, in->octets, in->len); break;
    case XML_END_NAME: signed_end_name(w, in->octets, in->len); break;
    case XML_CLOSED: signed_closed(w); break;
    default: break;
    }
    return false;
}
#endif

void security_event(struct soap_security *s, const struct xml *x, enum xml_event event, const struct xml_input *in, bool in_header, bool ours)
{
    s->opened = false;
#if WHIT_HAS_DIGEST
    if (in_header)
        s->opened = token_event(&s->token, x, event, in, ours);
#endif
#if WHIT_HAS_SIGNATURE
    s->opened |= message_event(&s->message, event, in, ours);
#endif
    (void)x;
    (void)in_header;
}

uint8_t security_admits(struct soap_security *s, uint8_t security)
{
#if WHIT_HAS_DIGEST
    if (security == WHIT_SECURITY_DIGEST)
        return (uint8_t)wss_admit(&s->token);
#endif
#if WHIT_HAS_SIGNATURE
    if (security == WHIT_SECURITY_SIGNED)
        return (uint8_t)signed_admit(&s->message);
#endif
    return security == WHIT_SECURITY_NONE ? WSS_FINE : WSS_INVALID;
}

#if WHIT_HAS_SIGNATURE
bool security_slice(struct soap_security *s)
{
    return signed_slice(&s->message);
}
#endif

#endif
