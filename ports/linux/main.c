// SPDX-License-Identifier: MIT
// A Linux process as the machine that the engine runs on: clock, entropy, the loop, and its end by a signal.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "charges.h"
#include "confine.h"
#include "console.h"
#include "counters.h"
#include "crash.h"
#include "key.h"
#include "options.h"
#include "persistent.h"
#include "signals.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

// Since the first call, as a device counts from its start.
static uint64_t now_us(void)
{
    static uint64_t start_us;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    if (start_us == 0)
        start_us = us;
    return us - start_us;
}

uint32_t whit_port_now_ms(void)
{
    return (uint32_t)(now_us() / 1000);
}

uint32_t whit_port_now_us(void)
{
    return (uint32_t)now_us();
}

uint32_t whit_port_unix_s(void)
{
    return (uint32_t)time(NULL);
}

// At most 256 octets, which getrandom() gives whole once the kernel's pool is ready.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    ssize_t got;
    do
        got = getrandom(to, len, 0);
    while (got < 0 && errno == EINTR);
    if (got != len) {
        fprintf(stderr, "getrandom: %s; without entropy nobody is safe from forged connections\n", strerror(errno));
        exit(EXIT_FAILURE);
    }
}

void whit_port_log(const char *line, uint16_t len)
{
    console_line(line, len);
}

// Frames or groups of them between two turns of the timers.
#define TURN_POLLS 16

static void send_all(uint32_t now_ms)
{
    while (whit_output(now_ms)) {
    }
}

static void serve(void)
{
    while (!signals_must_end() && !host_link_lost) {
        uint32_t now_ms = whit_port_now_ms();
        for (int i = 0; i < TURN_POLLS && whit_driver_poll(now_ms); i++)
            send_all(now_ms);
        whit_tick(now_ms);
        send_all(now_ms);
        whit_driver_wait(whit_next_ms(whit_port_now_ms()));
    }
}

int main(int argc, char **argv)
{
    static struct options options;
    pid_t parent = getppid();
    if (!options_parse(&options, argc, argv))
        return EXIT_USAGE;
    signals_catch();
    crash_catch();
    enum host_link_result link = host_link_open(&options.link);
    if (link != HOST_LINK_OK)
        return link;
    if (!persistent_open(options.data))
        return EXIT_FAILURE;

#if WHIT_TLS || WHIT_HAS_REPLIES
    if (!key_open(options.key))
        return EXIT_FAILURE;
#endif
    if (!options.unconfined && !(confine_user() && persistent_can_stay()))
        return EXIT_FAILURE;
    if (options.end_with_parent)
        signals_end_with_parent(parent);
    if (!options.unconfined)
        confine_calls(options.link.tap == NULL);
    if (options.log)
        console_open();
    if (WHIT_HAS_LOG)
        whit_log_lines = options.log;
    whit_init(&options.network, whit_port_now_ms());
    printf("ready\n");
    fflush(stdout);
    serve();
    if (options.counters)
        counters_print();
    if (options.charges != NULL)
        charges_print(options.charges);
    return host_link_lost ? HOST_LINK_FAILED : EXIT_SUCCESS;
}
