// SPDX-License-Identifier: MIT
// Links of a Linux process. The choice is made at run time, so host.c implements the engine's driver and calls one of
// these.
#ifndef WHIT_DRIVER_HOST_H
#define WHIT_DRIVER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define HOST_FRAME_MAX 1518    // octets of an Ethernet frame without FCS, one VLAN tag included

// Options of the command line. Addresses are in network byte order.
struct host_link_options {
    const char *tap;          // name of the TAP device; NULL: libslirp
    const char *capture;      // path of the capture; NULL: none
    const char *bind_text;    // libslirp: address of this machine to listen at, as the operator wrote it
    uint8_t bind_address[4];
    uint16_t bind_port;
    uint8_t address[4];         // the engine's
    uint16_t port;              // the TCP port at which the engine listens
    uint16_t more_bind_port;    // libslirp: where this machine listens for another one
    uint16_t more_port;         // the other one; 0: no other
    uint8_t prefix_len;
};

// Reasons for which a link cannot be used; also the exit code of the program.
enum host_link_result { HOST_LINK_OK = 0, HOST_LINK_TAKEN = 3, HOST_LINK_FAILED = 4 };

struct host_link {
    enum host_link_result (*open)(const struct host_link_options *options);    // failed: the reason is on stderr
    bool (*send)(const uint8_t *frame, size_t len);                            // false: refused
    // whit_driver_large(); NULL: it cuts none
    uint16_t (*large)(void);
    // Sends a segment that it cuts into smaller ones of `payload` octets (whit_driver_cut()). The first piece is for
    // the link to fill; the segment is in the others.
    void (*send_large)(struct iovec *pieces, int cnt, uint16_t payload);
    // passes received frames to host_receive()
    bool (*poll)(uint32_t now_ms);
    void (*wait)(uint32_t ms);    // returns early on a frame or a signal
};

extern const struct host_link host_slirp;
extern const struct host_link host_tap;

// The link is gone for good; the reason is on stderr. The program ends.
extern bool host_link_lost;

// Opens the link. whit_driver_init() is true afterwards if this was HOST_LINK_OK.
enum host_link_result host_link_open(const struct host_link_options *options);

// Passes a frame from a link to the engine.
void host_receive(const uint8_t *frame, size_t len, uint32_t now_ms);

#endif
