// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="say" doPost="change"/>
     <properties persistence="volatile"/>
     <args>
       <arg name="small" type="int32" optional="true"/>
       <arg name="level" type="int32" optional="true"/>
       <arg name="name" type="str" size="16" optional="true"/>
     </args>
   </generator> */
// GET writes the loaded values; POST saves them with another number, another last level and another name.
#include <string.h>

#include <whit/app.h>

static void put(int32_t number)
{
    out_int(number);
    out_c(' ');
}

static char say(struct args_t *args)
{
    struct all_t all;

    (void)args;
    out_c(persistent_load_all(&all) ? '1' : '0');
    out_c(persistent_has_all() ? '1' : '0');
    out_c(' ');
    put(all.small);
    out_uint(all.wide);
    out_c(' ');
    put(all.low);
    put(all.free);
    put(all.mode);
    put(all.lamp);
    for (uint8_t i = 0; i < 3; i++)
        put(all.levels[i]);
    out_str(all.name);
    return 1;
}

static char change(struct args_t *args)
{
    struct all_t all;

    persistent_load_all(&all);
    all.small = (int8_t)args->small;
    all.levels[2] = (int16_t)args->level;
    memcpy(all.name, args->name, sizeof all.name);    // perhaps without a NUL
    out_c(persistent_fits_all(&all) ? '1' : '0');
    out_c(persistent_save_all(&all) ? '1' : '0');
    return 1;
}
