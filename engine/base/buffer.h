// SPDX-License-Identifier: MIT
// The shared buffer (buffer.c): blocks that connections keep, and at its end what the frame being received claims.
#ifndef WHIT_BASE_BUFFER_H
#define WHIT_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "limits.h"
#include "state.h"
#include "tcb.h"

enum block_kind {
    BLOCK_ARGUMENTS,    // of the request: struct args_t
    BLOCK_OUTPUT,       // octets of a response that are kept (content_kept.c)
    BLOCK_INPUT,        // octets that were received and acknowledged, and not read yet
    BLOCK_RUN,          // what is kept of a generator between two segments
    BLOCK_BODY,         // of a request's body: where its reading stands
    BLOCK_ANSWER,       // what a handler chose of its response's head (answer.c)
    BLOCK_RESPONSE_CNT = BLOCK_ANSWER + WHIT_HAS_ANSWER,    // but for BLOCK_INPUT, those are of one request and its response
    BLOCK_SEALED = BLOCK_RESPONSE_CNT,    // with WHIT_TLS: records that are not read yet; what is read becomes BLOCK_INPUT
    BLOCK_TLS,                            // ... and struct sealed
    BLOCK_KIND_CNT = BLOCK_RESPONSE_CNT + 2 * WHIT_TLS
};
// Octets of a part of a block, such that another one may follow it: in fours on small devices too.
#define BUFFER_PART(len) (((len) + ((WHIT_ALIGNMENT - 1u) | 3u)) & ~((WHIT_ALIGNMENT - 1u) | 3u))

uint8_t *buffer_find(const struct whit_tcb *tcb, enum block_kind kind, uint16_t *len);
uint8_t *buffer_tail(uint16_t *room);                  // free octets after everything, until the next call into buffer.c
uint8_t *buffer_reserved(void);                        // start of the octets that the frame being received has reserved
bool buffer_reserve(uint16_t more);                     // takes `more` octets at the end for the frame; false: no room
bool buffer_reserve_block(uint16_t len);                 // the same, such that a second block may follow it
uint16_t buffer_input_room(void);                      // octets that may wait there as input: never the second half, which is for answers
bool buffer_keep(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // makes a block of the reservation's octets
void *buffer_make(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);   // makes one of the tail's; NULL: no room, or a reservation
void buffer_cut(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);     // keeps its first `len` octets
void buffer_append(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);  // the reservation's octets go to its end; always possible
void buffer_trim(const struct whit_tcb *tcb, enum block_kind kind, uint16_t len);    // drops its first `len` octets
bool buffer_move(const struct whit_tcb *tcb, uint16_t len);    // the first `len` octets of BLOCK_SEALED go to the end of BLOCK_INPUT; false: no room
void buffer_free(const struct whit_tcb *tcb, enum block_kind kind);
uint16_t buffer_held(const struct whit_tcb *tcb, uint16_t *cnt);    // octets of output that generators of others still write; cnt: and so many more
bool buffer_others(const struct whit_tcb *tcb);        // something of another connection is kept, which does not itself wait for room
void buffer_init(void);

// The reservation of the frame being received. Of what a request reserved first, its blocks are made when the checksum holds.
static inline void reservation_over(struct whit_rx *rx) { rx->reserved_len = 0; }    // it became blocks, or is forgotten
static inline void reservation_new(struct whit_rx *rx) { rx->arguments_reserved = rx->body_reserved = false; }    // it begins with neither
static inline void reservation_has_arguments(void) { whit.rx.arguments_reserved = true; }
static inline void reservation_has_body(void) { whit.rx.body_reserved = true; }
static inline void reservation_keeps_arguments(struct whit_rx *rx, const struct whit_tcb *tcb, uint16_t len)
{
    buffer_keep(tcb, BLOCK_ARGUMENTS, len);
    rx->arguments_reserved = false;
}
static inline void reservation_keeps_body(struct whit_rx *rx, const struct whit_tcb *tcb, uint16_t len)
{
    buffer_keep(tcb, BLOCK_BODY, len);
    rx->body_reserved = false;
}

static inline bool input_waits(const struct whit_tcb *tcb)
{
    uint16_t len;
    return KEEPS_INPUT && (buffer_find(tcb, BLOCK_INPUT, &len) != NULL || (is_tls(tcb) && buffer_find(tcb, BLOCK_SEALED, &len) != NULL));
}

#endif
