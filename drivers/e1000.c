// SPDX-License-Identifier: MIT
// Intel's gigabit controllers (PCI/PCI-X Family of Gigabit Ethernet Controllers Software Developer's Manual, 317453;
// 82574, 317694). It uses descriptors of their first form, and of the second one for segments that the card sums and
// cuts. The engine computes other sums while octets are copied or generated.
#include "board.h"
#include "card.h"
#include "io.h"

#define TRANSMIT_CNT 1024u    // number of descriptors: enough for card.c's frames
_Static_assert(CARD_FRAMES_SURE *CARD_SPANS_MAX < TRANSMIT_CNT, "card.h");

#define VENDOR 0x8086
// Registers (section 13).
enum {
    CONTROL = 0x0000,
    STATUS = 0x0008,
    INTERRUPT_CAUSE = 0x00c0,
    INTERRUPT_SET = 0x00d0,
    INTERRUPT_CLEAR = 0x00d8,
    RECEIVE_CONTROL = 0x0100,
    TRANSMIT_CONTROL = 0x0400,
    TRANSMIT_GAP = 0x0410,
    RECEIVE_BASE = 0x2800,
    RECEIVE_LEN = 0x2808,
    RECEIVE_HEAD = 0x2810,
    RECEIVE_TAIL = 0x2818,
    TRANSMIT_BASE = 0x3800,
    TRANSMIT_LEN = 0x3808,
    TRANSMIT_HEAD = 0x3810,
    TRANSMIT_TAIL = 0x3818,
    MULTICAST = 0x5200,
    ADDRESS_LOW = 0x5400,
    ADDRESS_HIGH = 0x5404,
};
#define MULTICAST_CNT 128u
#define CONTROL_SPEED_AUTO (1u << 5)
#define CONTROL_LINK_UP (1u << 6)
#define CONTROL_RESET (1u << 26)
#define RECEIVE_ENABLE (1u << 1)
#define RECEIVE_BROADCAST (1u << 15)
#define RECEIVE_STRIP_CRC (1u << 26)
#define TRANSMIT_ENABLE (1u << 1)
#define TRANSMIT_PAD (1u << 3)
#define TRANSMIT_COLLISIONS (15u << 4 | 64u << 12)
#define TRANSMIT_GAPS (10u | 8u << 10 | 6u << 20)
#define CAUSE_RECEIVED (1u << 4 | 1u << 6 | 1u << 7)    // threshold, overrun, timer
#define ADDRESS_VALID (1u << 31)

struct receive {
    uint64_t address;
    uint16_t len, sum;
    volatile uint8_t status;
    uint8_t errors;
    uint16_t special;
};
struct transmit {
    uint64_t address;
    uint16_t len;
    uint8_t sum_offset, command;
    volatile uint8_t status;
    uint8_t sum_start;
    uint16_t special;
};
#define DONE 1u
#define END_OF_PACKET 2u                                                    // status of a received frame
enum { LAST = 1, INSERT_CRC = 2, CUT = 4, REPORT = 8, EXTENDED = 0x20 };    // bits of a command
enum { CONTEXT_TCP = 1, CONTEXT_IP = 2 };                                   // bits of a descriptor for headers
#define DATA (1u << 4)               // sum_offset: an extended descriptor of octets
enum { SUM_IP = 1, SUM_TCP = 2 };    // sum_start of an extended descriptor
#define LINK_LEN 14u
#define HEAD_LEN 54u    // headers of link, IP, TCP
#define IP_SUM 24
#define TCP_SUM 50u

static uintptr_t registers;
static _Alignas(128) struct receive receive[CARD_RECEIVE_CNT];
static _Alignas(128) struct transmit transmit[TRANSMIT_CNT];
static uint16_t receive_next;                                // the next one that the card fills
static bool released;                                        // some were, of which the card does not know
static uint16_t transmit_next;                               // the next one to fill
static uint16_t transmit_known;                              // the card knows the ones before it
static uint16_t transmit_oldest;                             // the oldest one that the card has not sent
static uint16_t frames_next, frames_known, frames_oldest;    // the same of frames
static uint16_t frame_ends[CARD_FRAMES];                     // the descriptor after each frame
static bool card_cuts;
static uint8_t command = INSERT_CRC, data_form, sums;    // fields for descriptors of the current frame

static volatile uint32_t *at(uint32_t offset)
{
    return (volatile uint32_t *)(registers + offset);
}

// True for controllers before the 82544, and for the 82547.
static bool is_uncut(const struct pci *device)
{
    return device->device <= 0x1004 || device->device == 0x1019 || device->device == 0x101a || device->device == 0x1075;
}

static bool is_known(const struct pci *device)
{
    static const uint16_t known[] = {
        0x1004, 0x1008, 0x100c, 0x100d, 0x100e, 0x100f, 0x1010, 0x1011, 0x1013, 0x1015,
        0x1016, 0x1017, 0x1018, 0x1019, 0x101a, 0x101d, 0x101e, 0x1026, 0x1027, 0x1028,
        0x1075, 0x1076, 0x1077, 0x1078, 0x1079, 0x107a, 0x107b, 0x107c, 0x10d3,
    };
    for (uint8_t i = 0; device->vendor == VENDOR && i < sizeof known / sizeof *known; i++)
        if (known[i] == device->device)
            return true;
    return false;
}

// Reads of a slow port: more than a microsecond each.
static void pause(uint32_t us)
{
    while (us-- != 0)
        in_8(0x80);
}

static bool reset(void)
{
    *at(INTERRUPT_CLEAR) = 0xffffffffu;
    *at(CONTROL) |= CONTROL_RESET;
    pause(10000);
    for (uint32_t i = 0; i < 1000 && (*at(CONTROL) & CONTROL_RESET) != 0; i++)
        pause(100);
    *at(INTERRUPT_CLEAR) = 0xffffffffu;
    return (*at(CONTROL) & CONTROL_RESET) == 0;
}

static bool read_address(uint8_t mac[6])
{
    uint32_t low = *at(ADDRESS_LOW), high = *at(ADDRESS_HIGH);
    for (uint8_t i = 0; i < 6; i++)
        mac[i] = (uint8_t)((i < 4 ? low : high) >> 8 * (i % 4));
    return (high & ADDRESS_VALID) != 0;
}

static void open_rings(uint8_t buffers[][CARD_BUFFER_LEN])
{
    for (uint16_t i = 0; i < CARD_RECEIVE_CNT; i++)
        receive[i] = (struct receive){.address = (uintptr_t)buffers[i]};
    *at(RECEIVE_BASE) = (uintptr_t)receive;
    *at(RECEIVE_BASE + 4) = 0;
    *at(RECEIVE_LEN) = sizeof receive;
    *at(RECEIVE_HEAD) = 0;
    *at(RECEIVE_TAIL) = CARD_RECEIVE_CNT - 1;
    *at(TRANSMIT_BASE) = (uintptr_t)transmit;
    *at(TRANSMIT_BASE + 4) = 0;
    *at(TRANSMIT_LEN) = sizeof transmit;
    *at(TRANSMIT_HEAD) = 0;
    *at(TRANSMIT_TAIL) = 0;
}

static bool e1000_open(const struct pci *device, uint8_t buffers[][CARD_BUFFER_LEN], uint8_t mac[6])
{
    registers = pci_open(device, 0);
    if (registers == 0 || !reset())
        return false;
    *at(CONTROL) |= CONTROL_LINK_UP | CONTROL_SPEED_AUTO;
    if (!read_address(mac))
        return false;
    for (uint32_t i = 0; i < MULTICAST_CNT; i++)
        *at(MULTICAST + 4 * i) = 0;
    open_rings(buffers);
    card_cuts = !is_uncut(device);
    *at(TRANSMIT_GAP) = TRANSMIT_GAPS;
    *at(TRANSMIT_CONTROL) = TRANSMIT_ENABLE | TRANSMIT_PAD | TRANSMIT_COLLISIONS;
    *at(RECEIVE_CONTROL) = RECEIVE_ENABLE | RECEIVE_BROADCAST | RECEIVE_STRIP_CRC;    // buffers of 2048 octets
    *at(INTERRUPT_SET) = CAUSE_RECEIVED;
    return true;
}

static uint16_t e1000_received(const uint8_t **octets)
{
    const struct receive *next = &receive[receive_next];
    if ((next->status & DONE) == 0)
        return 0;
    __asm__ volatile("" : : : "memory");    // the processor itself reads in order
    *octets = (const uint8_t *)(uintptr_t)next->address;
    return next->len;
}

static void e1000_release(void)
{
    receive[receive_next].status = 0;
    receive_next = (receive_next + 1) % CARD_RECEIVE_CNT;
    released = true;
}

static bool e1000_has_room(void)
{
    return (transmit_next - transmit_oldest + TRANSMIT_CNT) % TRANSMIT_CNT + CARD_SPANS_MAX < TRANSMIT_CNT;
}

static void e1000_put(const uint8_t *octets, uint16_t len)
{
    transmit[transmit_next] = (struct transmit){
        .address = (uintptr_t)octets,
        .len = len,
        .sum_offset = data_form,
        .command = command,
        .sum_start = sums,
    };
    transmit_next = (transmit_next + 1) % TRANSMIT_CNT;
}

static bool e1000_cuts(void)
{
    return card_cuts;
}

// Puts a descriptor of the headers first (section 3.3.6). To cut a segment, the card writes the IP header's length and
// sum, and expects the pseudo header without the length.
static void e1000_cut(uint8_t *head, uint16_t len, uint16_t payload)
{
    bool cut = len - HEAD_LEN > payload;
    uint32_t octets = len - HEAD_LEN;
    transmit[transmit_next] = (struct transmit){
        .address = LINK_LEN | IP_SUM << 8 | (LINK_LEN + 19) << 16 | (uint64_t)((LINK_LEN + 20) | TCP_SUM << 8) << 32,
        .len = (uint16_t)octets,
        .command = EXTENDED | CONTEXT_TCP | CONTEXT_IP | (cut ? CUT : 0),
        .sum_start = HEAD_LEN,
        .special = payload,
    };
    transmit_next = (transmit_next + 1) % TRANSMIT_CNT;
    command = (uint8_t)(INSERT_CRC | EXTENDED | (cut ? CUT : 0));
    data_form = DATA;
    sums = cut ? SUM_IP | SUM_TCP : SUM_TCP;
    if (!cut)
        return;
    uint32_t sum = (uint32_t)(head[TCP_SUM] << 8 | head[TCP_SUM + 1]) + (uint16_t)~(len - LINK_LEN - 20u);
    sum = (sum & 0xffff) + (sum >> 16);
    head[TCP_SUM] = (uint8_t)(sum >> 8);
    head[TCP_SUM + 1] = (uint8_t)sum;
    head[IP_SUM] = head[IP_SUM + 1] = 0;
}

static void e1000_end(void)
{
    transmit[(transmit_next + TRANSMIT_CNT - 1) % TRANSMIT_CNT].command |= LAST | REPORT;
    frame_ends[frames_next++ % CARD_FRAMES] = transmit_next;
    command = INSERT_CRC;
    data_form = sums = 0;
}

static void e1000_go(void)
{
    __asm__ volatile("" : : : "memory");
    if (transmit_known != transmit_next)
        *at(TRANSMIT_TAIL) = transmit_known = transmit_next;
    frames_known = frames_next;
    if (released)
        *at(RECEIVE_TAIL) = (receive_next + CARD_RECEIVE_CNT - 1) % CARD_RECEIVE_CNT;
    released = false;
}

static uint16_t e1000_sent(void)
{
    uint16_t before = frames_oldest;
    while (frames_oldest != frames_known) {
        uint16_t end = frame_ends[frames_oldest % CARD_FRAMES];
        if ((transmit[(end + TRANSMIT_CNT - 1) % TRANSMIT_CNT].status & DONE) == 0)
            break;
        transmit_oldest = end;
        frames_oldest++;
    }
    return (uint16_t)(frames_oldest - before);
}

// Clears the interrupt cause by reading it.
static void e1000_quiet(void)
{
    (void)*at(INTERRUPT_CAUSE);
}

const struct card card_e1000 = {
    "e1000",   is_known,   e1000_open, e1000_received, e1000_release, e1000_has_room, e1000_put,
    e1000_end, e1000_cuts, e1000_cut,  e1000_go,       e1000_sent,    e1000_quiet,
};
