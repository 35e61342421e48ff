// SPDX-License-Identifier: MIT
// The engine's front door: octets, time and frames.
#include <string.h>

#include "engine.h"
#include "core/buffer.h"
#include "core/limits.h"
#include "core/persistent.h"
#include "core/state.h"
#include "core/tables.h"
#include "core/tcb.h"
#include "net/net.h"
#include "outgoing/outgoing.h"
#include "recovery/recovery.h"
#include "response/response.h"
#include "tcp/tcp.h"
#include "tls/tls.h"
#include "wss/wss.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

// Time is an argument of every call into the engine.
static void at(uint32_t now_ms)
{
    whit.now_ms = now_ms;
    METER_CHARGE();
}

void whit_init(const struct whit_network *network, uint32_t now_ms)
{
    if (!WHIT_STARTS_ONCE)
        memset(&whit, 0, sizeof whit);
    if (WHIT_COUNTER_BITS != 0 && !WHIT_STARTS_ONCE)
        memset(whit_counters, 0, sizeof whit_counters);
    whit.network = network;
    at(now_ms);
    whit.challenged = (uint8_t)((now_ms >> CHALLENGE_SHIFT) - 1);
    whit.swept = (uint8_t)(now_ms / AGE_MS);
    whit_port_entropy((uint8_t *)whit.key, sizeof whit.key);
    buffer_init();
    table_init();
    link_init();
    recovery_init();
    segment_init();
    if (WHIT_TLS) {
        tls_start();
        sealed_init();
    }
    if (HAS_SLICES)
        turns_init();
    if (WHIT_TLS && WHIT_HAS_GENERATORS)
        out_init();
    if (HAS_REPEATS)
        repeats_init();
    if (WHIT_CLIENTS != 0)
        clients_init();
    if (WHIT_TIMERS != 0)
        timer_init();
    if (HAS_WSS)
        wss_init();
    line_begin();
    if (WHIT_HAS_STORED)
        stored_init();
    if (WHIT_HAS_GENERATORS)
        whit_application_init();
}

void whit_input(const uint8_t *octets, uint16_t len, uint32_t now_ms)
{
    at(now_ms);
    line_input(octets, len);
}

enum whit_taken whit_input_end(uint32_t now_ms)
{
    at(now_ms);
    whit.rx.taken = WHIT_TAKEN;
    dispatch_end();
    if (HAS_SLICES)
        turns_busy();
    if (!WHIT_KEEPS_FRAMES)
        return WHIT_TAKEN;
    whit.rx.repeated = whit.rx.was_ahead = false;
    held_over();
    if (WHIT_HOLDS_FRAMES)
        block_over();
    return (enum whit_taken)whit.rx.taken;
}

void whit_input_again(enum whit_taken said)
{
    whit.rx.repeated = WHIT_KEEPS_FRAMES;
    whit.rx.was_ahead = said == WHIT_AHEAD;
}

uint16_t whit_slots_of(uint32_t address)
{
    return peer_slots(address);
}

void whit_tick(uint32_t now_ms)
{
    at(now_ms);
    if (WHIT_TLS)
        sealed_clock();
    if (HAS_TAGS)
        tag_sweep();
    struct whit_tcb *tcb;
    while ((tcb = table_due()) != NULL)
        connection_due(tcb);    // re-arms or releases it
    if (WHIT_TIMERS != 0)
        timer_due();
    if (HAS_REPEATS)
        repeats_due();
    if (WHIT_CLIENTS != 0)
        clients_due();
    connection_wake(SEALED_STARVES && rx_rests());
}

bool whit_output(uint32_t now_ms)
{
    at(now_ms);
    struct whit_tcb *tcb;
    if (WHIT_CLIENTS != 0 && clients_turn() && clients_output())
        return true;
    while (whit_driver_ready() && (tcb = table_next_ready()) != NULL)    // each turn takes one off
        if (tcp_output(tcb)) {
            if (HAS_SLICES)
                turns_busy();
            return true;
        }
    if (WHIT_CLIENTS != 0 && clients_output())
        return true;
    if (HAS_SLICES)
        turns_take();
    return false;
}

uint32_t whit_next_ms(uint32_t now_ms)
{
    at(now_ms);
    if (HAS_SLICES && turns_wait())
        return 0;
    uint16_t next = table_next(), timer = WHIT_TIMERS != 0 ? timer_next() : next;
    if (timer < next)
        next = timer;
    uint16_t client = WHIT_CLIENTS != 0 ? clients_next() : next;
    if (client < next)
        next = client;
    if (SEALED_STARVES && whit.waiting && next > WAIT_POLL)
        next = WAIT_POLL;
    uint16_t repeat = HAS_REPEATS ? repeats_next() : next, sweep = CLOSES_IDLE ? tag_sweep_next() : next;
    if (sweep < next)
        next = sweep;
    return (uint32_t)(repeat < next ? repeat : next) * TICK_MS;
}

// -------------------------------------------------------------------------------------------- octets go to their layer

// Octets of the frame being received go to the layer that expects them: headers when they are complete, data as they
// arrive. They take effect in dispatch_end(), or never.

__attribute__((noinline)) static void complete(void)
{
    switch (whit.rx.stage) {
    case RX_LINK_HEAD:
        link_head();
        break;
    case RX_ARP_HEAD:
        arp_head();
        break;
    case RX_IP_HEAD:
        ipv4_head();
        break;
    case RX_IP_OPTIONS:
        ipv4_options();
        break;
    case RX_TCP_HEAD:
        tcp_head();
        break;
    case RX_TCP_OPTIONS:
        tcp_begin();
        break;
    case RX_ICMP_HEAD:
        if (WHIT_PING)
            icmp_head();
        break;
    case RX_UDP_HEAD:
        if (WHIT_HAS_UNREACHABLE)
            udp_head();
        break;
    default:
        break;    // looked at when the frame ends
    }
}

// Octets that are not collected.
static void pass(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    rx_sum_octets(rx, octets, len);
    if (rx->stage == RX_TCP_DATA)
        tcp_data(octets, len);
    else if (rx->stage == RX_TCP_OPTIONS)
        tcp_options(octets, len);
    else if (WHIT_PING && rx->stage == RX_ICMP_DATA)
        icmp_data(octets, len);
}

// Every turn consumes octets, or ends: the octets after a datagram in its frame are padding (RFC 1122 section 2.3.3).
void dispatch_octets(const uint8_t *octets, uint16_t len)
{
    struct whit_rx *rx = &whit.rx;
    while (len != 0 && rx->stage != RX_IGNORE && rx->have != rx->need) {
        if (WHIT_FAST && len >= sizeof rx->head && rx->stage <= RX_COLLECTED && rx->have == 0) {
            // a run of a known length; the next header overwrites the surplus
            memcpy(rx->head, octets, sizeof rx->head);
            rx->have = rx->need;
            octets += rx->need;
            len = (uint16_t)(len - rx->need);
            complete();
            continue;
        }
        uint16_t taken = (uint16_t)(rx->need - rx->have);
        if (taken > len)
            taken = len;
        if (rx->stage <= RX_COLLECTED)
            memcpy(rx->head + rx->have, octets, taken);
        else
            pass(octets, taken);
        rx->have = (uint16_t)(rx->have + taken);
        if (rx->have == rx->need)
            complete();
        octets += taken;
        len = (uint16_t)(len - taken);
    }
}

void dispatch_end(void)
{
    struct whit_rx *rx = &whit.rx;
    count(WHIT_COUNT_FRAMES_IN);
    if (rx->stage != RX_IGNORE && rx->have != rx->need)
        count(WHIT_DROP_FRAME_SHORT);
    else if (rx->stage == RX_TCP_DATA)
        rx->sum == RX_SUM_RIGHT ? tcp_commit() : count(WHIT_DROP_TCP_CHECKSUM);
    else if (WHIT_PING && rx->stage == RX_ICMP_DATA)
        rx->sum == RX_SUM_RIGHT ? icmp_commit() : count(WHIT_DROP_ICMP);
    else if (WHIT_HAS_UNREACHABLE && rx->stage == RX_UDP_DATA)
        udp_commit();
    else if (rx->stage == RX_ARP_BODY)
        arp_commit();
    if (WHIT_CLIENTS != 0 && (!WHIT_FAST || rx->stage == RX_ARP_BODY))
        clients_ready();    // ARP may have answered
    reservation_over(rx);
    line_begin();
    connection_wake(true);
}
