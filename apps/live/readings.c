// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="start" initGet="count" doGet="tell"/>
     <properties persistence="volatile" content-type="application/json"/>
   </generator> */
// {"uptime_s":1234,"celsius":21.5,"requests":17}. Small and always fresh: volatile. It fits one segment, and as long as
// nothing of that has arrived, a segment that was lost is written anew with the readings of then.
#include <whit/app.h>

#define PERIOD_MS 250

static int16_t tenths = 210;    // of a degree Celsius, what the sensor said last
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

// Runs once a request. In doGet, which may run again, a request could count twice.
static char count(struct args_t *args)
{
    (void)args;
    request_cnt++;
    return 1;
}

static char tell(struct args_t *args)
{
    (void)args;
    out_str("{\"uptime_s\":");
    out_uint(whit_port_now_ms() / 1000);
    out_str(",\"celsius\":");
    out_int(tenths / 10);
    out_c('.');
    out_uint((uint32_t)(tenths % 10));
    out_str(",\"requests\":");
    out_uint(request_cnt);
    out_c('}');
    return 1;
}
