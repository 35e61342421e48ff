// SPDX-License-Identifier: MIT
// Functions shared by the files of the frame fuzzers. A fuzzer has these parts: script.c (operations from the input's
// octets), client.c (clients that know the numbers that the engine expects), world.c (port and driver), check.c
// (properties). Its link is frames.c or slip.c.
#ifndef WHIT_FUZZ_H
#define WHIT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"
#include "core/octets.h"
#include "core/state.h"
#include "core/tcb.h"
#include "core/tables.h"
#include "http/http.h"
#include "response/response.h"
#include "tcp/internal.h"
#include "net/net.h"
#include "whit/driver.h"

#define CHECK(holds) ((holds) ? (void)0 : check_failed(#holds, __FILE__, __LINE__))
_Noreturn void check_failed(const char *what, const char *file, int line);

// ---------------------------------------------------------------------------------------------- link: frames.c, slip.c

// Wraps a datagram from a host for the link. Returns octets, at most 2 * len + 16.
size_t link_wrap(uint8_t *to, const uint8_t *mac, const uint8_t *datagram, size_t len);
// Returns the datagram in an engine's frame, in place; NULL: no datagram.
const uint8_t *link_unwrap(uint8_t *frame, size_t *len);
// The octets were the frame's last. On SLIP it does nothing, because the line has its END. False: the engine would see
// it again.
bool link_end(uint32_t now_ms);
void link_flush(uint32_t now_ms);    // ends a frame that has begun, on any link
extern const bool link_is_ethernet;

// ------------------------------------------------------------------------------------------------ world.c

#define FRAME_MAX 4096    // octets of a frame of ours on the link

struct world {
    uint32_t now_ms;
    uint8_t refuse_cnt;    // frames that the driver refuses although it was ready
    uint8_t busy_cnt;      // number of times that it is not ready
    uint8_t piece_len;     // octets of a whit_input(); 0: all at once
    uint8_t between;       // events between two pieces: bit 0 output, bit 1 a tick later
    uint32_t spent_us;     // by generators
    bool persistent_fails;
    bool frame_refused;    // link_end() was false
};
extern struct world world;
void world_begin(uint32_t now_ms, uint8_t seed);
void world_input(const uint8_t *octets, size_t len);    // without the frame's end
void world_frame(const uint8_t *octets, size_t len);
void world_advance(uint32_t ms);    // with ticks and output when due, as a port does
void world_output(uint16_t cnt_max);

// ------------------------------------------------------------------------------------------------ client.c

#define CLIENTS 4
#define REQUEST_MAX 5000    // octets of the longest request
#define HEARD_MAX 17000     // room for a TLS record

// Numbers as the client knows them, from the engine's last segments.
struct client {
    uint8_t mac[6];
    uint32_t addr;
    uint16_t port;
    bool tls;            // it speaks to the HTTPS port (sealed.c)
    uint32_t una;        // acknowledged by the engine: the next octet that it expects
    uint32_t rcv_nxt;    // after the octets that came in order
    uint32_t rcv_max;    // after the last that came
    uint32_t acked;      // its last acknowledgment
    uint32_t base;       // number of the first octet of `stream`, which is kept until it is acknowledged
    uint16_t stream_len;
    bool mixed;    // it also sent something else
    uint8_t stream[REQUEST_MAX];
    uint16_t heard_len;
    uint8_t heard[HEARD_MAX];    // octets that came in order, the first ones
};
extern struct client clients[CLIENTS];
void clients_begin(void);
void client_frame(const struct client *c, uint8_t protocol, uint8_t *payload, size_t len);    // checks sums on the way
void client_segment(const struct client *c, uint32_t seq, uint32_t ack, uint8_t flags, uint16_t wnd,
                    const uint8_t *options, uint8_t options_len, const uint8_t *payload, size_t len);
void client_receive(uint32_t to, const uint8_t *segment, size_t len);    // a segment that the engine sent
void client_trace(const char *who, uint32_t addr, const uint8_t *segment, size_t len);    // prints if FUZZ_TRACE is set
extern uint8_t client_lose;      // segments of the engine that will not come to their client
extern uint16_t client_spoil;    // added to the next segment's checksum
// Changes of the next datagram: an octet of its header is changed before its sum is computed, and `options_len` octets
// of options are added.
extern struct bend {
    uint8_t at, by, options_len;
} client_bend;

// ------------------------------------------------------------------------------------------------ requests_*.c

extern const uint8_t request_cnt;
uint16_t request_build(uint8_t *to, uint8_t index);    // writes octets of request `index`, REQUEST_MAX at most
// The output of a generator, or the beginning of it.
struct content {
    const uint8_t *octets;
    uint32_t len;
    uint32_t run;     // number of a persistent one's run; 0: none
    uint32_t addr;    // to whom
    uint16_t port;
    uint8_t persistence;    // enum whit_persistence
    bool ended;             // it is all of it
};
bool content_is_right(struct content *content);    // True if the application may write it; finds its run

// ------------------------------------------------------------------------------------- sealed.c, of targets with HTTPS

enum sealed_operation {
    // client, enum hello_form, n (random part; a client): appends a ClientHello to the client's stream
    DO_HELLO = 21,
    DO_FINISH,    // client, enum finish_form, -: its Finished does
    DO_SEAL,      // client, kind, n: a request or octets do, as records; as early data before its Finished
    DO_BREAK,     // client, place, exclusive or: changes an octet of the stream
};
__attribute__((weak)) void sealed_operate(uint8_t operation, struct client *c, uint8_t a, uint8_t b,
                                          const uint8_t *octets, size_t len);
__attribute__((weak)) void sealed_begin(void);
__attribute__((weak)) void sealed_opened(struct client *c);             // our SYN was answered
__attribute__((weak)) void sealed_hears(struct client *c);              // reads received records, and takes them out
__attribute__((weak)) void sealed_state(const struct whit_tcb *tcb);    // a slot that is taken, between two operations
__attribute__((weak)) void sealed_newcomer(void);                       // a client without a slot is served

// ------------------------------------------------------------------------------------------------ said.c

void said_begin(void);
void said_look(const struct whit_tcb *tcb);    // its response may be another one now, or none
void said_segment(const struct whit_tcb *tcb, uint32_t seq, const uint8_t *octets, size_t len, bool fin);
void said_check(void);     // between two operations
extern bool said_reset;    // a client sent RST in this operation

// ------------------------------------------------------------------------------------------------ check.c

void check_begin(void);
void check_frame(const uint8_t *datagram, size_t len);    // one that the engine sent
void check_state(void);                                   // between two operations
void check_end(void);    // without further input, the engine becomes idle and serves a newcomer

#endif
