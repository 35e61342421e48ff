// SPDX-License-Identifier: MIT
#include "counters.h"

#include <stdio.h>

#include "whit/engine.h"
#if WHIT_HAS_DATABASE
#include "whit/database.h"
#endif

#define NAME(counter) [counter] = #counter

static const char *const names[] = {
    NAME(WHIT_COUNT_FRAMES_IN),
    NAME(WHIT_COUNT_FRAMES_OUT),
    NAME(WHIT_COUNT_DRIVER_BUSY),
    NAME(WHIT_DROP_FRAME_SHORT),
    NAME(WHIT_DROP_FRAME_LINE),
    NAME(WHIT_DROP_FOREIGN),
    NAME(WHIT_DROP_ARP),
    NAME(WHIT_DROP_IP_HEADER),
    NAME(WHIT_DROP_IP_CHECKSUM),
    NAME(WHIT_DROP_IP_FRAGMENT),
    NAME(WHIT_DROP_ICMP),
    NAME(WHIT_DROP_TCP_HEADER),
    NAME(WHIT_DROP_TCP_CHECKSUM),
    NAME(WHIT_DROP_TCP_MSS),
    NAME(WHIT_DROP_TCP_UNKNOWN),
    NAME(WHIT_DROP_TCP_SEQUENCE),
    NAME(WHIT_DROP_TCP_ACK),
    NAME(WHIT_COUNT_CHALLENGE_ACK),
    NAME(WHIT_DROP_NO_SLOT),
    NAME(WHIT_DROP_NO_BUFFER),
    NAME(WHIT_COUNT_SLOT_EVICTED),
    NAME(WHIT_COUNT_TAG_EVICTED),
    NAME(WHIT_COUNT_RETRANSMIT_TIMEOUT),
    NAME(WHIT_COUNT_RETRANSMIT_FAST),
    NAME(WHIT_COUNT_TAIL_PROBE),
    NAME(WHIT_COUNT_GIVEN_UP),
    NAME(WHIT_COUNT_CHANGED),
    NAME(WHIT_COUNT_KEPT),
    NAME(WHIT_COUNT_REQUESTS),
    NAME(WHIT_COUNT_REFUSED),
    NAME(WHIT_COUNT_UNREACHABLE),
#if WHIT_TLS
    NAME(WHIT_DROP_HANDSHAKE),
#endif
};
#undef NAME
_Static_assert(sizeof names / sizeof names[0] == WHIT_COUNTER_CNT, "every counter of whit/engine.h has its name here");

void counters_print(void)
{
    for (int i = 0; i < WHIT_COUNTER_CNT; i++) {
        if (whit_counters[i] != 0)
            printf("%-28s %u\n", names[i], whit_counters[i]);
    }
#if WHIT_HAS_DATABASE
    for (int i = 0; i < DATABASE_EVENT_CNT; i++) {
        if (whit_database_events[i] != 0)
            printf("database: %-50s %u\n", database_event_name((enum database_event)i), whit_database_events[i]);
    }
#endif
}
