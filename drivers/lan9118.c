// SPDX-License-Identifier: MIT
// SMSC LAN9118, a 10/100 Ethernet controller with FIFOs of 32-bit words (its data sheet, revision 1.5). RAM never holds
// a frame. Received words go from the FIFO to the engine. Sent octets go into the FIFO as buffers of their own.
#include <string.h>

#include "board.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#define RX_DATA REGISTER(LAN9118 + 0x00)
#define TX_DATA REGISTER(LAN9118 + 0x20)
#define RX_STATUS REGISTER(LAN9118 + 0x40)
#define TX_STATUS REGISTER(LAN9118 + 0x48)
#define IRQ_CFG REGISTER(LAN9118 + 0x54)
#define INT_STS REGISTER(LAN9118 + 0x58)
#define INT_EN REGISTER(LAN9118 + 0x5c)
#define BYTE_TEST REGISTER(LAN9118 + 0x64)
#define FIFO_INT REGISTER(LAN9118 + 0x68)
#define RX_CFG REGISTER(LAN9118 + 0x6c)
#define TX_CFG REGISTER(LAN9118 + 0x70)
#define HW_CFG REGISTER(LAN9118 + 0x74)
#define RX_FIFO_INF REGISTER(LAN9118 + 0x7c)
#define TX_FIFO_INF REGISTER(LAN9118 + 0x80)
#define MAC_CSR_CMD REGISTER(LAN9118 + 0xa4)
#define MAC_CSR_DATA REGISTER(LAN9118 + 0xa8)

#define IRQ_CFG_ON 0x111u           // enabled, active high, push-pull
#define INT_RX_STATUS 0x8u          // more words in the RX status FIFO than FIFO_INT sets
#define HW_CFG_FIFOS 0x00050000u    // 5 KiB for transmission; the other bits must keep their values
#define TX_CFG_ON 0x2u
#define RX_ERROR 0x8000u
#define TX_FIRST 0x2000u
#define TX_LAST 0x1000u
#define MAC_BUSY 0x80000000u
enum { MAC_CR = 1, MAC_ADDRH = 2, MAC_ADDRL = 3 };
#define MAC_CR_ON 0x0010000cu    // full duplex, transmitter, receiver

#define BYTE_TEST_VALUE 0x87654321u
#define FCS_LEN 4
#define FRAME_MAX 1514
// octets of the FIFO that a buffer takes in addition to its own: two commands, and padding
#define PUT_MAX (8 + 3)
#define WORDS 8       // words that are passed to the engine at a time
#define POLL_MAX 8    // frames in one call, so that answers and timers get their turn

static void mac_write(uint32_t index, uint32_t value)
{
    MAC_CSR_DATA = value;
    MAC_CSR_CMD = MAC_BUSY | index;
    while (MAC_CSR_CMD & MAC_BUSY) {
    }
}

bool whit_driver_init(void)
{
    static const uint8_t mac[6] = {WHIT_BOARD_MAC};
    if (BYTE_TEST != BYTE_TEST_VALUE)
        return false;
    HW_CFG = HW_CFG_FIFOS;
    TX_CFG = TX_CFG_ON;
    RX_CFG = 0;
    mac_write(MAC_ADDRL, mac[0] | (uint32_t)mac[1] << 8 | (uint32_t)mac[2] << 16 | (uint32_t)mac[3] << 24);
    mac_write(MAC_ADDRH, mac[4] | (uint32_t)mac[5] << 8);
    mac_write(MAC_CR, MAC_CR_ON);
    FIFO_INT = 0;
    INT_EN = INT_RX_STATUS;
    IRQ_CFG = IRQ_CFG_ON;
    board_interrupt(LAN9118_INTERRUPT);
    return true;
}

// True if the largest frame, in the largest number of buffers, fits the free octets of the FIFO.
bool whit_driver_ready(void)
{
    return (TX_FIFO_INF & 0xffff) >= FRAME_MAX + WHIT_PUTS_MAX * PUT_MAX;
}

static void push(const uint8_t *octets, uint16_t len)
{
    for (; len >= 4; octets += 4, len = (uint16_t)(len - 4)) {
        uint32_t word;
        memcpy(&word, octets, 4);
        TX_DATA = word;
    }
    if (len != 0) {
        uint32_t word = 0;
        memcpy(&word, octets, len);
        TX_DATA = word;
    }
}

// The log in flash is not mapped: it is read some octets at a time.
static void push_persistent(const uint8_t *octets, uint16_t len)
{
    uint8_t some[4 * WORDS];
    for (uint16_t done = 0, now; done < len; done = (uint16_t)(done + now)) {
        now = len - done < (uint16_t)sizeof some ? (uint16_t)(len - done) : (uint16_t)sizeof some;
        whit_port_persistent_read((uint16_t)((uintptr_t)octets + done), some, now);
        push(some, now);
    }
}

static uint16_t frame_len, frame_left;    // octets of the frame that is being sent, and of those the ones to come

bool whit_driver_begin(uint16_t len)
{
    frame_len = frame_left = len;
    return whit_driver_ready();
}

void whit_driver_put(const uint8_t *octets, uint16_t len, uint8_t place)
{
    TX_DATA = (frame_left == frame_len ? TX_FIRST : 0) | (frame_left == len ? TX_LAST : 0) | len;
    TX_DATA = frame_len;
    frame_left = (uint16_t)(frame_left - len);
    if (WHIT_HAS_STORED && place == WHIT_IN_PERSISTENT)
        push_persistent(octets, len);
    else
        push(octets, len);
}

// Ends the frame: the last buffer was marked as its end. Empties the status FIFO.
void whit_driver_end(void)
{
    while (TX_FIFO_INF & 0xff0000)
        (void)TX_STATUS;
}

static bool has_received(void)
{
    return (RX_FIFO_INF & 0xff0000) != 0;
}

// A frame with a wrong FCS is read and discarded.
static void receive(uint32_t now_ms)
{
    uint32_t status = RX_STATUS, words[WORDS];
    uint16_t left = (uint16_t)(status >> 16 & 0x3fff);
    bool good = (status & RX_ERROR) == 0 && left > FCS_LEN;
    uint16_t len = good ? (uint16_t)(left - FCS_LEN) : 0;
    while (left != 0) {
        uint8_t word_cnt = left >= sizeof words ? WORDS : (uint8_t)((left + 3) / 4);
        for (uint8_t i = 0; i < word_cnt; i++)
            words[i] = RX_DATA;
        uint16_t octets = len < sizeof words ? len : (uint16_t)sizeof words;
        if (octets != 0)
            whit_input((const uint8_t *)words, octets, now_ms);
        len = (uint16_t)(len - octets);
        left = left > sizeof words ? (uint16_t)(left - sizeof words) : 0;
    }
    if (good)
        whit_input_end(now_ms);    // no frame is kept: the sender repeats one that found no room
}

// No frame is received while its answer would find no room.
bool whit_driver_poll(uint32_t now_ms)
{
    uint8_t cnt = 0;
    for (; cnt < POLL_MAX && has_received() && whit_driver_ready(); cnt++)
        receive(now_ms);
    return cnt != 0;
}

void whit_driver_wait(uint32_t ms)
{
    INT_STS = INT_RX_STATUS;
    if (!has_received() && whit_driver_ready())
        board_sleep(ms);
}
