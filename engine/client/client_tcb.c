// SPDX-License-Identifier: MIT
// What is kept of connections that the server opened, and how one ends.
#include <stddef.h>

#include "clients.h"
#include "client_tcb.h"
#include "../base/state.h"

struct whit_client_tcb client_tcbs[CLIENT_PLACES];
uint8_t client_send_rings[CLIENT_PLACES][WHIT_CLIENT_SEND], client_receive_rings[CLIENT_PLACES][WHIT_CLIENT_RECEIVE];
uint16_t client_asker;
uint8_t client_asked[CLIENT_ASKED_LEN];
struct whit_client_tcb *client_incoming;
bool client_any;
struct whit_client_tcb *client_alone;
uint16_t client_soonest;

void clients_ready(void)
{
    client_any = true;
    client_alone = NULL;
}

void client_ready(struct whit_client_tcb *c)
{
    client_alone = !WHIT_FAST || (client_any && client_alone != c) ? NULL : c;
    client_any = true;
}

void client_owe_ack(struct whit_client_tcb *c)
{
    c->ack_now = 1;
    client_ready(c);
}

// Of a connection that works for one request after another: its next question mostly brings it.
void client_owe_ack_later(struct whit_client_tcb *c)
{
    if (c->armed || c->ack_later || c->high != 0) {
        client_owe_ack(c);
        return;
    }
    c->ack_later = 1;
    client_arm(c, CLIENT_ACK_LATER);
}

void client_await(struct whit_client_tcb *c)
{
    c->awaited = 1;
    c->give_up = (uint16_t)(now_ticks() + c->timeout);
    client_sooner(c->give_up);
}

// Its state changes under a frame that is half in.
static void forget_frame(const struct whit_client_tcb *c)
{
    if (client_incoming == c)
        client_incoming = NULL;
}

void client_free(struct whit_client_tcb *c)
{
    forget_frame(c);
    *c = (struct whit_client_tcb){.state = CLIENT_TCB_FREE};
}

void client_fail(struct whit_client_tcb *c, bool reset)
{
    forget_frame(c);
    c->armed = c->awaited = c->ack_now = c->ack_later = 0;
    c->rst_due = reset;
    c->state = c->closed ? CLIENT_TCB_RESET : CLIENT_TCB_FAILED;
    if (c->closed && !reset)
        client_free(c);
    client_wake(c);
    client_ready(c);
}
