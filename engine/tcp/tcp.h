// SPDX-License-Identifier: MIT
// TCP (RFC 9293): segments in and out, connections and their timers.
#ifndef WHIT_TCP_TCP_H
#define WHIT_TCP_TCP_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/tcb.h"

void tcp_head(void);                                      // the first 20 octets are complete
void tcp_options(const uint8_t *octets, uint16_t len);    // finds the MSS
void tcp_begin(void);                                     // headers complete: find the connection
void tcp_data(const uint8_t *octets, uint16_t len);
void tcp_commit(void);    // the segment ended and its checksum holds

void segment_init(void);                  // segment_plain.c, or segment_template.c
bool tcp_output(struct whit_tcb *tcb);    // sends one waiting segment; false: none

// its deadline has come: arms the next one, or gives the slot back
void connection_due(struct whit_tcb *tcb);
// connections that wait for room try again: some may be free now
void connection_wake(bool between_frames);

void repeats_init(void);        // reply.c; with HAS_REPEATS
void repeats_due(void);         // sends those again whose time has come
uint16_t repeats_next(void);    // ticks until the next is due

// slices.c; where HAS_SLICES
void turns_init(void);
void turns_busy(void);    // a frame came or left
void turns_take(void);    // nothing else is to be done: a slice of a long computation
bool turns_wait(void);    // there are slices to be computed

void sealed_init(void);     // slot_tls.c; where WHIT_TLS is not 0
void sealed_clock(void);    // ... at least once in each half of the 32 bits of milliseconds

#if WHIT_HOLDS_FRAMES
uint16_t held_window(void);    // window of an answer to the current frame
#else
static inline uint16_t held_window(void)
{
    return WHIT_RCV_WND;
}
#endif
void held_over(void);     // kept_frames.c: the current frame has ended; where WHIT_KEEPS_FRAMES
void block_over(void);    // kept_frames.c: the same; where WHIT_HOLDS_FRAMES

void tag_sweep(void);             // frees tags that are too old
uint16_t tag_sweep_next(void);    // with CLOSES_IDLE: ticks until it has something to do

#endif
