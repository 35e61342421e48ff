// SPDX-License-Identifier: MIT
// Responses under TLS: records, which are functions of their position too. Positions of such a connection count octets on the wire.
#ifndef WHIT_CONTENT_SEALED_H
#define WHIT_CONTENT_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "content.h"
#include "../base/position.h"
#include "../base/tcb.h"
#include "../tls/tls.h"

// Of what a thread writes: chunks that are kept as records.
struct kept_sealed {
    uint32_t cnt;
    uint16_t first_len;    // octets of the first one, which is sealed when the number of records of the head is known; 0: it is sealed, or not there
};

// BLOCK_TLS. When the handshake is over, what is behind tls.kept is cut off.
struct sealed {
#if WHIT_HTTPS_EARLY
    uint16_t flight_len;       // the answer to early data begins with so many octets of the handshake's flight; 0: it is not of early data
    uint16_t window;           // that the peer told last while its hello came in
#endif
    struct tls tls;
    struct tls_partial in;     // of the handshake. Of records with content all octets are waited for, in BLOCK_SEALED
};
#define SEALED_CUT (offsetof(struct sealed, tls) + offsetof(struct tls, flight))    // its octets after the handshake
struct sealed *sealed_of(const struct whit_tcb *tcb);

#if WHIT_HTTPS_EARLY
static inline uint16_t sealed_flight(const struct sealed *s) { return s->flight_len; }
static inline void sealed_set_flight(struct sealed *s, uint16_t len) { s->flight_len = len; }
bool sealed_defers(const struct whit_tcb *tcb);    // its request waits for the client's Finished: somebody else may have sent it once more
#else
static inline uint16_t sealed_flight(const struct sealed *s) { (void)s; return 0; }
static inline void sealed_set_flight(struct sealed *s, uint16_t len) { (void)s; (void)len; }
static inline bool sealed_defers(const struct whit_tcb *tcb) { (void)tcb; return false; }
#endif

// sealed_room.c: where bodies are read. Other requests hardly have records of several segments.
#define SEALED_RECORD_MAX (INPUT_LEN - sizeof(struct sealed) - 64)    // octets of a record that finds room. A longer one is verified, and refused
uint16_t sealed_room(void);                                       // octets of the frame at hand that find room: up to the end of a header, or of a record
bool sealed_finds_room(const struct whit_tcb *tcb);               // octets that come next do
void sealed_took(const struct whit_tcb *tcb);                     // octets did, and are in BLOCK_SEALED

bool sealed_own(const struct whit_tcb *tcb);                      // the response is TLS's own: a flight, an alert
void sealed_begin_own(struct whit_tcb *tcb);
void sealed_extent(const struct whit_tcb *tcb, struct extent *e); // response_extent() of a connection under TLS
// Seals what stands at `position`: `len` octets, which are there until the next call.
enum walked sealed_make(const struct whit_tcb *tcb, whit_position position, const uint8_t **octets, uint16_t *len);
uint16_t sealed_chunk_max(const struct whit_tcb *tcb);            // octets of a chunk that is kept sealed
// Seals it where it is kept; head_len 0: when the head is known, by sealed_first().
void sealed_chunk(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record, uint16_t len);
void sealed_first(const struct whit_tcb *tcb, struct kept_sealed *kept, whit_position head_len, uint8_t *record);
uint16_t sealed_record_len(const struct whit_tcb *tcb);           // content of each record, of a connection that begins
uint16_t sealed_last(const struct whit_tcb *tcb, const uint8_t **octets);    // close_notify, after which nothing is sealed
void sealed_over(struct whit_tcb *tcb);                           // all of a response was acknowledged

#endif
