// SPDX-License-Identifier: MIT
// Segments in (RFC 9293). The connection is looked up when the headers are complete. The data are parsed into
// rx.pending as they arrive. When the checksum holds, tcp_commit() lets them take effect.
#include <string.h>

#include "internal.h"
#include "tcp.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../outgoing/outgoing.h"
#include "../recovery/recovery.h"
#include "../response/response.h"

void tcp_head(void)
{
    struct whit_rx *rx = &whit.rx;
    uint8_t head_len = (uint8_t)((rx->head[12] >> 4) * 4);
    if (head_len < 20 || head_len > rx->payload_len) {
        rx_ignore(WHIT_DROP_TCP_HEADER);
        return;
    }
    rx_sum_tcp_head(rx);
    rx_head_read(rx, head_len);
    rx->mss = MSS_DEFAULT;
    rx->option_left = 0;
    if (WHIT_SACK)
        sack_begin();
    if (head_len > 20)
        rx_begin(RX_TCP_OPTIONS, (uint16_t)(head_len - 20u));
    else
        tcp_begin();
}

// Finds an idle connection, or one without a request yet, by the numbers of the segment. A connection that has sent a
// request is no longer known by its cookie; otherwise its first request could be repeated.
static void find_idle(struct whit_rx *rx)
{
    connection_open(&rx->pending, seg_seq(), seg_ack());
    rx->origin = HAS_TAGS ? tag_match() : ORIGIN_UNKNOWN;
    if (rx->origin > ORIGIN_CLOSING && (seg_flags() & TCP_ACK) != 0)
        cookie_match();
    if ((seg_flags() & TCP_SYN) != 0)    // nothing of it is read
        rx->origin = rx->origin <= ORIGIN_OUT_OF_ORDER ? ORIGIN_OUT_OF_ORDER : ORIGIN_UNKNOWN;
    else
        rx->skip = WHIT_KEEPS_FRAMES ? (uint16_t)(rx->pending.rcv_nxt - seg_seq()) : 0;
}

static void find_slot(struct whit_rx *rx)
{
    rx->origin = ORIGIN_SLOT;
    rx->pending = *rx->slot;
    if (WHIT_HAS_LOG)
        log_load(rx->slot);
    // octets of the data; more than there are when they are ahead of a gap
    uint32_t old = rx->pending.rcv_nxt - seg_seq();
    rx->skip = old < rx->payload_len ? (uint16_t)old : rx->payload_len;
    if (!frame_repeated() && !is_tls(rx->slot) && rx->skip < rx->payload_len &&
        response_finished_by(rx->slot, seg_ack()) && !(WHIT_HAS_BODY && body_pending(rx->slot))) {
        rx->brings_request = true;
        all_acknowledged(&rx->pending, seg_ack());
        request_begin(&rx->pending);
    }
}

void tcp_begin(void)
{
    struct whit_rx *rx = &whit.rx;
    rx_begin(RX_TCP_DATA, rx->payload_len);
    rx->accepted_len = 0;
    rx->queued_len = 0;
    reservation_new(rx);
    rx->truncated = false;
    rx->brings_request = false;
    rx->origin = ORIGIN_NO_PORT;
    rx->pending.remote_port = load16_be(rx->head);
    set_tls(&rx->pending, WHIT_TLS && load16_be(rx->head + 2) == WHIT_HTTPS_PORT);
    if (!IS_PORT_OF_OURS(load16_be(rx->head + 2))) {
        if (WHIT_CLIENTS != 0 && clients_find())
            rx->origin = ORIGIN_CLIENT;
        return;
    }
    rx_belongs_to(rx, table_find(&rx->pending));
    if (rx->slot != NULL)
        find_slot(rx);
    else
        find_idle(rx);
    if (WHIT_TLS && !sealed_reserve())
        rx->origin = ORIGIN_WRONG_SEQ;    // its keys are not known any more
}

// Stores octets in the shared buffer: octets of a body, after a complete request, or during a response.
static void store(struct whit_rx *rx, const uint8_t *octets, uint16_t len)
{
    bool more = !WHIT_HAS_BODY && !is_tls(&rx->pending) && rx->origin == ORIGIN_SLOT && input_waits(rx->slot);
    uint16_t room = !KEEPS_INPUT || more || rx->truncated ? 0 : buffer_input_room();
    if (room < len) {
        count(WHIT_DROP_NO_BUFFER);    // the peer retransmits octets without room
        rx->truncated = true;
        len = room;
    }
    if (!KEEPS_INPUT || len == 0)
        return;
    memcpy(buffer_reserved() + rx->reserved_len, octets, len);
    buffer_reserve(len);
    rx->queued_len = (uint16_t)(rx->queued_len + len);
    rx->accepted_len = (uint16_t)(rx->accepted_len + len);
}

// The same under TLS, up to where a record begins of which not all finds room.
static void store_records(struct whit_rx *rx, const uint8_t *octets, uint16_t len)
{
    while (len != 0 && !rx->truncated) {
        uint16_t room = sealed_room(), part = room < len ? room : len;
        if (room == 0) {
            count(WHIT_DROP_NO_BUFFER);
            rx->truncated = true;
        }
        store(rx, octets, part);
        octets += part;
        len = (uint16_t)(len - part);
    }
}

// Reads octets of a request that is redirected to HTTPS, and keeps them: its target and its Host are sent back. Returns
// their number.
static uint16_t redirect_data(struct whit_rx *rx, const uint8_t *octets, uint16_t len)
{
    bool keeps = rx->origin != ORIGIN_SLOT || redirect_keeps(rx->slot);
    uint16_t room = keeps ? buffer_input_room() : len;
    if (room < len) {
        count(WHIT_DROP_NO_BUFFER);
        rx->truncated = true;
        if (room == 0)
            request_starve(&rx->pending);
        len = room;
    }
    uint16_t parsed = http_parse(&rx->pending, octets, len);
    if (keeps && parsed != 0) {
        memcpy(buffer_reserved() + rx->reserved_len, octets, parsed);
        buffer_reserve(parsed);
        rx->queued_len = (uint16_t)(rx->queued_len + parsed);
    }
    return parsed;
}

void tcp_data(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    if (WHIT_CLIENTS != 0 && rx->origin == ORIGIN_CLIENT)
        clients_data(octets, len);
    if (rx->origin > ORIGIN_TAG || rx->pending.peer_fin)
        return;    // no connection of ours, or after a FIN (RFC 9293 section 3.10.7.4, seventh check)
    uint16_t old = rx->skip < len ? rx->skip : len;
    rx->skip = (uint16_t)(rx->skip - old);
    octets += old;
    len = (uint16_t)(len - old);
    if (rx->accepted_len > WHIT_RCV_WND)
        return;    // beyond the window
    if (rx->pending.state == TCB_REQUEST && !is_tls(&rx->pending)) {
        uint16_t parsed = REDIRECTS ? redirect_data(rx, octets, len) : http_parse(&rx->pending, octets, len);
        rx->accepted_len = (uint16_t)(rx->accepted_len + parsed);
        octets += parsed;
        len = (uint16_t)(len - parsed);
        if (REDIRECTS && !http_complete(&rx->pending) && !http_refused(&rx->pending))
            return;    // the peer retransmits octets without room
    }
    if (len == 0)
        return;
    if (rx->pending.state == TCB_REQUEST ? http_refused(&rx->pending) || (REDIRECTS && !is_tls(&rx->pending))
                                         : rx->pending.state == TCB_RESPONSE && (ALWAYS_CLOSES || rx->pending.close))
        rx->accepted_len = (uint16_t)(rx->accepted_len + len);    // they are not read
    else if (WHIT_HAS_BODY && is_tls(&rx->pending))
        store_records(rx, octets, len);
    else
        store(rx, octets, len);
}

// This and connection_room() are functions of their own, so that sending and answering do not lie below them on the
// stack.
__attribute__((noinline)) static void take_effect(void)
{
    if (WHIT_CLIENTS != 0 && whit.rx.origin == ORIGIN_CLIENT) {
        clients_commit();
        return;
    }
    uint8_t origin = whit.rx.origin;
    bool acks = origin == ORIGIN_COOKIE || (CLOSES_IDLE && origin == ORIGIN_CLOSING);
    if (HAS_REPEATS && (acks || (origin != ORIGIN_SLOT && (seg_flags() & TCP_RST) != 0)))
        repeats_over();
    tcp_judge();
}

void tcp_commit(void)
{
    do
        take_effect();
    while (whit.left_to_do >= LEFT_SLOT && connection_room());
    if (whit.left_to_do == LEFT_REQUEST) {
        whit.left_to_do = 0;
        request_commit(whit.rx.slot);
    }
    if (whit.left_to_do != 0)
        tcp_answer_now();
    if (WHIT_HOLDS_FRAMES)
        promised_latest();
}

// ------------------------------------------------------------------------------------------------ options

// TCP options (RFC 9293 section 3.1): the MSS of a SYN, and selective acknowledgments; all others are passed over by
// their length.

#define OPTION_NOP 1
#define OPTION_MSS 2
#define LENGTH 0xff    // option_left: a length comes next; 0: a kind

// Only the octets after an option's length count. A length below 2 leaves more than a header holds: no option follows.
// The padding after the end of options is such a length.
void tcp_options(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    for (; len != 0; len--) {
        uint8_t octet = *octets++;
        if (rx->option_left == 0) {
            rx->option_kind = octet;
            rx->option_left = octet == OPTION_NOP ? 0 : LENGTH;
        } else if (rx->option_left == LENGTH) {
            rx->option_left = (uint8_t)(octet - 2) & 0x7f;
            if (octet != 4)
                rx->option_kind = WHIT_SACK ? sack_kind(rx->option_kind) : 0;
        } else {
            rx->option_left--;
            if (rx->option_kind == OPTION_MSS)
                rx->mss = (uint16_t)(rx->mss << 8 | octet);
            else if (WHIT_SACK && rx->option_kind == OPTION_SACK)
                sack_octet(octet, rx->option_left);
        }
    }
}
