// SPDX-License-Identifier: MIT
// Connections that the server opens (whit/client.h), for the layers above: their segments, their timers, and their
// waiting handlers.
#ifndef WHIT_OUTGOING_OUTGOING_H
#define WHIT_OUTGOING_OUTGOING_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tcb.h"

void clients_init(void);

// Finds the connection of the frame being received, when its TCP header is complete; false: none of these connections.
bool clients_find(void);
void clients_data(const uint8_t *octets, uint16_t len);
void clients_commit(void);    // its checksum holds

void clients_due(void);         // timers
uint16_t clients_next(void);    // ticks until the next is due
void clients_ready(void);       // any of them may have something to send
bool clients_turn(void);        // True if outgoing connections go before the slots, this time
bool clients_output(void);      // sends one segment; false: none

// its request is over: resets the connections that it opened and did not close
void clients_over(const struct whit_tcb *slot);
uint16_t clients_woken(void);    // 1 + number of a slot for whose handler something happened; 0: no more

// 1 + number of the slot whose handler runs, 0: none. It is not used in an image without these connections.
extern uint16_t client_asker;
// WHIT_FAST: bits of the slots whose handler ran for this request.
#define CLIENT_ASKED_LEN (WHIT_FAST ? WHIT_CONNECTIONS / 8 + 1 : 1)
extern uint8_t client_asked[CLIENT_ASKED_LEN];
static inline void client_asks(const struct whit_tcb *slot)
{
    if (WHIT_CLIENTS != 0)
        client_asker = (uint16_t)(slot - whit_slots + 1);
    if (WHIT_CLIENTS != 0 && WHIT_FAST)
        client_asked[client_asker / 8] |= (uint8_t)(1u << client_asker % 8);
}
static inline void client_asks_no_more(void)
{
    if (WHIT_CLIENTS != 0)
        client_asker = 0;
}

#endif
