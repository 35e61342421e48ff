// SPDX-License-Identifier: MIT
// For the files of this layer only: a connection that the server opened.
#ifndef WHIT_OUTGOING_INTERNAL_H
#define WHIT_OUTGOING_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/limits.h"
#include "../core/state.h"

// States of RFC 9293. For the states after ESTABLISHED, see `fin` and `peer_fin`.
enum client_tcb_state {
    CLIENT_TCB_FREE,
    CLIENT_TCB_SYN_SENT,    // or about to be: the next hop may be unknown
    CLIENT_TCB_OPEN,
    CLIENT_TCB_TIME_WAIT,
    CLIENT_TCB_RESET,     // no request owns it: a RST is to be sent, then it is free
    CLIENT_TCB_FAILED,    // until its handle is given back
};

enum client_fin { FIN_NONE, FIN_DUE /* after the octets of the send buffer; perhaps sent */, FIN_ACKED };

struct whit_client_tcb {
    uint32_t remote_addr;    // host order
    uint32_t snd_una, rcv_nxt;
    uint32_t timed_seq;    // its acknowledgment ends a round trip
    uint16_t remote_port, local_port;
    uint16_t mss;    // the peer's
    uint16_t snd_wnd, cwnd, ssthresh;
    uint16_t send_first, send_len;    // octets from snd_una on, in a ring
    uint16_t sent;                    // octets of the queue and the FIN that need not be sent now; a SYN counts as one
    uint16_t high;                    // octets that were sent at least once
    uint16_t receive_first, receive_len;    // octets that were received and not read, in a ring
    uint16_t window;                        // window announced to the peer, from rcv_nxt on
    uint16_t rto, srtt8, rttvar4;           // ticks, eighths and quarters of them; srtt8 0: not measured
    uint16_t timed_at;                      // tick
    uint16_t deadline;                      // tick of the retransmission, the next request or the end
    uint16_t give_up;                       // tick, with `awaited`
    uint16_t timeout;                       // ticks
    // 1 + number of the slot whose request opened it, or, with `lent`, for which it works; 0: kept
    uint16_t owner;
    uint16_t waiter;        // the same, of the handler that used it last
    uint8_t state;          // enum client_tcb_state
    uint8_t challenged;     // time of the last challenge ACK
    uint8_t retries : 3;    // the RTO is so often doubled
    uint8_t dupacks : 2;
    uint8_t fin : 2;         // enum client_fin
    uint8_t peer_fin : 1;    // received
    uint8_t passive : 1;     // ... before we closed: there is no TIME-WAIT
    uint8_t closed : 1;      // its handle was given back
    uint8_t armed : 1;       // deadline counts
    uint8_t awaited : 1;     // give_up counts
    uint8_t timing : 1;      // timed_seq counts
    uint8_t ack_now : 1;
    uint8_t resend : 1;    // the segment at snd_una is to be sent again
    uint8_t probe : 1;     // an octet is to be sent into a closed window
    uint8_t rst_due : 1;
    uint8_t ask : 1;      // the next hop is to be requested
    uint8_t woken : 1;    // something happened for its waiter
    uint8_t cut : 1;      // routers may cut its segments, as those of a slot (link_cuts())
    uint8_t lent : 1;     // it outlives its owner
    // WHIT_FAST, with `armed`: until the deadline an acknowledgment waits for data to carry it
    uint8_t ack_later : 1;
};

#define CLIENT_PLACES (WHIT_CLIENTS != 0 ? WHIT_CLIENTS : 1)    // an image without them does not refer to it
extern struct whit_client_tcb client_tcbs[CLIENT_PLACES];
extern uint8_t client_send_rings[CLIENT_PLACES][WHIT_CLIENT_SEND],
    client_receive_rings[CLIENT_PLACES][WHIT_CLIENT_RECEIVE];

// connection whose frame is being received; NULL: none, or its state has changed since the header came
extern struct whit_client_tcb *client_incoming;
extern bool client_any;                          // one may have something to send
extern struct whit_client_tcb *client_alone;     // ... WHIT_FAST, with client_any: only this one; NULL: any
void client_ready(struct whit_client_tcb *c);    // clients_ready(), of one of them

#define CLIENT_MSS (WHIT_CLIENT_RECEIVE < MSS_MAX ? WHIT_CLIENT_RECEIVE : MSS_MAX)    // MSS that we announce
#define CLIENT_RTO_MIN TICKS(200)                                                     // as in full recovery (tcp.md)
#define CLIENT_TIME_WAIT TICKS(8000)    // a place that is needed leaves it earlier
#define CLIENT_ACK_LATER TICKS(40)      // delay of an acknowledgment; 500 ms are permitted (RFC 1122 section 4.2.3.2)
#define CLIENT_ASK TICKS(1000)          // between two ARP requests (RFC 1122 section 2.3.2.1)

extern uint16_t client_soonest;    // WHIT_FAST: nothing is due before this tick
static inline void client_sooner(uint16_t tick)
{
    if (WHIT_FAST && tick_lt(tick, client_soonest))
        client_soonest = tick;
}

// ticks may lie up to 65 s ahead
static inline void client_arm(struct whit_client_tcb *c, uint16_t ticks)
{
    c->deadline = (uint16_t)(now_ticks() + ticks);
    c->armed = 1;
    client_sooner(c->deadline);
}

static inline uint8_t client_number(const struct whit_client_tcb *c)
{
    return (uint8_t)(c - client_tcbs);
}

extern uint8_t client_woken_cnt;    // WHIT_FAST: limit of the number that are woken
static inline void client_wake(struct whit_client_tcb *c)
{
    if (WHIT_FAST && !c->woken)
        client_woken_cnt++;
    c->woken = 1;
}

// Returns the octets to be sent and acknowledged, our FIN included.
static inline uint16_t client_total(const struct whit_client_tcb *c)
{
    return (uint16_t)(c->send_len + (c->fin == FIN_DUE));
}

void client_owe_ack(struct whit_client_tcb *c);
void client_owe_ack_later(struct whit_client_tcb *c);    // at once, where one is owed already, or the timer is needed
void client_await(struct whit_client_tcb *c);            // starts the peer's time for an answer
void client_free(struct whit_client_tcb *c);
void client_fail(struct whit_client_tcb *c, bool reset);    // reset: sends a RST
void client_rto_arm(struct whit_client_tcb *c);
void client_rtt(struct whit_client_tcb *c, uint16_t ticks);    // a round trip was measured
uint16_t client_window(struct whit_client_tcb *c);             // window of a segment
// True if an announcement is worth it (RFC 9293 section 3.8.6.2.2)
bool client_window_grows(const struct whit_client_tcb *c);
// with octets of its ring
bool client_segment(struct whit_client_tcb *c, uint32_t seq, uint8_t flags, uint16_t from, uint16_t len);

#endif
