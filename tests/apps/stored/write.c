// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="write"/>
     <properties persistence="persistent" content-type="text/plain"/>
     <args>
       <arg name="which" type="uint8"/>
       <arg name="cnt" type="uint16"/>
       <arg name="step" type="uint16"/>
       <arg name="seed" type="uint32"/>
       <arg name="add" type="bool" optional="true"/>
       <arg name="stay" type="bool" optional="true"/>
       <arg name="before" type="uint32" optional="true"/>
       <arg name="ask" type="bool" optional="true"/>
     </args>
   </generator> */
// Writes `cnt` octets that follow from the seed, `step` at a time. add: to the write that was left open. stay: leaves
// it open. before: number of writes that begin first, and are given up. ask: only returns the length.
#include "whit/app.h"

static uint16_t ticket;
static uint32_t made;

static uint8_t next(void)
{
    made = made * 1664525u + 1013904223u;
    return (uint8_t)(made >> 24);
}

static char write(struct args_t *args)
{
    uint8_t octets[256];
    uint16_t left = args->cnt, fill = 0;

    if (args->ask) {
        out_uint(stored_len(args->which));
        return 1;
    }
    made = args->seed;
    while (args->before-- != 0)
        stored_begin(args->which);
    if (!args->add)
        ticket = stored_begin(args->which);
    while (left != 0) {
        for (fill = 0; fill < args->step && fill < sizeof octets && left != 0; fill++, left--)
            octets[fill] = next();
        if (!stored_add(ticket, octets, fill))
            return 0;
    }
    if (!args->stay && !stored_end(ticket))
        return 0;
    out_uint(stored_len(args->which));
    return 1;
}
