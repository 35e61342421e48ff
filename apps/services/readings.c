// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="tell"/>
     <properties persistence="volatile"/>
     <service name="thermostat" as="soap json form"/>
     <args><arg name="newest" type="uint8" default="16"/></args>
     <result>
       <value name="uptime_s" type="uint32"/>
       <record name="readings" count="16"><value name="at_s" type="uint32"/><value name="value" type="int16" scale="1"/></record>
     </result>
   </generator> */
// The latest readings of the sensor, one every ten seconds, newest first.
#include "thermostat.h"

static char tell(struct args_t *args, struct result_t *result)
{
    struct reading reading;

    result->uptime_s = thermostat_uptime_s;
    while (result->readings_cnt < args->newest && thermostat_reading(result->readings_cnt, &reading)) {
        struct result_readings_t *to = &result->readings[result->readings_cnt++];

        to->at_s = reading.at_s;
        to->value = reading.value;
    }
    return 1;
}
