// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="tell"/>
     <properties persistence="volatile"/>
     <service name="thermostat" as="soap json form"/>
     <result><value name="day" type="int16" scale="1"/><value name="night" type="int16" scale="1"/></result>
   </generator> */
// Returns the set points of the heater in degrees Celsius.
#include "thermostat.h"

static char tell(struct result_t *result)
{
    result->day = thermostat_points.day;
    result->night = thermostat_points.night;
    return 1;
}
