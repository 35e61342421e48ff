// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="begin" doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args><arg name="open" type="bool"/></args>
   </generator> */
// State that others wait for, and that changes with time: timers open and close it, and write a content.
#include "said.h"
#include "whit_stored.h"

static bool open;
static uint8_t beat;

bool gate_open(void)
{
    return open;
}

char letter_now(void)
{
    return (char)('a' + beat % 26);
}

bool write_stored(uint8_t content, char letter, uint16_t len, uint16_t step, bool end)
{
    static const char digits[] = "0123456789";
    char line[] = {'N', ' ',    '0', ' ', digits[len / 100 % 10], digits[len / 10 % 10], digits[len % 10],
                   ' ', letter, '\n'};
    uint16_t ticket = stored_begin(content);
    char octets[64];

    for (uint8_t i = 0; i < sizeof octets; i++)
        octets[i] = letter;
    if (!stored_add(ticket, line, sizeof line))
        return false;
    for (uint16_t now = 0; len != 0; len = (uint16_t)(len - now)) {
        now = step == 0 || step > sizeof octets ? sizeof octets : step;
        now = now < len ? now : len;
        if (!stored_add(ticket, octets, now))
            return false;
    }
    return end && stored_end(ticket);
}

static void change(void)
{
    beat++;
    open = beat % 3 != 0;
}

static void note(void)
{
    write_stored(STORED_NOTE_TXT, letter_now(), (uint16_t)(beat * 37u % 650), 50, beat % 8 != 7);
}

static char begin(void)
{
    open = false;
    beat = 0;
    return set_timer(change, 3000) && set_timer(note, 20000);
}

static char write(struct args_t *args)
{
    uint32_t run = next_run();

    open = args->open;
    say('K', run, 0, '.');
    return run != 0;
}
