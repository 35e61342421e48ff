// SPDX-License-Identifier: MIT
// The two servers that mashup asks. By default both are this server under ./whit run. libslirp calls the machine that
// runs it 10.0.2.2, and forwards that machine's port WHIT_RUN_PORT to the server.
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
#define PART 64    // octets per read

#endif
