// SPDX-License-Identifier: MIT
// Connections that the server opens itself: what handlers call, and their life.
#include <string.h>

#include "clients.h"
#include "client_tcb.h"
#include "../base/keyed_hash.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../link/link.h"
#include "whit/client.h"

#define PORT_FIRST 0xc000    // of the dynamic ports, 49152..65535 (RFC 6335)
#define PORT_MASK 0x3fff

static uint32_t client_opened_cnt;

void clients_init(void)
{
    memset(client_tcbs, 0, sizeof client_tcbs);
    if (WHIT_FAST)
        memset(client_asked, 0, sizeof client_asked);
    client_asker = 0;
    client_opened_cnt = 0;
    client_soonest = now_ticks();
    queue_init();
}

// ------------------------------------------------------------------------------------------------ life

// Nothing of it is lost when it goes: the peer has all but our FIN, or its own is answered by RST.
static bool client_may_go(const struct whit_client_tcb *c)
{
    return c->state == CLIENT_TCB_TIME_WAIT || (c->state == CLIENT_TCB_OPEN && c->closed && c->send_len == 0 && (c->fin == FIN_ACKED || c->high != 0));
}

static struct whit_client_tcb *client_place(void)
{
    struct whit_client_tcb *place = NULL;
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++) {
        if (client_tcbs[i].state == CLIENT_TCB_FREE)
            return &client_tcbs[i];
        if (client_may_go(&client_tcbs[i]))
            place = &client_tcbs[i];
    }
    if (place != NULL)
        client_free(place);
    return place;
}

static bool port_taken(uint16_t port)
{
    bool taken = IS_PORT_OF_OURS(port);
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++)
        taken |= client_tcbs[i].local_port == port;
    return taken;
}

// A random one (RFC 6056 section 3.3.1): a keyed hash of a number that does not come again.
static uint16_t port_choose(void)
{
    for (;;) {
        struct whit_tcb count = {.remote_addr = client_opened_cnt++};
        uint16_t port = (uint16_t)(PORT_FIRST | (keyed_hash(&count, HASH_PORT).low & PORT_MASK));
        if (!port_taken(port))
            return port;
    }
}

// RFC 6528: a clock of 4 us, and a hash of both ends. As a use of the hash, a port of ours is no other one.
static uint32_t isn_of(const struct whit_client_tcb *c)
{
    struct whit_tcb peer = {.remote_addr = c->remote_addr, .remote_port = c->remote_port};
    return keyed_hash(&peer, c->local_port).low + whit.now_ms * 250;
}

// Of a handle, NULL: of none.
static struct whit_client_tcb *client_at(whit_client client)
{
    if (client == 0 || client > WHIT_CLIENTS)
        return NULL;
    struct whit_client_tcb *c = &client_tcbs[client - 1];
    if (c->closed || c->state == CLIENT_TCB_FREE)
        return NULL;
    if (client_asker != 0)
        c->waiter = client_asker;
    return c;
}

whit_client client_open(uint32_t address, uint16_t port, uint16_t timeout_ms)
{
    struct whit_client_tcb *c = WHIT_CLIENTS != 0 ? client_place() : NULL;
    if (c == NULL)
        return 0;
    *c = (struct whit_client_tcb){
        .state = CLIENT_TCB_SYN_SENT, .remote_addr = address, .remote_port = port, .local_port = port_choose(), .ask = 1,
        .owner = client_asker, .waiter = client_asker, .timeout = timeout_ms < TICK_MS ? 1 : TICKS(timeout_ms),
        .window = WHIT_CLIENT_RECEIVE, .rto = RTO_INITIAL, .ssthresh = UINT16_MAX,
    };
    c->snd_una = isn_of(c);
    link_way_forget(client_number(c));
    client_await(c);
    client_ready(c);
    if (!ipv4_is_host(address) || port == 0)
        client_fail(c, false);
    return (whit_client)(client_number(c) + 1);
}

void client_keep(whit_client client)
{
    struct whit_client_tcb *c = client_at(client);
    if (c != NULL)
        c->owner = 0;
}

bool client_lend(whit_client client)
{
    struct whit_client_tcb *c = client_at(client);
    if (c == NULL || client_asker == 0)
        return false;
    c->owner = client_asker;
    c->lent = 1;
    return true;
}

bool client_lent(whit_client client)
{
    return client != 0 && client <= WHIT_CLIENTS && client_tcbs[client - 1].owner != 0;
}

// What was lent goes back.
static void owner_over(struct whit_client_tcb *c)
{
    if (!c->lent) {
        client_abort((whit_client)(client_number(c) + 1));
        return;
    }
    c->owner = 0;
    client_call();
}

void client_abort(whit_client client)
{
    struct whit_client_tcb *c = client_at(client);
    if (c == NULL)
        return;
    c->closed = 1;
    c->owner = 0;
    client_fail(c, c->state == CLIENT_TCB_OPEN || c->rst_due);
}

void client_close(whit_client client)
{
    struct whit_client_tcb *c = client_at(client);
    if (c == NULL)
        return;
    if (c->state != CLIENT_TCB_OPEN || c->receive_len != 0) {
        client_abort(client);
        return;
    }
    c->closed = 1;
    c->owner = 0;
    c->passive = c->peer_fin;
    c->fin = FIN_DUE;
    client_await(c);
    client_ready(c);
}

void clients_over(const struct whit_tcb *slot)
{
    uint16_t owner = (uint16_t)(slot - whit_slots + 1);
    if (WHIT_FAST) {
        if ((client_asked[owner / 8] >> owner % 8 & 1) == 0)
            return;    // no handler ran for it: it opened nothing, and waits for nothing
        client_asked[owner / 8] &= (uint8_t)~(1u << owner % 8);
    }
    queue_leave(owner);
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++) {
        if (client_tcbs[i].waiter == owner)
            client_tcbs[i].waiter = 0;
        if (client_tcbs[i].owner == owner && client_tcbs[i].state != CLIENT_TCB_FREE)
            owner_over(&client_tcbs[i]);
    }
}

uint8_t client_woken_cnt;

uint16_t clients_woken(void)
{
    for (uint8_t i = 0; i < WHIT_CLIENTS && (!WHIT_FAST || client_woken_cnt != 0); i++) {
        bool woken = client_tcbs[i].woken;
        if (WHIT_FAST && !woken)
            continue;
        if (WHIT_FAST)
            client_woken_cnt--;
        client_tcbs[i].woken = 0;
        if (woken && client_tcbs[i].waiter != 0)
            return client_tcbs[i].waiter;
    }
    if (WHIT_FAST)
        client_woken_cnt = 0;    // some were given back before anybody heard of it
    return queue_called();
}

// ------------------------------------------------------------------------------------------------ what is asked and said

enum client_state client_state(whit_client client)
{
    const struct whit_client_tcb *c = client_at(client);
    if (c == NULL)
        return CLIENT_NONE;
    if (c->state == CLIENT_TCB_SYN_SENT)
        return CLIENT_OPENING;
    if (c->state == CLIENT_TCB_FAILED)
        return CLIENT_FAILED;
    return c->peer_fin ? CLIENT_ENDED : CLIENT_OPEN;
}

uint16_t client_room(whit_client client)
{
    const struct whit_client_tcb *c = client_at(client);
    return c == NULL || c->state == CLIENT_TCB_FAILED ? 0 : (uint16_t)(WHIT_CLIENT_SEND - c->send_len);
}

bool client_send(whit_client client, const void *octets, uint16_t len)
{
    struct whit_client_tcb *c = client_at(client);
    if (c == NULL || len > client_room(client))
        return false;
    uint8_t *ring = client_send_rings[client_number(c)];
    uint16_t at = (uint16_t)((c->send_first + UINT32_C(0) + c->send_len) % WHIT_CLIENT_SEND), first = (uint16_t)(WHIT_CLIENT_SEND - at);
    first = first < len ? first : len;
    memcpy(ring + at, octets, first);
    memcpy(ring, (const uint8_t *)octets + first, (uint16_t)(len - first));
    c->send_len = (uint16_t)(c->send_len + len);
    if (c->state == CLIENT_TCB_OPEN)
        client_await(c);
    client_ready(c);
    return true;
}

uint16_t client_available(whit_client client)
{
    struct whit_client_tcb *c = client_at(client);
    if (c == NULL)
        return 0;
    if (c->state == CLIENT_TCB_OPEN && !c->peer_fin) {
        if (!c->awaited)
            client_await(c);
        if (c->window == 0 && client_window_grows(c))
            client_owe_ack(c);
    }
    return c->receive_len;
}

uint16_t client_peek(whit_client client, void *to, uint16_t from, uint16_t len)
{
    const struct whit_client_tcb *c = client_at(client);
    if (c == NULL || from >= c->receive_len)
        return 0;
    len = len < c->receive_len - from ? len : (uint16_t)(c->receive_len - from);
    const uint8_t *ring = client_receive_rings[client_number(c)];
    uint16_t at = (uint16_t)((c->receive_first + UINT32_C(0) + from) % WHIT_CLIENT_RECEIVE), first = (uint16_t)(WHIT_CLIENT_RECEIVE - at);
    first = first < len ? first : len;
    memcpy(to, ring + at, first);
    memcpy((uint8_t *)to + first, ring, (uint16_t)(len - first));
    return len;
}

const void *client_octets(whit_client client, uint16_t *len)
{
    const struct whit_client_tcb *c = client_at(client);
    *len = 0;
    if (c == NULL)
        return NULL;
    uint16_t row = (uint16_t)(WHIT_CLIENT_RECEIVE - c->receive_first);
    *len = c->receive_len < row ? c->receive_len : row;
    return client_receive_rings[client_number(c)] + c->receive_first;
}

void client_skip(whit_client client, uint16_t len)
{
    struct whit_client_tcb *c = client_at(client);
    if (c == NULL || len == 0)
        return;
    len = len < c->receive_len ? len : c->receive_len;
    c->receive_first = (uint16_t)((c->receive_first + UINT32_C(0) + len) % WHIT_CLIENT_RECEIVE);
    c->receive_len = (uint16_t)(c->receive_len - len);
    if (c->state != CLIENT_TCB_OPEN)
        return;
    if (c->high == 0 && c->send_len == 0)
        c->awaited = 0;
    if (!c->peer_fin && client_window_grows(c))
        client_owe_ack(c);
}
