// SPDX-License-Identifier: MIT
// The command line of a server that runs as a Linux process.
#ifndef WHIT_LINUX_OPTIONS_H
#define WHIT_LINUX_OPTIONS_H

#include <stdbool.h>

#include "host.h"
#include "whit/engine.h"

struct options {
    struct host_link_options link;
    struct whit_network network;
    const char *data;       // path of the persistent memory's file
    bool counters;          // print them at the end
    const char *charges;    // URLs of all resources: prints the memory that their responses held, at the end
    const char *key;        // path of the key of HTTPS, 32 octets
    bool log;               // write the request log to standard error
    bool end_with_parent;
    bool unconfined;    // capabilities, user and system calls stay as they are
};

#define EXIT_USAGE 2

// Returns true, or prints the error on stderr in one line.
bool options_parse(struct options *options, int argc, char **argv);

#endif
