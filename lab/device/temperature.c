// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="measure"/>
     <properties persistence="volatile"/>
     <service name="device" namespace="urn:whit:device" as="soap"/>
     <args><arg name="unit" type="enum" values="c f" default="c"/></args>
     <result><value name="value" type="int16" scale="1"/></result>
   </generator> */
// Returns the sensor's value, in degrees Celsius or Fahrenheit.
#include <whit/app.h>

#include "sensor.h"

static char measure(struct args_t *args, struct result_t *result)
{
    int16_t tenths;

    if (!sensor_tenths(&tenths))
        return 0;
    result->value = args->unit == 0 ? tenths : (int16_t)(tenths * 9 / 5 + 320);
    return 1;
}
