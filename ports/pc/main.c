// SPDX-License-Identifier: MIT
// From start.S to the loop that serves, and the screen during that time.
#include <string.h>

#include "board.h"
#include "card.h"
#include "clock.h"
#include "console.h"
#include "flash.h"
#include "interrupts.h"
#include "io.h"
#include "pc.h"
#include "screen.h"
#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"
#if WHIT_HAS_DATABASE
#include "whit/database.h"
#include "whit_database.h"
#endif

#define MULTIBOOT 0x2badb002u
#define BOOT_SECTOR_LEN 512u
#define SHOW_MS 500u
#define HIGH_MEMORY 0x100000u

extern uint8_t image_start[], image_end[], bss_start[], bss_end[], whit_stack_bottom[], whit_stack_top[];
extern struct {
    uint32_t crc, len;
} image_seal;
_Noreturn void pc_main(uint32_t magic, uint32_t memory_kb);

static struct whit_network network = {
    .address = {WHIT_BOARD_ADDRESS},
    .gateway = {WHIT_BOARD_GATEWAY},
    .prefix_len = WHIT_BOARD_PREFIX,
};

// ------------------------------------------------------------------------------------------------ is everything here?

// CRC-32 (ISO 3309), a bit at a time.
static uint32_t crc_of(uint32_t crc, const uint8_t *octets, const uint8_t *end)
{
    for (; octets < end; octets++) {
        crc ^= *octets;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    }
    return crc;
}

static bool is_whole(void)
{
    const uint8_t *seal = (const uint8_t *)&image_seal;
    if (image_seal.len != (uint32_t)(image_end - image_start))
        return false;
    uint32_t crc = crc_of(0xffffffffu, image_start + BOOT_SECTOR_LEN, seal);
    return image_seal.crc == ~crc_of(crc, seal + sizeof image_seal, image_end);
}

static void say_number(uint32_t number)
{
    char digits[NUMBER_LEN];
    board_say(number_text(digits, number));
}

static void say_address(const uint8_t address[4])
{
    for (uint8_t i = 0; i < 4; i++) {
        if (i != 0)
            board_say(".");
        say_number(address[i]);
    }
}

static void check_memory(uint32_t memory_kb)
{
    uint32_t needed_kb = ((uint32_t)(uintptr_t)bss_end - HIGH_MEMORY) / 1024;
    if (memory_kb >= needed_kb)
        return;
    board_say("kB of memory above the first megabyte: ");
    say_number(memory_kb);
    board_say(", needed ");
    say_number(needed_kb);
    board_end("not enough memory");
}

// ------------------------------------------------------------------------------------------------ the screen

static uint32_t dropped_cnt(void)
{
    uint32_t sum = 0;
    for (uint8_t i = WHIT_DROP_FRAME_SHORT; WHIT_COUNTER_BITS > 0 && i <= WHIT_DROP_NO_BUFFER; i++)
        if (i != WHIT_COUNT_CHALLENGE_ACK)
            sum += whit_counters[i];
    return sum;
}

static void show_address(struct row *row, const uint8_t address[4])
{
    for (uint8_t i = 0; i < 4; i++) {
        screen_text(row, i != 0 ? "." : "");
        screen_number(row, address[i]);
    }
}

static void show_place(void)
{
    struct row row = {0, 0};
    screen_text(&row, "Whit serves " WHIT_APP_NAME " at http://");
    show_address(&row, network.address);
    if (WHIT_TCP_PORT != 80) {
        screen_text(&row, ":");
        screen_number(&row, WHIT_TCP_PORT);
    }
    screen_text(&row, "/");
    screen_end(&row);
    row = (struct row){1, 0};
    screen_text(&row, "network card: ");
    screen_text(&row, card->name);
    screen_text(&row, "; secret from ");
    screen_text(&row, entropy_source() == ENTROPY_RDRAND ? "RDRAND" : "jitter of the clocks");
    screen_end(&row);
    row = (struct row){2, 0};
    if (WHIT_PERSISTENT_SIZE > 0) {
        screen_text(&row, *disk_name() != '\0' ? "what is stored is kept on "
                                               : "what is stored is lost with the power: no disk is marked for it");
        screen_text(&row, disk_name());
    }
    screen_end(&row);
}

static uint32_t memory_mb;

static void show_state(uint32_t load_percent)
{
    struct row row = {4, 0};
    screen_text(&row, "up ");
    screen_number(&row, clock_since_start_ms() / 1000);
    screen_text(&row, " s; load ");
    screen_number(&row, load_percent);
    screen_text(&row, " %; memory ");
    screen_number(&row,
                  ((uint32_t)(uintptr_t)bss_end - HIGH_MEMORY + (uint32_t)(whit_stack_top - whit_stack_bottom)) / 1024);
    screen_text(&row, " kB of ");
    screen_number(&row, memory_mb);
    screen_text(&row, " MB");
    screen_end(&row);
    row = (struct row){5, 0};
    screen_text(&row, "frames in ");
    screen_number(&row, card_received_cnt);
    screen_text(&row, ", out ");
    screen_number(&row, card_sent_cnt);
    if (WHIT_COUNTER_BITS > 0) {
        screen_text(&row, "; dropped ");
        screen_number(&row, dropped_cnt());
    }
    screen_end(&row);
}

#if WHIT_HAS_DATABASE
static const uint8_t database_address[4] = {
    WHIT_DATABASE_ADDRESS >> 24,
    WHIT_DATABASE_ADDRESS >> 16 & 255,
    WHIT_DATABASE_ADDRESS >> 8 & 255,
    WHIT_DATABASE_ADDRESS & 255,
};

// Shows the address and events of the database, as far as they fit the row.
static void show_database(void)
{
    char digits[NUMBER_LEN];
    struct row row = {6, 0};
    screen_text(&row, "database ");
    show_address(&row, database_address);
    screen_text(&row, ":");
    screen_text(&row, number_text(digits, WHIT_DATABASE_PORT));
    for (uint8_t i = 0; i < DATABASE_EVENT_CNT; i++) {
        if (whit_database_events[i] == 0)
            continue;
        screen_text(&row, "; ");
        screen_text(&row, database_event_name((enum database_event)i));
        screen_text(&row, " ");
        screen_number(&row, whit_database_events[i]);
    }
    screen_end(&row);
}
#endif

static void show(uint32_t now_ms)
{
    static uint32_t shown_ms;
    static uint64_t shown_at, shown_asleep;
    if (now_ms - shown_ms < SHOW_MS)
        return;
    if (WHIT_HAS_LOG)
        log_show();
    uint64_t now = time_stamp(), asleep = interrupts_asleep();
    uint32_t passed = (uint32_t)((now - shown_at) >> 10), slept = (uint32_t)((asleep - shown_asleep) >> 10);
    show_state(slept > passed || passed < 100 ? 0 : 100 - slept / (passed / 100));
#if WHIT_HAS_DATABASE
    show_database();
#endif
    shown_ms = now_ms;
    shown_at = now;
    shown_asleep = asleep;
}

// ------------------------------------------------------------------------------------------------ serving

static uint32_t idle_ms(void)
{
    uint32_t next_ms = whit_next_ms(whit_port_now_ms());
    return WHIT_HAS_LOG && log_step() && next_ms > 1 ? 1 : next_ms;
}

static _Noreturn void serve(void)
{
    for (;;) {
        uint32_t now_ms = whit_port_now_ms();
        whit_driver_poll(now_ms);
        whit_tick(now_ms);
        while (whit_output(now_ms)) {
        }
        show(now_ms);
        whit_driver_wait(idle_ms());
    }
}

static void say_what_is_here(void)
{
    board_say("Whit " WHIT_APP_NAME ": ");
    board_say(card->name);
    board_say(", ");
    say_address(network.address);
    board_say(", secret from ");
    board_say(entropy_source() == ENTROPY_RDRAND ? "RDRAND" : "jitter");
    if (WHIT_PERSISTENT_SIZE > 0)
        board_say(*disk_name() != '\0' ? ", persistent memory on a disk" : ", no persistent memory");
#if WHIT_HAS_DATABASE
    board_say(", database ");
    say_address(database_address);
    board_say(":");
    say_number(WHIT_DATABASE_PORT);
#endif
    board_say("\n");
}

_Noreturn void pc_main(uint32_t magic, uint32_t memory_kb)
{
    uint64_t start = time_stamp();
    bool whole = is_whole();    // before anything of it changes
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    board_open();
    if (!whole)
        board_end("the image is broken; write it again");
    if (magic != MULTIBOOT)
        board_end("started by no multiboot loader");
    check_memory(memory_kb);
    memory_mb = memory_kb / 1024 + 1;
    interrupts_open();
    if (!clock_open(start))
        board_end("the processor's time stamp cannot be measured");
    if (WHIT_PERSISTENT_SIZE > 0) {
        flash_open();
        flash_log_open();
    }
    if (!whit_driver_init())
        board_end("no network card that is known: see docs/bare-pc.md");
    memcpy(network.mac, card_mac, sizeof network.mac);
    whit_init(&network, whit_port_now_ms());
    show_place();
    say_what_is_here();
    board_say("ready\n");
    serve();
}
