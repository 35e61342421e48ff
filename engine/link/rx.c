// SPDX-License-Identifier: MIT
// The frame being received: which octets of it are wanted next, and by whom.
#include "rx.h"
#include "../base/buffer.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "whit/engine.h"

void rx_begin(uint8_t stage, uint16_t need)
{
    whit.rx.stage = stage;
    whit.rx.need = need;
    whit.rx.have = 0;
}

void rx_ignore(enum whit_counter why)
{
    count(why);
    whit.rx.stage = RX_IGNORE;
    reservation_over(&whit.rx);
}

void rx_forget(const struct whit_tcb *slot)
{
    if (whit.rx.slot == slot && whit.rx.stage != RX_LINK_HEAD) {
        whit.rx.stage = RX_IGNORE;
        reservation_over(&whit.rx);
    }
}
