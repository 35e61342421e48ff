// SPDX-License-Identifier: MIT
// Connections that the server opens: functions for handlers, and the life of a connection.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "outgoing.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../net/net.h"
#include "whit/client.h"
#include "whit/engine.h"

static void queue_init(void);                // queue of handlers that wait for another one
static void queue_leave(uint16_t number);    // 1 + number of a slot, as always here
static uint16_t queue_called(void);          // the next one to run again, which leaves the queue; 0: none

#define PORT_FIRST 0xc000    // first of the dynamic ports, 49152..65535 (RFC 6335)
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
    return c->state == CLIENT_TCB_TIME_WAIT ||
           (c->state == CLIENT_TCB_OPEN && c->closed && c->send_len == 0 && (c->fin == FIN_ACKED || c->high != 0));
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

// Returns a random port (RFC 6056 section 3.3.1): a keyed hash of a number that is not repeated.
static uint16_t port_choose(void)
{
    for (;;) {
        struct whit_tcb count = {.remote_addr = client_opened_cnt++};
        uint16_t port = (uint16_t)(PORT_FIRST | (keyed_hash(&count, HASH_PORT).low & PORT_MASK));
        if (!port_taken(port))
            return port;
    }
}

// Returns an initial sequence number (RFC 6528): a clock of 4 us, and a hash of both ends. No other use of the hash has
// the number of a port of ours.
static uint32_t isn_of(const struct whit_client_tcb *c)
{
    struct whit_tcb peer = {.remote_addr = c->remote_addr, .remote_port = c->remote_port};
    return keyed_hash(&peer, c->local_port).low + whit.now_ms * 250;
}

// Returns the connection of a handle; NULL: none.
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
        .state = CLIENT_TCB_SYN_SENT,
        .remote_addr = address,
        .remote_port = port,
        .local_port = port_choose(),
        .ask = 1,
        .owner = client_asker,
        .waiter = client_asker,
        .timeout = timeout_ms < TICK_MS ? 1 : TICKS(timeout_ms),
        .window = WHIT_CLIENT_RECEIVE,
        .rto = RTO_INITIAL,
        .ssthresh = UINT16_MAX,
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

// Ends a request's use of a connection: a lent one is returned, another one is reset.
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
        client_woken_cnt = 0;    // some were freed before their handlers ran
    return queue_called();
}

// ---------------------------------------------------------------------------------------------- what is asked and said

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
    uint16_t at = (uint16_t)((c->send_first + UINT32_C(0) + c->send_len) % WHIT_CLIENT_SEND),
             first = (uint16_t)(WHIT_CLIENT_SEND - at);
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
    uint16_t at = (uint16_t)((c->receive_first + UINT32_C(0) + from) % WHIT_CLIENT_RECEIVE),
             first = (uint16_t)(WHIT_CLIENT_RECEIVE - at);
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

// ------------------------------------------------------------------------------------------------ handlers that wait

// Handlers that wait for another one: a bit for each slot. The next one after the last is called, so that each gets its
// turn.

static uint8_t queue_bits[WHIT_CONNECTIONS / 8 + 1];    // a bit for each slot, by 1 + its number
static uint16_t queue_last;                             // last one called
static uint16_t queue_cnt;                              // handlers that wait; WHIT_FAST only
static uint16_t queue_call_cnt;                         // calls that no handler has received yet

static void queue_init(void)
{
    memset(queue_bits, 0, sizeof queue_bits);
    queue_last = queue_cnt = queue_call_cnt = 0;
}

static bool queue_has(uint16_t number)
{
    return (queue_bits[number / 8] >> number % 8 & 1) != 0;
}

static void queue_leave(uint16_t number)
{
    if (WHIT_FAST && number != 0 && queue_has(number))
        queue_cnt--;
    queue_bits[number / 8] &= (uint8_t)~(1u << number % 8);
}

void client_queue(void)
{
    if (WHIT_FAST && client_asker != 0 && !queue_has(client_asker))
        queue_cnt++;
    queue_bits[client_asker / 8] |= (uint8_t)(1u << client_asker % 8);    // 0, no handler, is never called
}

void client_call(void)
{
    if (queue_call_cnt < WHIT_CONNECTIONS)
        queue_call_cnt++;
}

static uint16_t queue_called(void)
{
    for (uint16_t i = 0; queue_call_cnt != 0 && (!WHIT_FAST || queue_cnt != 0) && i < WHIT_CONNECTIONS; i++) {
        queue_last = queue_last < WHIT_CONNECTIONS ? (uint16_t)(queue_last + 1) : 1;
        if (queue_has(queue_last)) {
            queue_call_cnt--;
            queue_leave(queue_last);
            return queue_last;
        }
    }
    queue_call_cnt = 0;
    return 0;
}

static bool queue_is_called(void)
{
    return queue_call_cnt != 0;
}

// ---------------------------------------------------------------------------------------- what is kept of a connection

// State of connections that the server opened, and their end.

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

// Delays the acknowledgment of a connection that works for one request after another: its next question mostly carries
// it.
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

// ------------------------------------------------------------------------------------------------ timers

// Timers of connections that the server opened: retransmission (RFC 6298), window probes, and time-outs.

void client_rtt(struct whit_client_tcb *c, uint16_t ticks)
{
    ticks = ticks == 0 ? 1 : ticks < RTO_MAX / 8 ? ticks : RTO_MAX / 8;
    if (c->srtt8 == 0) {
        c->srtt8 = (uint16_t)(8 * ticks);
        c->rttvar4 = (uint16_t)(2 * ticks);
    } else {
        uint16_t srtt = c->srtt8 / 8, off = ticks > srtt ? (uint16_t)(ticks - srtt) : (uint16_t)(srtt - ticks);
        c->rttvar4 = (uint16_t)(c->rttvar4 - c->rttvar4 / 4 + off);
        c->srtt8 = (uint16_t)(c->srtt8 - srtt + ticks);
    }
    uint32_t rto = (uint32_t)c->srtt8 / 8 + (c->rttvar4 != 0 ? c->rttvar4 : 1u);
    c->rto = rto < CLIENT_RTO_MIN ? CLIENT_RTO_MIN : rto < RTO_MAX ? (uint16_t)rto : RTO_MAX;
}

void client_rto_arm(struct whit_client_tcb *c)
{
    uint32_t rto = (uint32_t)c->rto << c->retries;
    client_arm(c, rto < RTO_MAX ? (uint16_t)rto : RTO_MAX);
}

static void client_again(struct whit_client_tcb *c)
{
    if (c->retries < 6)
        c->retries++;
    if (c->retries == 2)
        c->ask = 1;    // it may be elsewhere now (RFC 1122 section 2.3.2.1)
    c->timing = 0;     // Karn's algorithm
    client_ready(c);
}

static void client_open_due(struct whit_client_tcb *c)
{
    if (client_total(c) == 0)
        return;
    if (c->snd_wnd == 0) {
        c->probe = 1;
        if (!c->awaited)
            client_await(c);
    } else {
        uint16_t flight = c->high, half = flight / 2;
        c->ssthresh = half < 2 * c->mss ? (uint16_t)(2 * c->mss) : half;
        c->cut |= c->retries >= 1;
        c->cwnd = c->mss;
        c->sent = 0;
        c->resend = 0;
        c->dupacks = 0;
        if (!c->awaited)
            client_await(c);
        count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
    }
    client_again(c);
    client_rto_arm(c);
}

static void client_due(struct whit_client_tcb *c)
{
    c->armed = 0;
    if (WHIT_FAST && c->ack_later) {
        c->ack_later = 0;
        client_owe_ack(c);
        return;
    }
    switch (c->state) {
    case CLIENT_TCB_SYN_SENT:
        if (c->sent == 0) {
            c->ask = 1;
            client_arm(c, CLIENT_ASK);
            client_ready(c);
        } else {
            c->sent = 0;
            count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
            client_again(c);
        }
        break;
    case CLIENT_TCB_OPEN:
        client_open_due(c);
        break;
    case CLIENT_TCB_TIME_WAIT:
        client_free(c);
        break;
    default:
        break;
    }
}

static uint16_t client_earlier(uint16_t next, bool counts, uint16_t tick)
{
    uint16_t left = tick_lt(now_ticks(), tick) ? (uint16_t)(tick - now_ticks()) : 0;
    return counts && left < next ? left : next;
}

static uint16_t clients_soonest(void)
{
    uint16_t next = TICKS_IDLE;
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++) {
        const struct whit_client_tcb *c = &client_tcbs[i];
        if (!c->armed && !c->awaited)
            continue;
        next = client_earlier(next, c->armed, c->deadline);
        next = client_earlier(next, c->awaited, c->give_up);
    }
    return next;
}

void clients_due(void)
{
    if (WHIT_FAST && tick_lt(now_ticks(), client_soonest))
        return;
    for (uint8_t i = 0; i < WHIT_CLIENTS; i++) {
        struct whit_client_tcb *c = &client_tcbs[i];
        if (c->awaited && !tick_lt(now_ticks(), c->give_up)) {
            count(WHIT_COUNT_GIVEN_UP);
            client_fail(c, c->state == CLIENT_TCB_OPEN);
        }
        if (c->armed && !tick_lt(now_ticks(), c->deadline))
            client_due(c);
    }
    if (WHIT_FAST)
        client_soonest = (uint16_t)(now_ticks() + clients_soonest());
}

uint16_t clients_next(void)
{
    if (queue_is_called())
        return 0;
    return WHIT_FAST ? client_earlier(TICKS_IDLE, true, client_soonest) : clients_soonest();
}
