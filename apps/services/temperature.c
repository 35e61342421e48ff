// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="measure" init="start"/>
     <properties persistence="volatile"/>
     <service name="thermostat" as="soap json form"/>
     <args><arg name="unit" type="enum" values="c f" default="c"/></args>
     <result>
       <value name="value" type="int16" scale="1"/>
       <value name="unit" type="enum" values="c f"/>
       <value name="heats" type="bool"/>
     </result>
   </generator> */
// The temperature of the room, in degrees Celsius or Fahrenheit.
#include "thermostat.h"

static char start(void)
{
    return thermostat_start();
}

static char measure(struct args_t *args, struct result_t *result)
{
    result->value = args->unit == 0 ? thermostat_now : (int16_t)(thermostat_now * 9 / 5 + 320);
    result->unit = args->unit;
    result->heats = thermostat_heats;
    return 1;
}
