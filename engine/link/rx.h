// SPDX-License-Identifier: MIT
// The frame being received: which octets of it are wanted next (rx.c).
#ifndef WHIT_LINK_RX_H
#define WHIT_LINK_RX_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/state.h"
#include "../base/tcb.h"
#include "whit/engine.h"

// No octets of a segment are being read: what is kept of others may be.
static inline bool rx_rests(void) { return whit.rx.stage <= RX_IP_HEAD || whit.rx.stage == RX_IGNORE; }
void rx_begin(uint8_t stage, uint16_t need);   // the next `need` octets are for `stage`
void rx_ignore(enum whit_counter why);         // drop: count, and pass over the rest of the frame
void rx_forget(const struct whit_tcb *slot);   // the slot changed under a frame that is half in: drop that frame

// The slot of its connection; NULL: there is none, or it is not known yet.
static inline void rx_belongs_to(struct whit_rx *rx, struct whit_tcb *slot) { rx->slot = slot; }

// A header of so many octets is complete. What it leaves is carried.
static inline void rx_head_read(struct whit_rx *rx, uint8_t len) { rx->payload_len = (uint16_t)(rx->payload_len - len); }

#endif
