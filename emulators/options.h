// SPDX-License-Identifier: MIT
// The command line of an emulated machine.
#ifndef WHIT_EMULATOR_OPTIONS_H
#define WHIT_EMULATOR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "bridge.h"

struct options {
    struct bridge_options bridge;
    const char *image;
    const char *data;       // path of the persistent memory's file; NULL: it is forgotten at the end
    uint32_t hz;            // clock; 0: the machine's usual one
    uint32_t painted[2];    // addresses: from, to after; equal: none
    bool fast;              // as fast as this machine can
    bool keys;              // lines on standard input press those of a console
    bool end_with_parent;
};

#define EXIT_USAGE 2

// Returns true, or prints the error on stderr in one line.
bool options_parse(struct options *options, int argc, char **argv);

#endif
