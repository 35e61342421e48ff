// SPDX-License-Identifier: MIT
// HTTP/1.1 GET on a connection that the server opens itself (whit/client.h): its field lines are read, its content is
// told without its coding. In a protothread, with a struct whit_http_get in its struct state_t:
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
    HTTP_GET_OCTETS,    // some of the content can be read
    HTTP_GET_END,       // all of it was read
    HTTP_GET_FAILED,    // no connection, no answer in time, a wrong answer, or one that ended too early
};

// Its fields are the engine's but for `status`.
struct whit_http_get {
    uint32_t left;    // octets of the content, or of its chunk
    uint32_t since_ms;
    uint16_t status;    // of the response, 200..599; 0: not known yet
    uint16_t timeout_ms;
    uint16_t head_left;    // octets that the head, or what stands between two chunks, may still have
    whit_client client;
    uint8_t step : 5;
    uint8_t chunked : 1;
    uint8_t has_length : 1;
    uint8_t long_line : 1;    // what follows of it is passed over
};

// address: host order. host: of the Host field; NULL: the address. target: from its "/" on. Both are copied; neither
// may have octets that are no visible ASCII. timeout_ms: for the connection, and then for each part of the answer;
// eight times that for all of it. False: no connection is free, or the request is too long for [client] send.
WHIT_PUBLIC bool http_get_begin(struct whit_http_get *get, uint32_t address, uint16_t port, const char *host,
                                const char *target, uint16_t timeout_ms);
WHIT_PUBLIC enum http_get_state http_get_state(struct whit_http_get *get);
// octets of the content that were copied
WHIT_PUBLIC uint16_t http_get_read(struct whit_http_get *get, void *to, uint16_t len);
// gives its connection back; at any time, and after the end too
WHIT_PUBLIC void http_get_end(struct whit_http_get *get);

#ifdef __cplusplus
}
#endif

#endif
