// SPDX-License-Identifier: MIT
// Between the files of this floor.
#ifndef WHIT_WSS_IN_H
#define WHIT_WSS_IN_H

#include "wss.h"

#define WSS_MARK 4    // octets by which a message is known again among those of the same second: one in 2^32 others is refused, none runs twice

// By the time at which it was made, may a message be taken? At most in a clock's fault.
enum wss_fault wss_in_time(uint32_t created);
// A lower bound of the time, or, if `exact`, the time.
uint32_t wss_now(bool *exact);
// A message that was made then and is proved to be a caller's, is it the first of its mark? It is remembered.
enum wss_fault wss_take(uint32_t created, const uint8_t mark[WSS_MARK]);

#endif
