// SPDX-License-Identifier: MIT
// lwIP as the laboratory builds it: one Ethernet interface, TCP over IPv4, its own web server; no threads. Other
// options have the defaults of lwIP's opt.h.
#ifndef WHIT_LWIPOPTS_H
#define WHIT_LWIPOPTS_H

#include <stdint.h>

// Settings that may differ from one start to the next (peer.c), in octets.
extern uint16_t lwip_peer_snd_buf, lwip_peer_write_max;

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_UDP 0
#define LWIP_RAW 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0
#define LWIP_SINGLE_NETIF 1

#define TCP_MSS 1460
#define TCP_SND_BUF lwip_peer_snd_buf
#define TCP_SND_QUEUELEN (4 + 4 * TCP_SND_BUF / TCP_MSS)
#define LWIP_DISABLE_TCP_SANITY_CHECKS 1    // the check cannot handle a variable

// Large limits: the use is measured.
#ifdef __arm__
#define MEM_ALIGNMENT 4
#else
#define MEM_ALIGNMENT 8
#endif
#define MEM_SIZE 500000
#define MEMP_NUM_TCP_PCB 16
#define MEMP_NUM_TCP_SEG 400
#define MEMP_NUM_PBUF 400
#define MEMP_NUM_SYS_TIMEOUT 8
#define PBUF_POOL_SIZE 16

#define LWIP_STATS 1
#define LWIP_STATS_DISPLAY 1    // for the pools' names
#define MEM_STATS 1
#define MEMP_STATS 1
#define TCP_STATS 1

#define HTTPD_USE_MEM_POOL 1    // the state of a connection is separate from the sent octets
#define MEMP_NUM_PARALLEL_HTTPD_CONNS MEMP_NUM_TCP_PCB
#define LWIP_HTTPD_SUPPORT_11_KEEPALIVE 1
#define LWIP_HTTPD_CUSTOM_FILES 1         // all files come from peer.c
#define LWIP_HTTPD_DYNAMIC_FILE_READ 1    // generated ones, piece by piece
#define HTTPD_MAX_WRITE_LEN(pcb) ((u16_t)LWIP_MIN(lwip_peer_write_max, 0xffff))
#define HTTPD_FSDATA_FILE "no_files.h"

#endif
