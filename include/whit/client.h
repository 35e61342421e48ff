// SPDX-License-Identifier: MIT
// Connections that the server opens itself: for a database, for pages that merge what other hosts say.
//
// [client] in app.toml says how many there are at once and how many octets each keeps of what it sends and receives.
// None of these functions waits, and none sends: a persistent protothread (or a doPostIn that is one) waits by
// PT_WAIT_UNTIL, and is asked again when something happened to the connection that it asked about last: octets, room,
// its opening, its end. Timers and plain handlers may call all of them, and do not wait.
//
// A connection that is opened while a request is handled belongs to that request: when the request is over, or its
// client goes away, what it did not close is reset. client_keep() makes it outlive the request; what init or a timer
// opens is kept.
#ifndef WHIT_CLIENT_H
#define WHIT_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/public.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t whit_client;    // a connection; 0: none

enum client_state {
    CLIENT_NONE,    // not opened, or closed by us
    CLIENT_OPENING,
    CLIENT_OPEN,
    CLIENT_ENDED,    // the peer's FIN came; what came before it may still be read, and something be sent
    // refused, reset, or no answer in time; what came before may still be read, and client_close() gives it back
    CLIENT_FAILED,
};

// address: host order. timeout_ms: how long the peer may take for each answer, 4..65535. The time begins when the
// connection is opened, when something is sent, and when client_available() finds no more than before; octets that come
// end it, and so does client_skip(). When it is over, the connection has failed: one that is idle, because nobody asks
// for octets, stays open. 0: all are in use.
WHIT_PUBLIC whit_client client_open(uint32_t address, uint16_t port, uint16_t timeout_ms);
// it is no request's any more
WHIT_PUBLIC void client_keep(whit_client client);
// A kept one works for the request that is handled now, until that is over or another one is named; then one handler of
// the queue is called.
// false: no request is handled, or it is none
WHIT_PUBLIC bool client_lend(whit_client client);
WHIT_PUBLIC bool client_lent(whit_client client);    // that request is not over
WHIT_PUBLIC enum client_state client_state(whit_client client);

// octets that client_send() takes now, also while it is opening
WHIT_PUBLIC uint16_t client_room(whit_client client);
// all of them, or false: none
WHIT_PUBLIC bool client_send(whit_client client, const void *octets, uint16_t len);
// octets that were received and not read
WHIT_PUBLIC uint16_t client_available(whit_client client);
// of them [from, from + len), which stay; octets copied
WHIT_PUBLIC uint16_t client_peek(whit_client client, void *to, uint16_t from, uint16_t len);
// those at the front, *len of them in a row, until the next call
WHIT_PUBLIC const void *client_octets(whit_client client, uint16_t *len);
// these are read: the window opens
WHIT_PUBLIC void client_skip(whit_client client, uint16_t len);

// A handler that waits for what another one has, a connection that is kept for instance, is asked each 20 ms, as one
// that waits for anything. In the queue it is asked at once when it comes next and somebody calls: one handler for each
// call.
WHIT_PUBLIC void client_queue(void);    // the handler waits in the queue until it is asked again
WHIT_PUBLIC void client_call(void);

// The handle is worth nothing any more. client_close(): what was sent goes on its way, then a FIN; where octets were
// not read, a RST.
WHIT_PUBLIC void client_close(whit_client client);
WHIT_PUBLIC void client_abort(whit_client client);    // RST

#ifdef __cplusplus
}
#endif

#endif
