// SPDX-License-Identifier: MIT
#include "inprocess.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "later.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"
#include "whit_limits.h"

#define HEADERS 54    // octets of link, IP, TCP

struct frame {
    int len;    // octets
    int cut;    // payload of each segment that it becomes; 0: it is one frame
    uint8_t octets[HEADERS + WHIT_INPROCESS_LARGE_MAX];
};

// A ring: the oldest frame is at `first`, `frame_cnt` are queued.
static struct frame frames[WHIT_INPROCESS_FRAMES];
static int first;
static int frame_cnt;
static int frame_limit = WHIT_INPROCESS_FRAMES;
static int large, taken_cut;

static uint32_t clock_ms;
static uint32_t spent_us;    // by generators that a test makes dear
static uint64_t entropy_state = 1;

static uint8_t persistent[WHIT_PERSISTENT_SIZE > 0 ? WHIT_PERSISTENT_SIZE : 1];
static int writes_until_failure = -1;
static uint32_t write_cnt;

// The current frame, and its octets that must not change before its end.
static struct {
    bool begun;
    bool broken;      // the contract of whit/driver.h, since the last reset
    int announced;    // octets
    int cut;          // as of a frame; until its end, of the one that begins next
    int put_cnt, ram_len;
    struct {
        const uint8_t *octets;
        int at, len;
    } lasting[WHIT_PUTS_MAX];
} going;

int whit_inprocess_take(uint8_t *to, int capacity)
{
    if (going.broken || going.begun)
        return -2;
    if (frame_cnt == 0)
        return -1;
    const struct frame *frame = &frames[first];
    if (frame->len > capacity)
        return 0;
    memcpy(to, frame->octets, (size_t)frame->len);
    taken_cut = frame->cut;
    first = (first + 1) % WHIT_INPROCESS_FRAMES;
    frame_cnt--;
    return frame->len;
}

void whit_inprocess_large(int payload)
{
    large = payload < WHIT_INPROCESS_LARGE_MAX ? payload : WHIT_INPROCESS_LARGE_MAX;
}

int whit_inprocess_cut(void)
{
    return taken_cut;
}

void whit_inprocess_limit(int limit)
{
    if (limit < 0)
        limit = 0;
    frame_limit = limit < WHIT_INPROCESS_FRAMES ? limit : WHIT_INPROCESS_FRAMES;
}

static char log_text[1 << 16];
static int log_len;

void whit_port_log(const char *line, uint16_t len)
{
    if (log_len + len > (int)sizeof log_text)
        return;
    memcpy(log_text + log_len, line, len);
    log_len += len;
}

int whit_inprocess_log(char *to, int capacity)
{
    int len = log_len < capacity ? log_len : capacity;
    memcpy(to, log_text, (size_t)len);
    log_len = 0;
    return len;
}

void whit_inprocess_reset(void)
{
    first = 0;
    frame_cnt = 0;
    frame_limit = WHIT_INPROCESS_FRAMES;
    large = 0;
    writes_until_failure = -1;
    memset(&going, 0, sizeof going);
#if WHIT_INPROCESS_LATER
    later_forget();
#endif
}

void whit_inprocess_clock(uint32_t now_ms)
{
    clock_ms = now_ms;
}

#if WHIT_TLS || WHIT_HAS_REPLIES
uint8_t whit_inprocess_key[32];

void whit_tls_key(uint8_t key[32])
{
    memcpy(key, whit_inprocess_key, sizeof whit_inprocess_key);
}
#endif

static uint32_t start_unix_s;    // 0: no clock

void whit_inprocess_unix(uint32_t unix_s)
{
    start_unix_s = unix_s;
}

uint32_t whit_port_unix_s(void)
{
    return start_unix_s != 0 ? start_unix_s + clock_ms / 1000 : 0;
}

void whit_inprocess_seed(uint32_t seed)
{
    entropy_state = seed;
}

uint8_t *whit_inprocess_persistent(void)
{
    return persistent;
}

void whit_inprocess_persistent_fail_after(int n)
{
    writes_until_failure = n;
}

uint32_t whit_inprocess_persistent_writes(void)
{
    return write_cnt;
}

bool whit_driver_init(void)
{
    return true;
}

static void hold(bool kept)
{
    going.broken |= !kept;
}

bool whit_driver_ready(void)
{
    hold(!going.begun);
    return frame_cnt < frame_limit;
}

uint16_t whit_driver_large(void)
{
    return (uint16_t)large;
}

void whit_driver_cut(uint16_t payload)
{
    hold(!going.begun && large != 0 && payload != 0);
    going.cut = payload;
}

bool whit_driver_begin(uint16_t len)
{
    bool begun = whit_driver_ready();
    hold(len > 0 && len <= (going.cut != 0 ? HEADERS + large : WHIT_INPROCESS_FRAME_MAX));
    if (!begun)
        going.cut = 0;
    going.begun = begun && !going.broken;
    going.announced = len;
    going.put_cnt = going.ram_len = 0;
    frames[(first + frame_cnt) % WHIT_INPROCESS_FRAMES].len = 0;
    return going.begun;
}

static bool in_persistent(const uint8_t *octets)
{
    return octets >= persistent && octets < persistent + WHIT_PERSISTENT_SIZE;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    struct frame *frame = &frames[(first + frame_cnt) % WHIT_INPROCESS_FRAMES];
    going.ram_len += place == WHIT_IN_RAM ? len : 0;
    hold(going.begun && len > 0 && len <= going.announced - frame->len && going.put_cnt < WHIT_PUTS_MAX &&
         going.ram_len <= WHIT_PUTS_RAM);
    hold((place == WHIT_IN_PERSISTENT) == in_persistent(octets));
    hold(going.cut == 0 || place == (frame->len < HEADERS ? WHIT_IN_RAM : WHIT_IN_FLASH));
    if (going.broken)
        return;
    memcpy(frame->octets + frame->len, octets, len);
    for (int i = 0; i < going.put_cnt; i++)    // WHIT_DRIVER_COPIES: a record takes the place of the one before it
        if (going.lasting[i].octets < octets + len && octets < going.lasting[i].octets + going.lasting[i].len)
            going.lasting[i].len = 0;
    going.lasting[going.put_cnt].octets = octets;
    going.lasting[going.put_cnt].at = frame->len;
    going.lasting[going.put_cnt++].len = place == WHIT_IN_RAM ? 0 : len;
    frame->len += len;
}

void whit_driver_end(void)
{
    struct frame *frame = &frames[(first + frame_cnt) % WHIT_INPROCESS_FRAMES];
    frame->cut = going.cut;
    going.cut = 0;
    hold(going.begun && frame->len == going.announced);
    for (int i = 0; i < going.put_cnt && !going.broken; i++)
        hold(memcmp(frame->octets + going.lasting[i].at, going.lasting[i].octets, (size_t)going.lasting[i].len) == 0);
    frame_cnt += going.begun && !going.broken;
    going.begun = false;
}

// Received frames come by whit_input() from outside.
bool whit_driver_poll(uint32_t now_ms)
{
    clock_ms = now_ms;
    return false;
}

void whit_driver_wait(uint32_t ms)
{
    clock_ms += ms;
}

uint32_t whit_port_now_ms(void)
{
    return clock_ms;
}

uint32_t whit_port_now_us(void)
{
    return clock_ms * 1000 + spent_us;
}

void whit_inprocess_spend(uint32_t us)
{
    spent_us += us;
}

// SplitMix64 (Steele, Lea, Flood 2014): repeatable and well spread, for tests.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++) {
        entropy_state += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = entropy_state;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        to[i] = (uint8_t)(z >> 56);
    }
}

static bool in_range(uint16_t address, uint16_t len)
{
    return (uint32_t)address + len <= WHIT_PERSISTENT_SIZE;
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return persistent + address;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    memcpy(to, persistent + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if (!in_range(address, len) || writes_until_failure == 0)
        return false;
    if (writes_until_failure > 0)
        writes_until_failure--;
    memcpy(persistent + address, from, len);
    write_cnt++;
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}

unsigned whit_inprocess_counter(unsigned counter)
{
    return counter < WHIT_COUNTER_CNT ? whit_counters[counter] : 0;
}

void whit_broken(const char *what)
{
    fprintf(stderr, "the engine is broken: expected %s\n", what);
    abort();
}
