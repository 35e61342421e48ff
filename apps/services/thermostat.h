// SPDX-License-Identifier: MIT
// A room with a heater and a temperature sensor. All temperatures are tenths of a degree Celsius.
#ifndef THERMOSTAT_H
#define THERMOSTAT_H

#include <whit/app.h>

#define READING_CNT 16
#define READING_PERIOD_S 10

extern struct points_t thermostat_points;    // set points in persistent memory
extern int16_t thermostat_now;
extern bool thermostat_heats;
extern uint32_t thermostat_uptime_s;

struct reading {
    uint32_t at_s;    // seconds since the start
    int16_t value;
};
// Reads an earlier reading; `back`: number of newer ones. False: there is no such reading.
bool thermostat_reading(uint8_t back, struct reading *reading);

bool thermostat_start(void);

#endif
