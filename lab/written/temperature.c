// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="measure" doPost="measure"/>
     <properties persistence="volatile" content-type="application/json"/>
     <args><arg name="unit" type="enum" values="c f" default="c"/></args>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
// Returns the sensor's value, in degrees Celsius or Fahrenheit: {"value":21.5}.
#include <whit/app.h>

#include "sensor.h"

static const char begin_value[] WHIT_FLASH = "{\"value\":";
static const char no_answer[] WHIT_FLASH = "{\"error\":\"the sensor does not answer\"}";

static char measure(struct args_t *args)
{
    int16_t tenths;

    if (!sensor_tenths(&tenths)) {
        answer_status(500);
        out_flash(no_answer);
        return 1;
    }
    if (args->unit != 0)
        tenths = (int16_t)(tenths * 9 / 5 + 320);
    out_flash(begin_value);
    if (tenths < 0) {
        out_c('-');
        tenths = (int16_t)-tenths;
    }
    out_uint((uint32_t)tenths / 10);
    out_c('.');
    out_uint((uint32_t)tenths % 10);
    out_c('}');
    return 1;
}
