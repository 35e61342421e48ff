// SPDX-License-Identifier: MIT
// Timers of connections that the server opened: what is sent again (RFC 6298), windows that are probed, and patience.
#include "clients.h"
#include "client_tcb.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "whit/engine.h"

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
    c->timing = 0;    // Karn's algorithm
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
    case CLIENT_TCB_OPEN: client_open_due(c); break;
    case CLIENT_TCB_TIME_WAIT: client_free(c); break;
    default: break;
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
