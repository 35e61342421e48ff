// SPDX-License-Identifier: MIT
// The room: it cools, and is heated below the set point of the time of day. Each hour of it takes ten seconds here.
#include "thermostat.h"

#define PERIOD_MS 1000
#define DAY_S 240
#define OUTSIDE 80

struct points_t thermostat_points;
int16_t thermostat_now = 195;
bool thermostat_heats;
uint32_t thermostat_uptime_s;

static struct reading readings[READING_CNT];
static uint32_t reading_cnt;

static int16_t wanted(void)
{
    uint32_t hour = thermostat_uptime_s % DAY_S / 10;
    return hour >= 6 && hour < 22 ? thermostat_points.day : thermostat_points.night;
}

static void second(void)
{
    thermostat_uptime_s++;
    thermostat_now = (int16_t)(thermostat_now - (thermostat_now - OUTSIDE) / 64 + (thermostat_heats ? 4 : 0));
    thermostat_heats = thermostat_now < wanted() + (thermostat_heats ? 2 : -2);
    if (thermostat_uptime_s % READING_PERIOD_S == 0)
        readings[reading_cnt++ % READING_CNT] = (struct reading){thermostat_uptime_s, thermostat_now};
}

bool thermostat_reading(uint8_t back, struct reading *reading)
{
    if (back >= READING_CNT || back >= reading_cnt)
        return false;
    *reading = readings[(reading_cnt - 1 - back) % READING_CNT];
    return true;
}

bool thermostat_start(void)
{
    persistent_load_points(&thermostat_points);    // saved values, or the defaults
    return set_timer(second, PERIOD_MS);
}
