// SPDX-License-Identifier: MIT
// A program for a Cortex-M3 that serves by lwIP over a serial line. It is linked for its size, and never run.
#include "lwip/apps/httpd.h"
#include "lwip/init.h"
#include "lwip/netif.h"
#include "lwip/sio.h"
#include "lwip/timeouts.h"
#include "netif/slipif.h"

static volatile uint32_t line, clock_ms;

uint32_t device_random(void)
{
    return clock_ms;
}

u32_t sys_now(void)
{
    return clock_ms;
}

sio_fd_t sio_open(u8_t number)
{
    (void)number;
    return (sio_fd_t)&line;
}

void sio_send(u8_t octet, sio_fd_t to)
{
    (void)to;
    line = octet;
}

u32_t sio_tryread(sio_fd_t from, u8_t *octets, u32_t length)
{
    (void)from;
    *octets = (u8_t)line;
    return length != 0;
}

void _start(void)
{
    static struct netif netif;
    static u8_t number;
    ip4_addr_t address = {0x0200070a}, mask = {0x00ffffff}, gateway = {0x0100070a};
    lwip_init();
    netif_add(&netif, &address, &mask, &gateway, &number, slipif_init, netif_input);
    netif_set_default(&netif);
    netif_set_up(&netif);
    httpd_init();
    for (;;) {
        slipif_poll(&netif);
        sys_check_timeouts();
    }
}
