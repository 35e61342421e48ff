// SPDX-License-Identifier: MIT
// HTTP/1.1 GET on a connection that the server opens (whit/client.h). It reads the field lines and removes the chunked
// coding. Use it in a protothread, with a struct whit_http_get in struct state_t:
//     if (!http_get_begin(&state->get, address, 80, "example.org", "/now.json", 3000)) ...
//     while (http_get_state(&state->get) != HTTP_GET_END) {
//         PT_WAIT_UNTIL(pt, http_get_state(&state->get) != HTTP_GET_WAITS);
//         if (http_get_state(&state->get) == HTTP_GET_FAILED) ...
//         len = http_get_read(&state->get, octets, sizeof octets);
//         ...
//     }
//     http_get_end(&state->get);
#ifndef WHIT_HTTP_GET_H
#define WHIT_HTTP_GET_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/client.h"

#ifdef __cplusplus
extern "C" {
#endif

enum http_get_state {
    HTTP_GET_WAITS,     // nothing to read yet
    HTTP_GET_OCTETS,    // a part of the content can be read
    HTTP_GET_END,       // all of the content was read
    HTTP_GET_FAILED,    // no connection, no answer in time, an invalid answer, or one that ended too early
};

// The engine uses all fields. An application may read `status`.
struct whit_http_get {
    uint32_t left;    // bytes left of the content or its chunk
    uint32_t since_ms;
    uint16_t status;    // status of the response, 200..599; 0: not known yet
    uint16_t timeout_ms;
    uint16_t head_left;    // bytes that the head, or the lines between two chunks, may still have
    whit_client client;
    uint8_t step : 5;
    uint8_t chunked : 1;
    uint8_t has_length : 1;
    uint8_t long_line : 1;    // the rest of the line is skipped
};

// Sends a GET request. address: host order. host: value of the Host field; NULL: the address. target: begins with "/".
// Both are copied, and must be visible ASCII. timeout_ms: limit for the connection and for each part of the answer, in
// milliseconds; the whole answer may take eight times as long. False: no connection is free, an invalid byte, or the
// request is longer than [client] send.
WHIT_PUBLIC bool http_get_begin(struct whit_http_get *get, uint32_t address, uint16_t port, const char *host,
                                const char *target, uint16_t timeout_ms);
WHIT_PUBLIC enum http_get_state http_get_state(struct whit_http_get *get);
// Copies up to `len` bytes of the content. Returns the number of bytes copied.
WHIT_PUBLIC uint16_t http_get_read(struct whit_http_get *get, void *to, uint16_t len);
// Closes the connection. Call it at any time, also after the end.
WHIT_PUBLIC void http_get_end(struct whit_http_get *get);

#ifdef __cplusplus
}
#endif

#endif
