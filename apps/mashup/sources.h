// SPDX-License-Identifier: MIT
// Who is asked. At first it is this server itself, as ./whit run makes it: libslirp calls this machine 10.0.2.2, and its port
// WHIT_RUN_PORT is forwarded to the server.
#ifndef SOURCES_H
#define SOURCES_H

#define ADDRESS(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

#ifdef WHIT_RUN_PORT    // the word after --port of ./whit run
#define SELF_PORT WHIT_RUN_PORT
#else
#define SELF_PORT 8080
#endif

#define FIRST_ADDRESS ADDRESS(10, 0, 2, 2)
#define FIRST_PORT SELF_PORT
#define FIRST_TARGET "/weather.json"

#define SECOND_ADDRESS ADDRESS(10, 0, 2, 2)
#define SECOND_PORT SELF_PORT
#define SECOND_TARGET "/uptime"

#define TIMEOUT_MS 2000
#define PART 64    // octets that are read at a time

#endif
