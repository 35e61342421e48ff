// SPDX-License-Identifier: MIT
#include "state.h"
#include "whit/engine.h"

struct whit_engine whit;
bool waiters_try;
whit_count whit_counters[WHIT_COUNTER_CNT];
#ifdef WHIT_METER
struct whit_meter whit_meter;
#endif

void count_one(enum whit_counter counter)
{
    whit_count more = (whit_count)(whit_counters[counter] + 1);
    if (more != 0)
        whit_counters[counter] = more;
}
