// SPDX-License-Identifier: MIT
// From a machine's serial line to a network: SLIP on one side, frames of libslirp or of a TAP device on the other.
#ifndef WHIT_EMULATOR_BRIDGE_H
#define WHIT_EMULATOR_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"

struct bridge_options {
    struct host_link_options link;
    uint8_t mac[6];    // the machine's address; the machine has none itself
    double loss;       // share of the datagrams that each direction loses, 0..1
    uint64_t seed;     // seed of the losses
};

enum host_link_result bridge_open(const struct bridge_options *options);

void bridge_from_machine(uint8_t octet);    // an octet has left the machine
bool bridge_has_octet(void);                // one waits for the machine ...
uint8_t bridge_take_octet(void);            // ... this one
bool bridge_poll(void);                     // takes received frames; false: none
void bridge_wait(uint32_t ms);              // ends early on a frame or a signal

void bridge_ping(void);        // an ICMP echo request to the machine
bool bridge_answered(void);    // ... and whether it has ever answered one

#endif
