// SPDX-License-Identifier: MIT
// lwIP and its web server on an existing TAP device: DEVICE MAC ADDRESS TARGET, and its response, head included, at the
// standard input. It prints a line when it serves, and runs until it is ended.
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

#define RESPONSE_MAX 65536
#define SND_BUF_MAX 65535    // octets; lwIP's is two bytes wide
#define FRAMES_AT_ONCE 16    // frames that Whit reads between two turns of its timers

static uint32_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

static int opened(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    if (tap < 0 || strlen(name) >= sizeof request.ifr_name)
        return -1;
    strcpy(request.ifr_name, name);
    return ioctl(tap, TUNSETIFF, &request) == 0 ? tap : -1;
}

static void send_all(int tap)
{
    uint8_t frame[2048];
    int len;
    while ((len = lwip_peer_take(frame, sizeof frame)) > 0)
        if (write(tap, frame, (size_t)len) != len)
            break;    // lost: lwIP sends it again
}

static void serve(int tap)
{
    uint8_t frame[2048];
    for (;;) {
        struct pollfd readable = {.fd = tap, .events = POLLIN};
        if (poll(&readable, 1, (int)lwip_peer_next_ms()) < 0 && errno != EINTR)
            return;
        lwip_peer_clock(now_ms());
        for (int i = 0; i < FRAMES_AT_ONCE; i++) {
            ssize_t len = read(tap, frame, sizeof frame);
            if (len <= 0)
                break;
            lwip_peer_input(frame, (uint16_t)len);
            send_all(tap);
        }
        lwip_peer_tick();
        send_all(tap);
    }
}

int main(int argc, char **argv)
{
    static uint8_t response[RESPONSE_MAX];
    unsigned m[6], a[4];
    if (argc != 5 || sscanf(argv[2], "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5]) != 6 ||
        sscanf(argv[3], "%u.%u.%u.%u", &a[0], &a[1], &a[2], &a[3]) != 4) {
        fprintf(stderr, "usage: lwip_tap DEVICE MAC ADDRESS TARGET < RESPONSE\n");
        return 2;
    }
    const uint8_t mac[] = {m[0] & 255, m[1] & 255, m[2] & 255, m[3] & 255, m[4] & 255, m[5] & 255};
    const uint8_t address[] = {a[0] & 255, a[1] & 255, a[2] & 255, a[3] & 255};
    size_t len = fread(response, 1, sizeof response, stdin);
    int tap = opened(argv[1]);
    if (tap < 0) {
        perror(argv[1]);
        return 1;
    }
    lwip_peer_start(mac, address, SND_BUF_MAX, SND_BUF_MAX, now_ms());
    if (!lwip_peer_file(argv[4], response, (uint32_t)len, 0))
        return 1;
    puts("serving");
    fflush(stdout);
    serve(tap);
    perror(argv[1]);
    return 1;
}
