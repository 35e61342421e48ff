// SPDX-License-Identifier: MIT
// lwIP as small as its options make it: TCP over IPv4 over SLIP, its own web server, no threads, no statistics, no
// assertions. Other options have the defaults of lwIP's opt.h.
#ifndef WHIT_LWIP_DEVICE_OPTS_H
#define WHIT_LWIP_DEVICE_OPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_UDP 0
#define LWIP_RAW 0
#define LWIP_ICMP 0    // ours has none here either
#define LWIP_ARP 0
#define LWIP_ETHERNET 0
#define LWIP_HAVE_SLIPIF 1
#define SLIP_USE_RX_THREAD 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0
#define IP_FORWARD 0
#define LWIP_SINGLE_NETIF 1
#define LWIP_STATS 0
#define LWIP_NOASSERT
#define TCP_QUEUE_OOSEQ 0
#define TCP_CALCULATE_EFF_SEND_MSS 0
#define LWIP_NETIF_API 0
#define LWIP_HTTPD_CUSTOM_FILES 0
#define LWIP_HTTPD_SSI 0
#define LWIP_HTTPD_CGI 0
#define LWIP_HTTPD_SUPPORT_11_KEEPALIVE 1
#define HTTPD_FSDATA_FILE "files.h"

#endif
