// SPDX-License-Identifier: MIT
// A TAP device: the engine is a host on its own Ethernet. An existing interface is used as it is. Otherwise an
// interface is made and brought up, and gets the network's first address; it is removed when the process ends.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host.h"
#include "joined.h"
#include "signals.h"

static int tap = -1;
static size_t header_len;    // octets before each frame
static const char *name;

static enum host_link_result failed(const char *what, const char *way_out)
{
    fprintf(stderr, "%s: %s; %s\n", what, strerror(errno), way_out);
    return HOST_LINK_FAILED;
}

static void set_ipv4(struct ifreq *request, uint32_t address)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(address)}};
    memcpy(&request->ifr_addr, &in, sizeof in);
}

// Our side's address: the first of the network, or the second where the engine has the first.
static uint32_t host_address(uint32_t engine, uint32_t mask)
{
    uint32_t first = (engine & mask) + 1;
    return first == engine ? first + 1 : first;
}

static bool bring_up(const struct host_link_options *options, struct ifreq *request)
{
    int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (control < 0)
        return false;
    uint32_t engine;
    memcpy(&engine, options->address, sizeof engine);
    engine = ntohl(engine);
    uint32_t mask = options->prefix_len == 0 ? 0 : UINT32_MAX << (32 - options->prefix_len);

    bool done = false;
    set_ipv4(request, host_address(engine, mask));
    if (ioctl(control, SIOCSIFADDR, request) == 0) {
        set_ipv4(request, mask);
        if (ioctl(control, SIOCSIFNETMASK, request) == 0 && ioctl(control, SIOCGIFFLAGS, request) == 0) {
            request->ifr_flags |= IFF_UP | IFF_RUNNING;
            done = ioctl(control, SIOCSIFFLAGS, request) == 0;
        }
    }
    int error = errno;
    close(control);
    errno = error;
    return done;
}

static enum host_link_result open_tap(const struct host_link_options *options)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    if (strlen(options->tap) >= sizeof request.ifr_name) {
        fprintf(stderr, "%s: the name of a network interface has at most %zu characters\n", options->tap,
                sizeof request.ifr_name - 1);
        return HOST_LINK_FAILED;
    }
    strcpy(request.ifr_name, options->tap);
    name = options->tap;
    bool existed = if_nametoindex(options->tap) != 0;

    tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0)
        return failed("/dev/net/tun", errno == ENOENT ? "load the kernel's module: modprobe tun, or run without --tap"
                                                      : "start as root, or run without --tap");
    unsigned features = 0;
    bool joins = ioctl(tap, TUNGETFEATURES, &features) == 0 && (features & IFF_VNET_HDR) != 0;
    if (joins)
        request.ifr_flags |= IFF_VNET_HDR;
    header_len = joins ? sizeof(struct virtio_net_hdr) : 0;
    joined_open(tap, joins);
    if (ioctl(tap, TUNSETIFF, &request) != 0)
        return failed(options->tap, errno == EBUSY    ? "another program has this device: give another name to --tap"
                                    : errno == EINVAL ? "this interface is no TAP device: give another name to --tap"
                                                      : "start as root, or run without --tap");
    // an existing device may have other settings, and frames for another program
    int len = sizeof(struct virtio_net_hdr);
    if (joins && (ioctl(tap, TUNSETVNETHDRSZ, &len) != 0 || ioctl(tap, TUNSETOFFLOAD, 0UL) != 0))
        return failed(options->tap, "the device cannot be set up as this server needs it: give another name to --tap");
    if (!existed && !bring_up(options, &request))
        return failed(options->tap,
                      "the device cannot be given an address; make and configure it yourself (ip tuntap)");
    return HOST_LINK_OK;
}

static bool send_tap(const uint8_t *frame, size_t len)
{
    return joined_send(frame, len);
}

bool host_link_lost;

// Ends the use of a TAP device that was deleted or fails; it would be readable for ever.
static void lose(void)
{
    fprintf(stderr, "%s: %s; the TAP device is gone: make it again, and start the server again\n", name,
            strerror(errno));
    host_link_lost = true;
}

static bool poll_tap(uint32_t now_ms)
{
    // The header is empty: Linux may not leave sums out or join segments.
    static uint8_t octets[sizeof(struct virtio_net_hdr) + 2048];
    ssize_t len = read(tap, octets, sizeof octets);
    if (len < 0 && errno != EAGAIN && errno != EINTR)
        lose();
    if (len <= (ssize_t)header_len)
        return false;
    host_receive(octets + header_len, (size_t)len - header_len, now_ms);
    return true;
}

static void wait_tap(uint32_t ms)
{
    joined_flush();
    struct pollfd fd = {.fd = tap, .events = POLLIN};
    signals_poll(&fd, 1, ms);
}

const struct host_link host_tap = {
    .open = open_tap,
    .send = send_tap,
    .large = joined_large,
    .send_large = joined_send_large,
    .poll = poll_tap,
    .wait = wait_tap,
};
