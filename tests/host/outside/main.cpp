// SPDX-License-Identifier: MIT
// A machine and its main loop as somebody else writes them, in C++ for once. Its only argument is the port to listen at.
#include <sys/random.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <Whit.h>
extern "C" {
#include "host.h"
}

static uint8_t store[WHIT_PERSISTENT_SIZE + 1];

static uint64_t us()
{
    auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}

uint32_t whit_port_now_ms() { return static_cast<uint32_t>(us() / 1000); }
uint32_t whit_port_now_us() { return static_cast<uint32_t>(us()); }

void whit_port_entropy(uint8_t *to, uint8_t len)
{
    if (getrandom(to, len, 0) != len)
        std::abort();
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if (uint32_t{address} + len > WHIT_PERSISTENT_SIZE)
        return false;
    std::memcpy(to, store + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if (uint32_t{address} + len > WHIT_PERSISTENT_SIZE)
        return false;
    std::memcpy(store + address, from, len);
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}

const uint8_t *whit_port_persistent_at(uint16_t address) { return store + address; }

int main(int argc, char **argv)
{
    static const whit_network network = {{2, 0x57, 10, 0, 2, 15}, {10, 0, 2, 15}, {10, 0, 2, 2}, 24};
    host_link_options link = {};
    link.bind_text = "127.0.0.1";
    link.bind_address[0] = 127;
    link.bind_address[3] = 1;
    link.bind_port = static_cast<uint16_t>(argc == 2 ? std::atoi(argv[1]) : 8080);
    link.port = WHIT_TCP_PORT;
    std::memcpy(link.address, network.address, 4);
    link.prefix_len = network.prefix_len;
    if (host_link_open(&link) != HOST_LINK_OK)
        return 1;
    whit_init(&network, whit_port_now_ms());
    std::puts("ready");
    std::fflush(stdout);
    for (;;) {
        uint32_t now_ms = whit_port_now_ms();
        whit_driver_poll(now_ms);
        whit_tick(now_ms);
        while (whit_output(now_ms)) {
        }
        whit_driver_wait(whit_next_ms(whit_port_now_ms()));
    }
}
