// SPDX-License-Identifier: MIT
// SLIP (RFC 1055) has one peer and no address: a frame is the datagram.
#include <stddef.h>

#include "net.h"
#include "../core/state.h"
#include "whit/driver.h"
#include "whit/port.h"

void link_init(void)
{
}

void link_begin(void)
{
    rx_begin(RX_IP_HEAD, 20);
    rx_belongs_to(&whit.rx, NULL);
}

void link_head(void)
{
}

void link_source(uint8_t *address)
{
    (void)address;
}

void link_known(const struct whit_tcb *slot, uint8_t *address)
{
    (void)slot;
    (void)address;
}

void link_answer_to(const uint8_t *address)
{
    (void)address;
}

uint8_t link_write(uint8_t *end, const struct whit_tcb *to)
{
    (void)end;
    (void)to;
    return 0;
}

bool link_out(const struct whit_tcb *to, uint16_t len)
{
    (void)to;
    return whit_driver_begin(len);
}

void link_out_end(void)
{
    whit_driver_end();
    // a driver without a buffer returns when all of it was sent: timers begin there
    whit.now_ms = whit_port_now_ms();
}

void link_learn(const struct whit_tcb *slot)
{
    (void)slot;
}

// Behind one line all hosts are alike.
void link_doubt(const struct whit_tcb *slot)
{
    (void)slot;
    whit.cuts = true;
}

bool link_cuts(const struct whit_tcb *slot)
{
    (void)slot;
    return whit.cuts;
}

void link_way_ask(uint8_t number, uint32_t addr)
{
    (void)number;
    (void)addr;
}

bool link_way_known(uint8_t number)
{
    (void)number;
    return true;
}

void link_way_forget(uint8_t number)
{
    (void)number;
}

void link_way_learn(uint8_t number)
{
    (void)number;
}

void link_way_take(uint8_t number)
{
    (void)number;
}

void arp_head(void)
{
}

void arp_commit(void)
{
}
