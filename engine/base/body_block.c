// SPDX-License-Identifier: MIT
// The block of the shared buffer that a request with a body has: struct body, perhaps struct parts, and then what its handler
// reads and writes.
#include <stddef.h>

#include "body_block.h"
#include "buffer.h"
#include "state.h"
#include "tables.h"
#include "tcb.h"
#include "whit/port.h"

struct body *body_kept(const struct whit_tcb *tcb)
{
    uint16_t len;
    return (struct body *)(void *)buffer_find(tcb, BLOCK_BODY, &len);
}

bool body_pending(const struct whit_tcb *tcb)
{
    return body_kept(tcb) != NULL;
}

static const struct whit_generator *body_generator(uint16_t resource)
{
    return resource != RESOURCE_NONE ? whit_flash_ptr(&whit_resources[resource].generator) : NULL;
}

bool body_proves(const struct whit_tcb *tcb)
{
    return HAS_PROOFS && tcb->state == TCB_REQUEST && tcb->request.step == STEP_BODY && body_kept(tcb)->proves;
}

const struct whit_post *body_post(const struct whit_tcb *t)
{
    const struct whit_generator *generator = t->request.method == WHIT_POST ? body_generator(t->request.resource) : NULL;
    return generator != NULL ? whit_flash_ptr(&generator->post) : NULL;
}

bool body_takes_parts(const struct whit_post *post)
{
    return WHIT_HAS_PARTS && (!WHIT_HAS_FORM || whit_flash_ptr(&post->form.plain) == NULL);
}

static uint16_t data_offset(const struct whit_post *post)
{
    return (uint16_t)(sizeof(struct body) + (body_takes_parts(post) ? PARTS_LEN : FORM_PARTS_LEN));
}

bool body_is_endpoint(const struct whit_tcb *t)
{
#if WHIT_HAS_SOAP
    const struct whit_generator *generator = body_generator(t->request.resource);
    const struct whit_service *service = generator != NULL ? whit_flash_ptr(&generator->service) : NULL;
    return service != NULL && whit_flash_u8(&service->ways) == WHIT_ENDPOINT;
#else
    (void)t;
    return false;
#endif
}

uint16_t body_block_len(const struct whit_tcb *t)
{
    const struct whit_post *post = body_post(t);
    uint8_t data = body_takes_parts(post) ? whit_flash_u8(&post->state_len) : whit_flash_u8(&body_generator(t->request.resource)->args_len);
    if (body_is_endpoint(t))
        return (uint16_t)(BUFFER_PART(data_offset(post) + data) + WHIT_SOAP_KEPT);
    return (uint16_t)(data_offset(post) + data);
}

struct body *body_of(const struct whit_tcb *t)
{
    uint16_t len;
    if (body_post(t) == NULL)
        return NULL;
    if (t != &whit.rx.pending)
        return (struct body *)(void *)buffer_find(t, BLOCK_BODY, &len);
    return (struct body *)(void *)(whit.rx.body_reserved ? buffer_reserved() : buffer_find(whit.rx.slot, BLOCK_BODY, &len));
}

void *body_data(const struct whit_tcb *t)
{
    return (uint8_t *)body_of(t) + data_offset(body_post(t));
}

bool connection_ends(const struct whit_tcb *tcb)
{
    return ALWAYS_CLOSES || tcb->close || (tcb->peer_fin && !input_waits(tcb) && !(WHIT_HAS_BODY && body_pending(tcb)));
}
