// SPDX-License-Identifier: MIT
// An emulated machine as a program: the machine of machine.h, in real time, with the bridge at its line.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bridge.h"
#include "console.h"
#include "keys.h"
#include "machine.h"
#include "options.h"
#include "signals.h"

#define SLICE_US 1000      // the machine's time between two checks of the network
#define BEHIND_US 50000    // a machine that is slower than real time is not asked to catch up with more
#define PING_US 500000     // until it answers,
#define PINGS_MAX 4        // or is one that does not (app.toml: ping = false)
#define PAINT 0xc5         // whit_stack_bottom and whit_stack_top of the image lie around it

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// Seconds by themselves: the cycles of two weeks times 1 000 000 are more than 64 bits.
static int64_t machine_us(void)
{
    uint64_t cycle = machine_cycle(), hz = machine_hz();
    return (int64_t)(cycle / hz * 1000000 + cycle % hz * 1000000 / hz);
}

static uint64_t cycle_at(uint64_t us)
{
    return us / 1000000 * machine_hz() + us % 1000000 * machine_hz() / 1000000;
}

// An octet every time when the line is free; one that the machine keeps waiting is offered again after a tenth of its
// time.
static void run_until(uint64_t cycle)
{
    static uint64_t line_free;
    while (machine_cycle() < cycle) {
        uint64_t next = cycle;
        if (bridge_has_octet()) {
            uint32_t octet_cycles = machine_octet_cycles();
            if (machine_cycle() >= line_free && machine_may_send()) {
                machine_send(bridge_take_octet());
                line_free = machine_cycle() + octet_cycles;
            }
            uint64_t offer = machine_cycle() < line_free ? line_free : machine_cycle() + octet_cycles / 10 + 1;
            next = offer < cycle ? offer : cycle;
        }
        machine_run(next, false);
        uint8_t octet;
        uint64_t when;
        while (machine_receive(&octet, &when))
            bridge_from_machine(octet);
        if (machine_cycle() < next)
            break;    // it has crashed
    }
}

static void tell_ready(void)
{
    static int64_t pinged_us = INT64_MIN / 2;
    static uint8_t ping_cnt;
    static bool told;
    if (told)
        return;
    if (bridge_answered() || ping_cnt == PINGS_MAX) {
        told = true;
        printf("ready\n");
        fflush(stdout);
    } else if (machine_us() - pinged_us > PING_US) {
        pinged_us = machine_us();
        ping_cnt++;
        bridge_ping();
    }
}

static void serve(bool fast, bool keys)
{
    int64_t ahead_us = machine_us() - now_us();    // the machine's clock less ours
    while (!signals_must_end() && !host_link_lost) {
        tell_ready();
        bool busy = bridge_poll();
        if (keys)
            keys_poll();
        int64_t target_us = fast ? machine_us() + SLICE_US : now_us() + ahead_us;
        if (target_us - machine_us() > BEHIND_US) {
            ahead_us -= target_us - machine_us() - BEHIND_US;
            target_us = machine_us() + BEHIND_US;
        }
        uint64_t before = machine_cycle(), target = cycle_at((uint64_t)target_us);
        run_until(target);
        if (machine_cycle() < target && before != target) {
            fprintf(stderr, "the machine has stopped\n");
            exit(EXIT_FAILURE);
        }
        bridge_wait(busy || fast ? 0 : SLICE_US / 1000);
    }
}

static void print_stack(const uint32_t painted[2])
{
    uint32_t at = painted[0];
    while (at < painted[1] && machine_peek(at) == PAINT)
        at++;
    printf("stack_bytes %u\n", painted[1] - at);
}

int main(int argc, char **argv)
{
    static struct options options;
    pid_t parent = getppid();
    if (!options_parse(&options, argc, argv))
        return EXIT_USAGE;
    signals_catch();
    if (options.end_with_parent)
        signals_end_with_parent(parent);
    console_open();
    machine_said = console_line;
    if (!machine_open(options.image, options.hz, options.data))
        return EXIT_FAILURE;
    enum host_link_result link = bridge_open(&options.bridge);
    if (link != HOST_LINK_OK)
        return link;
    if (options.keys)
        keys_open();
    serve(options.fast, options.keys);
    if (options.painted[0] != options.painted[1])
        print_stack(options.painted);
    return host_link_lost ? HOST_LINK_FAILED : EXIT_SUCCESS;
}
