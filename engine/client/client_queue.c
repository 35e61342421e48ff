// SPDX-License-Identifier: MIT
// Handlers that wait for what another one has: a bit for each slot. Who is called is the next one after the last, so that each
// gets its turn.
#include <string.h>

#include "clients.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "whit/client.h"

static uint8_t queue_bits[WHIT_CONNECTIONS / 8 + 1];    // of slots, by 1 + their number
static uint16_t queue_last;         // that was called
static uint16_t queue_call_cnt;     // calls that nobody has heard yet

void queue_init(void)
{
    memset(queue_bits, 0, sizeof queue_bits);
    queue_last = queue_call_cnt = 0;
}

void queue_leave(uint16_t number)
{
    queue_bits[number / 8] &= (uint8_t)~(1u << number % 8);
}

void client_queue(void)
{
    queue_bits[client_asker / 8] |= (uint8_t)(1u << client_asker % 8);    // 0, that of nobody, is never called
}

void client_call(void)
{
    if (queue_call_cnt < WHIT_CONNECTIONS)
        queue_call_cnt++;
}

uint16_t queue_called(void)
{
    for (uint16_t i = 0; queue_call_cnt != 0 && i < WHIT_CONNECTIONS; i++) {
        queue_last = queue_last < WHIT_CONNECTIONS ? (uint16_t)(queue_last + 1) : 1;
        if (queue_bits[queue_last / 8] >> queue_last % 8 & 1) {
            queue_call_cnt--;
            queue_leave(queue_last);
            return queue_last;
        }
    }
    queue_call_cnt = 0;
    return 0;
}

bool queue_is_called(void)
{
    return queue_call_cnt != 0;
}
