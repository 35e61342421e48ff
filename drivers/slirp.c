// SPDX-License-Identifier: MIT
// A network for a process without privileges: libslirp terminates the TCP connections of this machine and opens its own
// to the engine, by Ethernet frames.
//
// A frame is passed to libslirp when it is complete, and libslirp may answer at once. The answer is queued: the
// engine gets it from whit_driver_poll(), never during whit_driver_end().
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <slirp/libslirp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host.h"
#include "signals.h"

#define QUEUE_FRAMES 256
#define POLL_FDS 1024
#define BACKLOG 128
#define TIMERS 8    // libslirp 4.7 makes one, for IPv6 router advertisements

struct queued {
    size_t len;
    uint8_t octets[HOST_FRAME_MAX];
};

struct timer {
    SlirpTimerCb call;    // NULL: free
    void *argument;
    int64_t expire_ms;    // INT64_MAX: not set
};

static Slirp *slirp;
static struct queued queue[QUEUE_FRAMES];    // ring of `queue_cnt` frames from queue[queue_first] on
static unsigned queue_first;
static unsigned queue_cnt;
static struct timer timers[TIMERS];
static struct pollfd fds[POLL_FDS];
static unsigned fd_cnt;
// The engine has sent since the last round. libslirp may hold frames back until the next one, for instance a SYN while
// it asks for the engine's MAC address.
static bool has_sent;

static ssize_t frame_to_engine(const void *octets, size_t len, void *opaque)
{
    (void)opaque;
    if (queue_cnt == QUEUE_FRAMES || len > HOST_FRAME_MAX)
        return (ssize_t)len;    // lost, as on any link: TCP sends it again
    struct queued *last = &queue[(queue_first + queue_cnt) % QUEUE_FRAMES];
    memcpy(last->octets, octets, len);
    last->len = len;
    queue_cnt++;
    return (ssize_t)len;
}

static void guest_error(const char *message, void *opaque)
{
    (void)opaque;
    fprintf(stderr, "libslirp: %s\n", message);
}

static int64_t clock_ns(void *opaque)
{
    (void)opaque;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t clock_ms(void)
{
    return clock_ns(NULL) / 1000000;
}

static void *timer_new(SlirpTimerCb call, void *argument, void *opaque)
{
    (void)opaque;
    for (int i = 0; i < TIMERS; i++) {
        if (timers[i].call == NULL) {
            timers[i] = (struct timer){call, argument, INT64_MAX};
            return &timers[i];
        }
    }
    fprintf(stderr, "libslirp: wants more than %d timers\n", TIMERS);
    abort();
}

static void timer_free(void *timer, void *opaque)
{
    (void)opaque;
    ((struct timer *)timer)->call = NULL;
}

static void timer_mod(void *timer, int64_t expire_ms, void *opaque)
{
    (void)opaque;
    ((struct timer *)timer)->expire_ms = expire_ms;
}

static void run_timers(void)
{
    int64_t now = clock_ms();
    for (int i = 0; i < TIMERS; i++) {
        if (timers[i].call != NULL && timers[i].expire_ms <= now) {
            timers[i].expire_ms = INT64_MAX;
            timers[i].call(timers[i].argument);
        }
    }
}

static uint32_t until_next_timer(uint32_t ms)
{
    int64_t now = clock_ms();
    for (int i = 0; i < TIMERS; i++) {
        if (timers[i].call != NULL && timers[i].expire_ms - now < ms)
            ms = timers[i].expire_ms > now ? (uint32_t)(timers[i].expire_ms - now) : 0;
    }
    return ms;
}

// The list of descriptors is built anew before each wait.
static void ignore_fd(int fd, void *opaque)
{
    (void)fd;
    (void)opaque;
}

// It would wake this thread, which is awake when libslirp runs.
static void notify(void *opaque)
{
    (void)opaque;
}

static int add_fd(int fd, int events, void *opaque)
{
    (void)opaque;
    if (fd_cnt == POLL_FDS)
        return -1;
    short wanted = 0;
    if (events & SLIRP_POLL_IN)
        wanted |= POLLIN;
    if (events & SLIRP_POLL_OUT)
        wanted |= POLLOUT;
    if (events & SLIRP_POLL_PRI)
        wanted |= POLLPRI;
    fds[fd_cnt] = (struct pollfd){.fd = fd, .events = wanted};
    return (int)fd_cnt++;
}

static int events_of(int idx, void *opaque)
{
    (void)opaque;
    if (idx < 0)
        return 0;
    short happened = fds[idx].revents;
    int events = 0;
    if (happened & POLLIN)
        events |= SLIRP_POLL_IN;
    if (happened & POLLOUT)
        events |= SLIRP_POLL_OUT;
    if (happened & POLLPRI)
        events |= SLIRP_POLL_PRI;
    if (happened & POLLERR)
        events |= SLIRP_POLL_ERR;
    if (happened & POLLHUP)
        events |= SLIRP_POLL_HUP;
    return events;
}

// option: the option for bind_port.
static enum host_link_result explain(const struct host_link_options *options, const char *option, uint16_t bind_port,
                                     int error)
{
    fprintf(stderr, "%s:%u: %s; ", options->bind_text, bind_port, strerror(error));
    if (error == EADDRINUSE)
        fprintf(stderr, "another program listens there: end it, or give another %s\n", option);
    else if (error == EACCES)
        fprintf(stderr, "ports below 1024 need privileges: give another %s, or start as root\n", option);
    else if (error == EADDRNOTAVAIL)
        fprintf(stderr, "this machine has no such address: give another --host\n");
    else
        fprintf(stderr, "give another --host or %s\n", option);
    return error == EADDRINUSE ? HOST_LINK_TAKEN : HOST_LINK_FAILED;
}

static struct in_addr in_network(const struct host_link_options *options, uint32_t host)
{
    uint32_t address;
    memcpy(&address, options->address, sizeof address);
    uint32_t mask = options->prefix_len == 0 ? 0 : UINT32_MAX << (32 - options->prefix_len);
    return (struct in_addr){htonl((ntohl(address) & mask) | host)};
}

// The first address, from the given one on, that is not the engine's.
static struct in_addr beside_engine(const struct host_link_options *options, uint32_t host)
{
    struct in_addr address = in_network(options, host);
    return memcmp(&address, options->address, sizeof address) == 0 ? in_network(options, 1) : address;
}

// Sets a longer backlog by listening a second time. libslirp listens with a backlog of one: of several connections that
// a browser opens at once, the third would wait a second.
static void widen_backlog(void)
{
    uint32_t timeout = 0;
    fd_cnt = 0;
    slirp_pollfds_fill(slirp, &timeout, add_fd, NULL);
    for (unsigned i = 0; i < fd_cnt; i++) {
        int listens = 0;
        socklen_t len = sizeof listens;
        if (getsockopt(fds[i].fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 && listens != 0)
            listen(fds[i].fd, BACKLOG);
    }
}

static enum host_link_result open_slirp(const struct host_link_options *options)
{
    static const SlirpCb callbacks = {
        .send_packet = frame_to_engine,
        .guest_error = guest_error,
        .clock_get_ns = clock_ns,
        .timer_new = timer_new,
        .timer_free = timer_free,
        .timer_mod = timer_mod,
        .register_poll_fd = ignore_fd,
        .unregister_poll_fd = ignore_fd,
        .notify = notify,
    };
    struct in_addr engine, bind_address;
    memcpy(&engine, options->address, sizeof engine);
    memcpy(&bind_address, options->bind_address, sizeof bind_address);
    SlirpConfig config = {
        .version = 4,
        .in_enabled = true,
        .if_mtu = 1500,
        .if_mru = 1500,
        .disable_dns = true,
        .disable_dhcp = true,
        .vnetwork = in_network(options, 0),
        .vnetmask = {htonl(UINT32_MAX << (32 - options->prefix_len))},
        .vhost = beside_engine(options, 2),
        .vnameserver = beside_engine(options, 3),
        .vdhcp_start = engine,
    };
    slirp = slirp_new(&config, &callbacks, NULL);
    if (slirp == NULL) {
        fprintf(stderr, "libslirp %s cannot start\n", slirp_version_string());
        return HOST_LINK_FAILED;
    }
    errno = 0;
    if (slirp_add_hostfwd(slirp, 0, bind_address, options->bind_port, engine, options->port) != 0)
        return explain(options, "--port", options->bind_port, errno);
    if (options->more_port != 0 &&
        slirp_add_hostfwd(slirp, 0, bind_address, options->more_bind_port, engine, options->more_port) != 0)
        return explain(options, "--https-port", options->more_bind_port, errno);
    widen_backlog();
    return HOST_LINK_OK;
}

static bool send_slirp(const uint8_t *frame, size_t len)
{
    slirp_input(slirp, frame, (int)len);
    has_sent = true;
    return true;
}

// Handles only frames that were queued at its beginning: frames that the engine's answers cause wait for the next call.
static bool poll_slirp(uint32_t now_ms)
{
    unsigned cnt = queue_cnt;
    for (unsigned i = 0; i < cnt; i++) {
        struct queued frame = queue[queue_first];
        queue_first = (queue_first + 1) % QUEUE_FRAMES;
        queue_cnt--;
        host_receive(frame.octets, frame.len, now_ms);
    }
    return cnt > 0;
}

static void wait_slirp(uint32_t ms)
{
    uint32_t timeout = queue_cnt > 0 || has_sent ? 0 : until_next_timer(ms);
    has_sent = false;
    fd_cnt = 0;
    slirp_pollfds_fill(slirp, &timeout, add_fd, NULL);
    int ready = signals_poll(fds, fd_cnt, timeout);
    if (ready < 0)
        for (unsigned i = 0; i < fd_cnt; i++)
            fds[i].revents = 0;
    slirp_pollfds_poll(slirp, ready < 0, events_of, NULL);
    run_timers();
}

const struct host_link host_slirp = {.open = open_slirp, .send = send_slirp, .poll = poll_slirp, .wait = wait_slirp};
