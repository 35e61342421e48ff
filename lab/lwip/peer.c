// SPDX-License-Identifier: MIT
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lwip/apps/httpd.h"
#include "lwip/etharp.h"
#include "lwip/init.h"
#include "lwip/memp.h"
#include "lwip/netif.h"
#include "lwip/priv/memp_priv.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/stats.h"
#include "lwip/timeouts.h"
#include "netif/ethernet.h"

#define QUEUE_MAX 512     // frames between two calls of lwip_peer_take()
#define FRAME_MAX 1514    // octets

uint16_t lwip_peer_snd_buf, lwip_peer_write_max;

static struct netif interface;
static uint32_t clock_ms;
static uint32_t random_state = 1;
static struct {
    uint16_t len;
    uint8_t octets[FRAME_MAX];
} queue[QUEUE_MAX];
static unsigned queue_first, queue_cnt;

u32_t sys_now(void)
{
    return clock_ms;
}

uint32_t lwip_peer_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state;
}

void lwip_peer_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "lwIP: %s:%d: %s\n", file, line, what);
    abort();
}

static err_t link_output(struct netif *netif, struct pbuf *p)
{
    (void)netif;
    if (queue_cnt == QUEUE_MAX || p->tot_len > FRAME_MAX)
        lwip_peer_failed("frames that nobody takes", __FILE__, __LINE__);
    unsigned at = (queue_first + queue_cnt++) % QUEUE_MAX;
    queue[at].len = pbuf_copy_partial(p, queue[at].octets, FRAME_MAX, 0);
    return ERR_OK;
}

static err_t interface_init(struct netif *netif)
{
    netif->name[0] = 'e';
    netif->name[1] = 'n';
    netif->output = etharp_output;
    netif->linkoutput = link_output;
    netif->mtu = 1500;
    netif->hwaddr_len = ETH_HWADDR_LEN;
    netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
    return ERR_OK;
}

void lwip_peer_start(const uint8_t *mac, const uint8_t *address, uint16_t snd_buf, uint16_t write_max, uint32_t now_ms)
{
    ip4_addr_t ours, mask, gateway;

    lwip_peer_snd_buf = snd_buf;
    lwip_peer_write_max = write_max;
    clock_ms = now_ms;
    lwip_init();
    IP4_ADDR(&ours, address[0], address[1], address[2], address[3]);
    IP4_ADDR(&mask, 255, 0, 0, 0);
    IP4_ADDR(&gateway, 0, 0, 0, 0);
    netif_add(&interface, &ours, &mask, &gateway, NULL, interface_init, ethernet_input);
    memcpy(interface.hwaddr, mac, ETH_HWADDR_LEN);
    netif_set_default(&interface);
    netif_set_link_up(&interface);
    netif_set_up(&interface);
    httpd_init();
}

void lwip_peer_clock(uint32_t now_ms)
{
    clock_ms = now_ms;
}

void lwip_peer_input(const uint8_t *frame, uint16_t len)
{
    struct pbuf *p = pbuf_alloc(PBUF_RAW, len, PBUF_POOL);

    if (!p)
        return;    // counted by lwIP
    pbuf_take(p, frame, len);
    if (interface.input(p, &interface) != ERR_OK)
        pbuf_free(p);
}

void lwip_peer_tick(void)
{
    sys_check_timeouts();
}

uint32_t lwip_peer_next_ms(void)
{
    uint32_t next_ms = sys_timeouts_sleeptime();
    return next_ms > 60000 ? 60000 : next_ms;
}

int lwip_peer_take(uint8_t *to, int capacity)
{
    if (queue_cnt == 0 || queue[queue_first].len > capacity)
        return 0;
    int len = queue[queue_first].len;
    memcpy(to, queue[queue_first].octets, (size_t)len);
    queue_first = (queue_first + 1) % QUEUE_MAX;
    queue_cnt--;
    return len;
}

int lwip_peer_pool_cnt(void)
{
    return MEMP_MAX;
}

const char *lwip_peer_pool_name(int pool)
{
    return memp_pools[pool]->stats->name;
}

uint32_t lwip_peer_pool_used(int pool)
{
    return memp_pools[pool]->stats->used;
}

uint32_t lwip_peer_pool_size(int pool)
{
    return memp_pools[pool]->size;
}

uint32_t lwip_peer_heap_used(void)
{
    return lwip_stats.mem.used;
}

static uint32_t on_heap(const struct tcp_seg *seg)
{
    uint32_t cnt = 0;
    for (; seg; seg = seg->next)
        for (const struct pbuf *p = seg->p; p; p = p->next)
            cnt += pbuf_match_allocsrc(p, PBUF_TYPE_ALLOC_SRC_MASK_STD_HEAP);
    return cnt;
}

uint32_t lwip_peer_heap_pbuf_cnt(void)
{
    uint32_t cnt = 0;
    for (const struct tcp_pcb *pcb = tcp_active_pcbs; pcb; pcb = pcb->next)
        cnt += on_heap(pcb->unsent) + on_heap(pcb->unacked);
    return cnt;
}

uint32_t lwip_peer_pbuf_size(void)
{
    return LWIP_MEM_ALIGN_SIZE(sizeof(struct pbuf));
}

uint32_t lwip_peer_error_cnt(void)
{
    uint32_t cnt = lwip_stats.mem.err;
    for (int pool = 0; pool < MEMP_MAX; pool++)
        cnt += memp_pools[pool]->stats->err;
    return cnt;
}
