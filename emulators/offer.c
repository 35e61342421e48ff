// SPDX-License-Identifier: MIT
// A machine that keeps its line waiting, for as long as it does.
#include "machine.h"

void machine_run_offering(uint64_t until, uint32_t step)
{
    while (!machine_may_send() && machine_cycle() < until) {
        uint64_t next = machine_cycle() + step;
        next = next < until ? next : until;
        machine_run(next, true);
        if (machine_cycle() < next)
            return;    // an octet has left, or the machine has stopped
    }
}
