// SPDX-License-Identifier: MIT
// Segments with their headers: by segment_plain.c in little flash, by segment_template.c with few instructions.
#ifndef WHIT_TCP_SEGMENT_OUT_H
#define WHIT_TCP_SEGMENT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/tcb.h"

#define SYN_LEN (WHIT_SACK && sack_permitted() ? 28 : 24)    // octets of a SYN's header, with options
#define BLOCK_LEN 32                                          // ... of one with a block of RFC 2018
#define HEADER_LEN_MAX (WHIT_SACK ? WHIT_HOLDS_FRAMES ? BLOCK_LEN : 28 : 24)
#define OPTIONS_BLOCK UINT32_C(0x0101050a)                    // two that say nothing; SACK, one block
#define OPTIONS_SACK_PERMITTED UINT32_C(0x01010402)    // of a SYN, after two that say nothing

// tcp_promised.c: octets that the driver keeps behind RCV.NXT, and the block of an acknowledgment that leaves; false: it has none.
#if WHIT_HOLDS_FRAMES
uint16_t promised_len(const struct whit_tcb *tcb);
bool block_told(uint32_t *from, uint32_t *to);
#else
static inline uint16_t promised_len(const struct whit_tcb *tcb) { (void)tcb; return 0; }
static inline bool block_told(uint32_t *from, uint32_t *to) { (void)from; (void)to; return false; }
#endif

// Begins a frame with IPv4 and TCP headers, of 40 octets or with a SYN's options of 44 or 48, for a payload of such length and sum.
// tcb may be rx.pending: it answers the segment being received. False: it cannot be sent, and nothing has left.
bool segment_begin(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, uint16_t payload_len, uint16_t payload_sum);

// Sends the next full segment of a file by the template for it. Returns the offset from snd_una that it ends at; what is in flight: it
// cannot be sent now; 0: what comes next is no such segment, or the windows do not let all of it go.
uint32_t segment_next(struct whit_tcb *tcb);

// With WHIT_HAS_LARGE. Octets that one frame may have of this response, which the hardware sums and cuts into full segments; 0: it is no file, or
// the hardware does not do that.
uint16_t segment_large(const struct whit_tcb *tcb);
bool segment_begin_large(const struct whit_tcb *tcb, uint32_t seq, uint8_t flags, uint16_t payload_len);    // as segment_begin()

#endif
