// SPDX-License-Identifier: MIT
// Turns of hosts whose frames wait for a slot or for room. The caller numbers the places of frames (later.c).
#ifndef WHIT_DRIVER_FAIR_H
#define WHIT_DRIVER_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#define FAIR_FRAMES 1024
#define FAIR_NONE FAIR_FRAMES

struct fair_list {
    uint16_t first, last;
};    // a list of frames; FAIR_NONE: empty

void fair_append(struct fair_list *list, uint16_t frame);
void fair_remove(struct fair_list *list, uint16_t frame);
uint16_t fair_after(uint16_t frame);    // next one in its list

uint16_t fair_host(uint32_t address);    // its place; added if it is new

void fair_keep(uint16_t host);      // one more frame of this host is kept, waiting or not
void fair_let_go(uint16_t host);    // ... one less

// frames that wait for a slot or for room: whole requests before others, each oldest first
struct fair_list *fair_frames(uint16_t host);
void fair_wait(uint16_t host, uint16_t frame, bool whole, uint32_t now_ms);
void fair_leave(uint16_t host, uint16_t frame);
bool fair_any(void);    // a frame waits

// A round offers frames until none can be taken. fair_next() returns the host whose turn it is; FAIR_NONE: no host.
// fair_newcomer() returns the host that may make another one give up its slot.
void fair_round(uint32_t now_ms);
uint16_t fair_next(uint32_t now_ms);
uint16_t fair_newcomer(uint32_t now_ms);
// the frame that begins its turn; in every other turn, its first that is not whole
uint16_t fair_frame_to_offer(uint16_t host);
void fair_pass(uint16_t host);                      // nothing of it can be taken in this round
void fair_taken(uint16_t host, uint32_t now_ms);    // a frame of it was taken: the next turn is another host's
uint16_t fair_first(void);                          // any host that waits, and the one after it
uint16_t fair_second(uint16_t host);

// Returns the host that keeps most frames, if `host` keeps at least two less; else FAIR_NONE.
uint16_t fair_fattest(uint16_t host);

#endif
