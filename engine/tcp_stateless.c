// SPDX-License-Identifier: MIT
// Segments for which there is no slot (RFC 9293 section 3.10.7.1 and .2): openings, resets, idle and closing
// connections. Answers are made of the segment's own numbers; the only thing that may be stored is a new slot.
#include "inner.h"

static void reset(void)
{
    uint32_t len = whit.rx.payload_len + ((seg_flags() & TCP_SYN) != 0) + ((seg_flags() & TCP_FIN) != 0);
    count(WHIT_DROP_TCP_UNKNOWN);
    if ((seg_flags() & TCP_ACK) != 0)
        tcp_answer(seg_ack(), 0, TCP_RST, 0);
    else
        tcp_answer(0, seg_seq() + len, TCP_RST | TCP_ACK, 0);
}

static void syn(void)
{
    struct whit_rx *rx = &whit.rx;
    if ((seg_flags() & TCP_ACK) != 0) {
        reset();
    } else if ((seg_flags() & TCP_FIN) != 0) {
        count(WHIT_DROP_TCP_HEADER);
    } else if (rx->mss < MSS_MIN) {
        count(WHIT_DROP_TCP_MSS);
    } else {
        uint8_t flavour = tag_flavours(rx->work.remote_addr, rx->work.remote_port) & 1;    // the other one than the tag's
        uint32_t iss = cookie_make(rx->work.remote_addr, rx->work.remote_port, seg_seq(), rx->mss, flavour);
        tcp_answer(iss, seg_seq() + 1, TCP_SYN | TCP_ACK, MSS_OURS);    // data on a SYN come again
    }
}

// The peer closes a connection on which nothing happens. A tag remembers the close for a FIN that comes again.
static void idle_fin(void)
{
    if (whit.rx.origin == ORIGIN_TAG) {
        whit_tags[whit.rx.tag].closing = 1;
        whit_tags[whit.rx.tag].mss4 = TAG_PEER_FIRST;
    }
    tcp_answer(seg_ack(), seg_seq() + 1, TCP_FIN | TCP_ACK, 0);
}

static void idle_data(void)
{
    struct whit_rx *rx = &whit.rx;
    if (http_starved(&rx->work)) {
        connection_starved();
        return;
    }
    rx->slot = connection_take(&rx->work);
    if (rx->slot == NULL) {
        count(WHIT_DROP_NO_SLOT);
        rx->again = true;
        return;
    }
    if (rx->origin == ORIGIN_TAG)
        whit_tags[rx->tag].age = 0;
    else if (rx->reopened)
        tag_forget(rx->work.remote_addr, rx->work.remote_port);
    request_commit(rx->slot);
}

// Our FIN was sent, and this is the octet behind which its acknowledgment was expected.
static void closing(void)
{
    bool peer_first = whit.rx.work.mss4 == TAG_PEER_FIRST;
    if (whit.rx.payload_len != 0 && !peer_first)
        reset();    // data that nobody will read
    else if ((seg_flags() & TCP_FIN) != 0)
        tcp_answer(seg_ack(), seg_seq() + 1, peer_first ? TCP_FIN | TCP_ACK : TCP_ACK, 0);
}

// RST with the numbers of an idle connection. Without ACK it cannot be told: the tag ages.
static void reset_received(void)
{
    const struct whit_tcb *work = &whit.rx.work;
    struct whit_tag *tag = NULL;
    if ((seg_flags() & TCP_ACK) != 0)
        tag = tag_find(work->remote_addr, work->remote_port, seg_seq(), seg_ack());
    if (tag != NULL) {
        tag->closing = 1;    // for a while: what comes on it still is answered by RST
        tag->mss4 = TAG_RESET;
    }
}

void stateless_commit(void)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t flags = seg_flags();
    if ((flags & TCP_RST) != 0) {
        reset_received();
    } else if (load16_be(rx->head + 2) != WHIT_TCP_PORT) {
        reset();
    } else if ((flags & TCP_SYN) != 0) {
        syn();
    } else if ((flags & TCP_ACK) == 0) {
        count(WHIT_DROP_TCP_HEADER);
    } else if (rx->origin == ORIGIN_UNKNOWN) {
        reset();
    } else if (rx->origin == ORIGIN_NEAR) {
        if (tag_is_reset(rx->work.remote_addr, rx->work.remote_port))
            reset();    // our RST was lost, or came where the peer did not take it
        else
            count(WHIT_DROP_TCP_SEQUENCE);
    } else if (rx->origin == ORIGIN_PROBE) {
        tcp_answer(seg_ack(), seg_seq() + 1, TCP_ACK, 0);
    } else if (rx->origin == ORIGIN_CLOSING) {
        closing();
    } else if (rx->payload_len != 0) {
        idle_data();
    } else if ((flags & TCP_FIN) != 0) {
        idle_fin();
    }
}
