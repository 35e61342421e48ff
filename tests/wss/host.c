// SPDX-License-Identifier: MIT
// The engine's WS-Security with the parts of an image and a port, for tests: callers, a clock, and persistent memory
// that may fail.
#include <string.h>

#include "core/state.h"
#include "wss/wss.h"
#include "wss/internal.h"

const struct whit_wss_key whit_wss_keys[] = {{"alice", "secret"}, {"Zo\xc3\xab", "p\xc3\xa4ss \"word\""}};
const uint8_t whit_wss_key_cnt = 2;
const uint32_t whit_wss_built_s = 1700000000;
const uint16_t whit_wss_floor_at = 0;

// Namespaces of the services, and of published vectors.
const char *const whit_wss_namespaces[] = {"urn:whit:device",
                                           "urn:a",
                                           "urn:a&b'c",
                                           "urn:foo",
                                           "urn:bar",
                                           "http://a",
                                           "http://b",
                                           "http://c",
                                           "http://z0",
                                           "http://z1",
                                           "http://z2",
                                           "http://z3",
                                           "http://example.org",
                                           "http://www.w3.org",
                                           "http://www.ietf.org",
                                           "http://schemas.xmlsoap.org/wsdl/soap/",
                                           "http://www.w3.org/2010/xmldsig2#"};
const uint8_t whit_wss_namespace_cnt = sizeof whit_wss_namespaces / sizeof whit_wss_namespaces[0];

struct whit_engine whit;
uint8_t host_memory[4];
uint32_t host_unix_s;    // 0: no clock
uint32_t host_write_cnt;
bool host_fails, host_is_unreadable;

uint32_t whit_port_unix_s(void)
{
    return host_unix_s;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    memcpy(to, host_memory + address, len);
    return !host_is_unreadable;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if (!host_fails)
        memcpy(host_memory + address, from, len);
    host_write_cnt += !host_fails;
    return !host_fails;
}

void host_pass(uint32_t ms)
{
    whit.now_ms += ms;
}
