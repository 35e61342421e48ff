// SPDX-License-Identifier: MIT
#ifndef SENSOR_H
#define SENSOR_H

#include <stdbool.h>
#include <stdint.h>

// Asks the sensor, and waits for its answer: tenths of a degree Celsius. Returns false when it does not answer.
bool sensor_tenths(int16_t *tenths);

#endif
