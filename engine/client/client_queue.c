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
static uint16_t queue_cnt;          // handlers that wait; of what is fast only
static uint16_t queue_call_cnt;     // calls that nobody has heard yet

void queue_init(void)
{
    memset(queue_bits, 0, sizeof queue_bits);
    queue_last = queue_cnt = queue_call_cnt = 0;
}

static bool queue_has(uint16_t number)
{
    return (queue_bits[number / 8] >> number % 8 & 1) != 0;
}

void queue_leave(uint16_t number)
{
    if (WHIT_FAST && number != 0 && queue_has(number))
        queue_cnt--;
    queue_bits[number / 8] &= (uint8_t)~(1u << number % 8);
}

void client_queue(void)
{
    if (WHIT_FAST && client_asker != 0 && !queue_has(client_asker))
        queue_cnt++;
    queue_bits[client_asker / 8] |= (uint8_t)(1u << client_asker % 8);    // 0, that of nobody, is never called
}

void client_call(void)
{
    if (queue_call_cnt < WHIT_CONNECTIONS)
        queue_call_cnt++;
}

uint16_t queue_called(void)
{
    for (uint16_t i = 0; queue_call_cnt != 0 && (!WHIT_FAST || queue_cnt != 0) && i < WHIT_CONNECTIONS; i++) {
        queue_last = queue_last < WHIT_CONNECTIONS ? (uint16_t)(queue_last + 1) : 1;
        if (queue_has(queue_last)) {
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
