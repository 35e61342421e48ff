// SPDX-License-Identifier: MIT
// TCP connections that the server opens: for a database, or for pages that merge content of other hosts.
//
// [client] in app.toml sets the number of connections, and the length of their send and receive buffers in bytes. No
// function waits or sends. A persistent protothread, or a doPostIn that is a protothread, waits with PT_WAIT_UNTIL. The
// engine calls it again after an event of the connection that it used last: bytes, room, open, end. Timers and plain
// handlers may call all functions, but cannot wait.
//
// A connection that a handler opens belongs to the request. The engine resets it when the request ends or its client
// disconnects. client_keep() makes it outlive the request. Connections that init or a timer opens are kept.
#ifndef WHIT_CLIENT_H
#define WHIT_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/public.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t whit_client;    // a connection; 0: no connection

enum client_state {
    CLIENT_NONE,    // not opened, or closed by us
    CLIENT_OPENING,
    CLIENT_OPEN,
    CLIENT_ENDED,    // The peer sent FIN. Received bytes can still be read, and bytes sent.
    // Refused, reset, or no answer in time. Received bytes can still be read; client_close() frees the connection.
    CLIENT_FAILED,
};

// Opens a connection. address: host order. timeout_ms: the longest wait for each answer, 4..65535 ms. The wait begins
// when the connection is opened, at client_send(), and when client_available() finds no new bytes. Received bytes and
// client_skip() end it. At the time-out the state becomes CLIENT_FAILED. An idle connection, of which no handler asks
// for bytes, stays open. Returns 0 if all connections are in use.
WHIT_PUBLIC whit_client client_open(uint32_t address, uint16_t port, uint16_t timeout_ms);
// Keeps the connection open after the request ends.
WHIT_PUBLIC void client_keep(whit_client client);
// Assigns a kept connection to the current request, until the request ends or another request borrows it. Then the
// engine calls one handler of the queue. False: there is no current request, or no such connection.
WHIT_PUBLIC bool client_lend(whit_client client);
WHIT_PUBLIC bool client_lent(whit_client client);    // True while the request that borrowed the connection is active.
WHIT_PUBLIC enum client_state client_state(whit_client client);

// Returns the bytes that client_send() accepts now, also while the connection opens.
WHIT_PUBLIC uint16_t client_room(whit_client client);
// Queues all `len` bytes, or returns false and queues nothing.
WHIT_PUBLIC bool client_send(whit_client client, const void *octets, uint16_t len);
// Returns the number of received bytes that were not read.
WHIT_PUBLIC uint16_t client_available(whit_client client);
// Copies received bytes [from, from + len) and keeps them. Returns the number of bytes copied.
WHIT_PUBLIC uint16_t client_peek(whit_client client, void *to, uint16_t from, uint16_t len);
// Returns the first received bytes and sets *len to their number, up to the end of the ring. Valid until the next call.
WHIT_PUBLIC const void *client_octets(whit_client client, uint16_t *len);
// Marks `len` bytes as read, which opens the receive window.
WHIT_PUBLIC void client_skip(whit_client client, uint16_t len);

// A handler that waits for another handler, for instance for a kept connection, is called every 20 ms like any other.
// In the queue it is called at once: each client_call() calls the next handler of the queue.
WHIT_PUBLIC void client_queue(void);    // Adds the current handler to the queue until it is called again.
WHIT_PUBLIC void client_call(void);

// Both invalidate the handle. client_close() sends the queued bytes and a FIN; a RST if received bytes were not read.
WHIT_PUBLIC void client_close(whit_client client);
WHIT_PUBLIC void client_abort(whit_client client);    // sends a RST

#ifdef __cplusplus
}
#endif

#endif
