// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="set"/>
     <service name="thermostat" as="soap json"/>
     <args>
       <arg name="day" type="int16" scale="1"/>
       <arg name="night" type="int16" scale="1"/>
     </args>
   </generator> */
// Sets the temperatures for day and night, 5 to 30 degrees Celsius. It accepts JSON and SOAP, which no page of another
// site can make a browser send.
#include "thermostat.h"

static char set(struct args_t *args)
{
    struct points_t points = {.day = args->day, .night = args->night};

    if (!persistent_fits_points(&points))
        return fault("a room has 5 to 30 degrees");
    if (args->night > args->day)
        return fault("nights are not warmer than days");
    if (!persistent_save_points(&points))
        return 0;
    thermostat_points = points;
    return 1;
}
