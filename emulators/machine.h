// SPDX-License-Identifier: MIT
// An emulated machine whose link is octets (a UART), run by its own cycles; one in a process. Each file that implements
// it makes a program (main.c, with bridge.c towards the network). It also makes a shared object for experiments in
// virtual time.
#ifndef WHIT_EMULATOR_MACHINE_H
#define WHIT_EMULATOR_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

// Loads an image and resets the machine. `hz`: clock, 0 for the machine's usual one. `persistent`: file that holds its
// persistent memory between runs, or NULL. False: the reason is on stderr.
bool machine_open(const char *image, uint32_t hz, const char *persistent);
void machine_close(void);    // closes the persistent memory's file; nothing else is called after it
void machine_reset(void);    // as the power coming back: RAM is undefined, persistent memory stays
// seeds the machine's random choices, for runs that can be repeated; the next reset begins with it
void machine_seed(uint64_t seed);
uint32_t machine_hz(void);
uint64_t machine_cycle(void);
uint64_t machine_slept(void);    // cycles since it was opened during which the processor slept

// Runs until that cycle at least, or until an octet leaves if `stop_at_octet`. Sleep passes at once, in the machine's
// time.
void machine_run(uint64_t until, bool stop_at_octet);

// The link. An octet takes its time on the line. machine_may_send(): True if the line is free and the machine accepts
// one (flow control). A received octet is there when its last bit has left the machine, at *cycle.
uint32_t machine_octet_cycles(void);    // cycles of an octet on the line, with the machine's settings
bool machine_may_send(void);
void machine_send(uint8_t octet);    // machine_may_send() was true
bool machine_receive(uint8_t *octet, uint64_t *cycle);
// as machine_run(until, true), or until it may be sent one: looks every `step` cycles (offer.c)
void machine_run_offering(uint64_t until, uint32_t step);

// The console of a machine, on which its program writes lines of text (console.c). NULL: not read.
extern void (*machine_said)(const char *line, uint16_t len);    // its line feed included
void machine_says(uint8_t octet);                               // called by the machine

uint8_t machine_peek(uint32_t address);    // an octet of data memory
void machine_poke(uint32_t address, uint8_t octet);
// watch 0..15: remembers the cycle at which the program counter was there last
bool machine_watch(uint8_t number, uint32_t address);
uint64_t machine_watched(uint8_t number);
// keys of a console that are held down from now on, as its register has them
void machine_press(uint16_t buttons);
// power fails at that write of persistent memory from now on, which is left half done; machine_run() returns then
bool machine_cut(uint32_t writes);
bool machine_is_cut(void);

#endif
