// SPDX-License-Identifier: MIT
// The engine on an AVR, called from outside, as ports/inprocess is on a host. The same tests run on a machine with an
// int of 16 bits and constants that loads do not reach. The host (tools/whit_testbed/avr_library.py) writes a call into
// `call` and runs the machine until it sends an octet. The host knows the sizes and names here.
#include <avr/io.h>
#include <string.h>

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"
#include "whit_limits.h"

enum {
    CALL_NONE,
    CALL_INIT,
    CALL_INPUT,
    CALL_INPUT_END,
    CALL_INPUT_AGAIN,
    CALL_INPUT_HELD,
    CALL_TICK,
    CALL_OUTPUT,
    CALL_NEXT
};

struct {
    volatile uint8_t number;    // CALL_NONE: done
    volatile uint16_t len;
    volatile uint32_t now_ms;
    volatile uint32_t result;
} call;
uint8_t call_octets[1600];
struct whit_network call_network;

#define SENT_LEN 6000
uint8_t sent[SENT_LEN];                  // frames back to back, each after its length of 2 octets, low first
volatile uint16_t sent_len;              // the host sets it to 0
volatile uint16_t sent_cnt, sent_max;    // frames that are there, and that may be

volatile uint32_t clock_ms, spent_us;
volatile uint32_t entropy_state[2];
uint8_t persistent[WHIT_PERSISTENT_SIZE > 0 ? WHIT_PERSISTENT_SIZE : 1];
volatile int16_t writes_until_failure = -1;
volatile uint32_t write_cnt;

bool whit_driver_init(void)
{
    return true;
}

// Not when a frame of the largest size might find no room.
bool whit_driver_ready(void)
{
    return sent_cnt < sent_max && sent_len + 1600 <= SENT_LEN;
}

static uint16_t put_to;    // place of the next octets of the current frame

bool whit_driver_begin(uint16_t len)
{
    if (!whit_driver_ready() || len > 1600)
        return false;
    memcpy(sent + sent_len, &len, 2);
    put_to = sent_len + 2;
    return true;
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    if (place == WHIT_IN_FLASH)
        whit_flash_copy(sent + put_to, octets, len);
    else
        memcpy(sent + put_to, octets, len);
    put_to += len;
}

void whit_driver_end(void)
{
    sent_len = put_to;
    sent_cnt++;
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
    return clock_ms;
}

uint32_t whit_port_now_us(void)
{
    return clock_ms * 1000 + spent_us;
}

// Simulates expensive generators of tests.
void whit_inprocess_spend(uint32_t us);
void whit_inprocess_spend(uint32_t us)
{
    spent_us += us;
}

// The xorshift of 32 bits and a counter: repeatable, for tests.
void whit_port_entropy(uint8_t *to, uint8_t len)
{
    while (len-- != 0) {
        uint32_t x = entropy_state[0];
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        entropy_state[0] = x;
        entropy_state[1] += UINT32_C(0x9e3779b9);
        *to++ = (uint8_t)((x + entropy_state[1]) >> 24);
    }
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return persistent + address;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if ((uint32_t)address + len > WHIT_PERSISTENT_SIZE)
        return false;
    memcpy(to, persistent + address, len);
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    if ((uint32_t)address + len > WHIT_PERSISTENT_SIZE || writes_until_failure == 0)
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

static void answer(void)
{
    uint32_t now_ms = call.now_ms;
    switch (call.number) {
    case CALL_INIT:
        whit_init(&call_network, now_ms);
        break;
    case CALL_INPUT:
        whit_input(call_octets, call.len, now_ms);
        break;
    case CALL_INPUT_END:
        call.result = whit_input_end(now_ms);
        break;
    case CALL_INPUT_AGAIN:
        whit_input_again((enum whit_taken)call.len);
        break;
    case CALL_INPUT_HELD:
        whit_input_held((enum whit_held)call.len);
        break;
    case CALL_TICK:
        whit_tick(now_ms);
        break;
    case CALL_OUTPUT:
        call.result = whit_output(now_ms);
        break;
    default:
        call.result = whit_next_ms(now_ms);
        break;
    }
}

int main(void)
{
    UBRR0 = 0;    // as fast as the line can be
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << TXEN0;
    sent_max = UINT16_MAX;
    for (;;) {
        while (call.number == CALL_NONE) {
        }
        answer();
        call.number = CALL_NONE;
        while ((UCSR0A & 1 << UDRE0) == 0) {
        }
        UDR0 = 1;    // the host looks
    }
}
