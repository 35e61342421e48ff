// SPDX-License-Identifier: MIT
// Segments with their headers: by segment_plain.c in little flash, by segment_template.c with few instructions.
#ifndef WHIT_TCP_SEGMENT_OUT_H
#define WHIT_TCP_SEGMENT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/tcb.h"

#define SYN_LEN_MAX (WHIT_SACK ? 28 : 24)    // octets of a header with options
#define OPTIONS_SACK_PERMITTED UINT32_C(0x01010402)    // of a SYN, after two that say nothing

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
