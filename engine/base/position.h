// SPDX-License-Identifier: MIT
// Where in a response: 16 bits where none of the application's has 64 kB, else 24. The application compiler knows which.
#ifndef WHIT_BASE_POSITION_H
#define WHIT_BASE_POSITION_H

#include <stdint.h>

#include "limits.h"

#if WHIT_POSITION_BITS != 16
typedef uint32_t whit_position;
#elif defined(WHIT_METER)    // test builds overflow where the smallest processor does
typedef uint16_t whit_position;
#else
typedef unsigned whit_position;
#endif
#define POSITION_MAX ((whit_position)((UINT32_C(1) << WHIT_POSITION_BITS) - 1))

#endif
