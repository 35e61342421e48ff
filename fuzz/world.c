// SPDX-License-Identifier: MIT
// Port and driver of the fuzzers. The driver keeps nothing: a frame is checked and shown to the clients at once.
#include "fuzz.h"
#include "core/limits.h"

#include <stdlib.h>
#include <string.h>

struct world world;
static uint64_t entropy_state;
void fuzz_spend(uint32_t us);    // fuzz/strategies
static uint8_t persistent[WHIT_PERSISTENT_SIZE];

void world_begin(uint32_t now_ms, uint8_t seed)
{
    static const struct whit_network network = {
        .mac = {2, 0, 0, 0, 0, 1},
        .address = {10, 0, 0, 1},
        .gateway = {10, 0, 0, 254},
        .prefix_len = 24,
    };
    world = (struct world){.now_ms = now_ms};
    entropy_state = seed;
    memset(persistent, 0, sizeof persistent);
    clients_begin();
    check_begin();
    whit_init(&network, now_ms);
}

// Each piece is a copy of its exact size, so that reading outside of it is seen.
static void piece(const uint8_t *octets, size_t len)
{
    uint8_t *copy = malloc(len != 0 ? len : 1);
    memcpy(copy, octets, len);
    whit_input(copy, (uint16_t)len, world.now_ms);
    free(copy);
}

void world_input(const uint8_t *octets, size_t len)
{
    size_t most = world.piece_len != 0 ? world.piece_len : FRAME_MAX;
    while (len > most) {
        piece(octets, most);
        octets += most;
        len -= most;
        if ((world.between & 1) != 0)
            world_output(1);
        if ((world.between & 2) != 0)
            whit_tick(++world.now_ms);
        check_state();
    }
    piece(octets, len);
}

void world_frame(const uint8_t *octets, size_t len)
{
    world_input(octets, len);
    world.frame_refused = !link_end(world.now_ms);
    check_state();
}

void world_output(uint16_t cnt_max)
{
    for (uint32_t cnt = 0; cnt < cnt_max && whit_output(world.now_ms); cnt++)
        CHECK(cnt < 256u * 3 * (WHIT_CONNECTIONS + 1));    // the limit of the congestion windows
}

void world_advance(uint32_t ms)
{
    for (uint32_t steps = 0;; steps++) {
        uint32_t next = whit_next_ms(world.now_ms);
        CHECK(next <= 60000);
        CHECK(steps < 20000);    // timers that are due again at once
        if (next > ms) {
            world.now_ms += ms;
            whit_tick(world.now_ms);
            return;
        }
        world.now_ms += next;
        ms -= next;
        whit_tick(world.now_ms);
        if (WHIT_HAS_STORED && whit_next_ms(world.now_ms) == 0)
            whit_tick(world.now_ms);    // a timer's callback replaced a content that is being read
        CHECK(WHIT_TLS || whit_next_ms(world.now_ms) != 0);    // slices of handshakes are computed in whit_output()
        world_output(UINT16_MAX);
        check_state();
    }
}

bool whit_driver_init(void)
{
    return true;
}

bool whit_driver_ready(void)
{
    if (world.busy_cnt == 0)
        return true;
    world.busy_cnt--;
    return false;
}

static struct {
    bool begun;
    uint8_t put_cnt;
    uint16_t ram_len;
    size_t announced, len;
    uint8_t octets[2 * 1514 + 4];
} going;    // the frame that is being put

bool whit_driver_begin(uint16_t len)
{
    CHECK(!going.begun && len != 0 && len <= sizeof going.octets);
    if (world.refuse_cnt != 0) {
        world.refuse_cnt--;
        return false;
    }
    going.begun = true;
    going.put_cnt = 0;
    going.ram_len = 0;
    going.announced = len;
    going.len = 0;
    return true;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    CHECK(going.begun && len != 0 && len <= going.announced - going.len);
    CHECK(++going.put_cnt <= WHIT_PUTS_MAX);
    going.ram_len = (uint16_t)(going.ram_len + (place == WHIT_IN_RAM ? len : 0));
    CHECK(going.ram_len <= WHIT_PUTS_RAM);
    memcpy(going.octets + going.len, octets, len);
    going.len += len;
}

void whit_driver_end(void)
{
    CHECK(going.begun && going.len == going.announced);
    going.begun = false;
    const uint8_t *datagram = link_unwrap(going.octets, &going.len);
    if (datagram != NULL)
        check_frame(datagram, going.len);
}

bool whit_driver_poll(uint32_t now_ms)
{
    (void)now_ms;
    return false;
}

void whit_driver_wait(uint32_t ms)
{
    (void)ms;
}

uint32_t whit_port_now_ms(void)
{
    return world.now_ms + (WHIT_TLS ? world.spent_us / 1000 : 0);
}

uint32_t whit_port_now_us(void)
{
    return world.now_ms * 1000 + world.spent_us;
}

void fuzz_spend(uint32_t us)
{
    world.spent_us += us;
}

// SplitMix64 (Steele, Lea, Flood 2014).
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    while (len-- != 0) {
        entropy_state += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = entropy_state;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        *to++ = (uint8_t)(z >> 56);
    }
}

// One line, and nothing in it that a terminal would obey.
void whit_port_log(const char *line, uint16_t len)
{
    if (len == 0 || len > 1024 || line[len - 1] != '\n')
        abort();
    for (uint16_t i = 0; i + 1 < len; i++)
        if (line[i] < ' ' || line[i] > '~')
            abort();
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return persistent + address;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if ((uint32_t)address + len > sizeof persistent)
        return false;
    memcpy(to, persistent + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if (world.persistent_fails || (uint32_t)address + len > sizeof persistent)
        return false;
    memcpy(persistent + address, from, len);
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
