// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="start" call="tell"/>
     <properties persistence="volatile"/>
     <service as="get"/>
     <result>
       <value name="uptime_s" type="uint32"/>
       <value name="celsius" type="int16" scale="1"/>
       <value name="requests" type="uint32"/>
     </result>
   </generator> */
// Reads the device's values: {"uptime_s":1234,"celsius":21.5,"requests":17}. The engine writes them as JSON. This
// function runs once for each request, so that it may count them.
#include <whit/app.h>

#define PERIOD_MS 250

static int16_t tenths = 210;    // last value of the sensor, in tenths of a degree Celsius
static uint32_t request_cnt;

// Stands for a sensor: the temperature wanders about 21 degrees.
static void measure(void)
{
    static uint16_t noise = 1;

    noise = (uint16_t)(noise * 25173u + 13849u);
    tenths = (int16_t)(tenths + (int16_t)(noise >> 13) - 3 - (tenths > 210));
}

static char start(void)
{
    return set_timer(measure, PERIOD_MS);
}

static char tell(struct result_t *result)
{
    result->uptime_s = whit_port_now_ms() / 1000;
    result->celsius = tenths;
    result->requests = ++request_cnt;
    return 1;
}
