// SPDX-License-Identifier: MIT
// The engine's front door: octets, time and frames.
#include <string.h>

#include "front.h"
#include "../base/buffer.h"
#include "../base/limits.h"
#include "../base/peer.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/stored.h"
#include "../base/tables.h"
#include "../base/tcb.h"
#include "../base/timer.h"
#include "../client/clients.h"
#include "../content/out.h"
#include "../link/link.h"
#include "../link/rx.h"
#include "../recovery/recovery.h"
#include "../tcp/tcp.h"
#include "../tls/tls.h"
#include "../wss/wss.h"
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

uint16_t whit_slots_of(uint32_t address) { return peer_slots(address); }

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
