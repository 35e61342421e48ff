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

bool whit_driver_init(void) { return active != NULL; }

// A frame is collected, and then the link has it at once.
static uint8_t outgoing[HOST_FRAME_MAX];
static size_t outgoing_len;

bool whit_driver_ready(void) { return true; }

bool whit_driver_begin(uint16_t len)
{
    outgoing_len = 0;
    return len <= sizeof outgoing;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    (void)place;    // all memory is read alike here
    memcpy(outgoing + outgoing_len, octets, len);
    outgoing_len += len;
}

// What the link refuses is lost, as on any link.
void whit_driver_end(void)
{
    if (active->send(outgoing, outgoing_len))
        pcap_frame(outgoing, outgoing_len);
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
