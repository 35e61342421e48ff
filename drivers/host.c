// SPDX-License-Identifier: MIT
// The engine's driver in a Linux process: libslirp or TAP, with an optional capture.
#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "later.h"
#include "pcap.h"
#include "whit/driver.h"
#include "whit/engine.h"

#define LATER_RETRY_MS 10

static const struct host_link *active;

enum host_link_result host_link_open(const struct host_link_options *options)
{
    const struct host_link *wanted = options->tap != NULL ? &host_tap : &host_slirp;
    enum host_link_result result = wanted->open(options);
    if (result != HOST_LINK_OK)
        return result;
    if (options->capture != NULL && !pcap_open(options->capture)) {
        fprintf(stderr, "%s: %s; name a file that can be written with --pcap\n", options->capture, strerror(errno));
        return HOST_LINK_FAILED;
    }
    active = wanted;
    return HOST_LINK_OK;
}

void host_receive(const uint8_t *frame, size_t len, uint32_t now_ms)
{
    pcap_frame(frame, len);
    later_receive(frame, len, now_ms);
}

bool whit_driver_init(void)
{
    return active != NULL;
}

// A frame is collected, and passed to the link as a whole. If the link cuts the frame, octets in flash stay in their
// place.
#define SHORT 128    // octets that are copied all the same: that is less work than another piece
static uint8_t outgoing[HOST_FRAME_MAX + WHIT_PUTS_MAX * SHORT];
static size_t outgoing_len;
static uint16_t cut;                              // octets of a segment; 0: the frame is not cut
static struct iovec pieces[1 + WHIT_PUTS_MAX];    // the first is the link's
static int piece_cnt;

bool whit_driver_ready(void)
{
    return true;
}

// A capture has each segment as it leaves.
uint16_t whit_driver_large(void)
{
    return active->large != NULL && !pcap_is_open() ? active->large() : 0;
}

void whit_driver_cut(uint16_t payload)
{
    cut = payload;
}

bool whit_driver_begin(uint16_t len)
{
    outgoing_len = 0;
    piece_cnt = 1;
    return cut != 0 || len <= HOST_FRAME_MAX;
}

static void add_piece(const uint8_t *octets, uint16_t len)
{
    struct iovec *last = &pieces[piece_cnt - 1];
    if (piece_cnt > 1 && (const uint8_t *)last->iov_base + last->iov_len == octets)
        last->iov_len += len;
    else
        pieces[piece_cnt++] = (struct iovec){(void *)(uintptr_t)octets, len};
}

// All memory is read alike here.
void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (cut != 0 && place == WHIT_IN_FLASH && len > SHORT) {
        add_piece(octets, len);
        return;
    }
    memcpy(outgoing + outgoing_len, octets, len);
    if (cut != 0)
        add_piece(outgoing + outgoing_len, len);
    outgoing_len += len;
}

// Sends the frame. If the link refuses it, it is lost, as on any link.
void whit_driver_end(void)
{
    if (cut != 0) {
        active->send_large(pieces, piece_cnt, cut);
        cut = 0;
    } else if (active->send(outgoing, outgoing_len)) {
        pcap_frame(outgoing, outgoing_len);
    }
}

bool whit_driver_poll(uint32_t now_ms)
{
    later_offer(now_ms);
    bool came = active->poll(now_ms);
    if (came)    // acknowledgments may have made room
        later_offer(now_ms);
    return came;
}

void whit_driver_wait(uint32_t ms)
{
    pcap_flush();
    active->wait(later_waits() && ms > LATER_RETRY_MS ? LATER_RETRY_MS : ms);
}
