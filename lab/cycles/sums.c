// SPDX-License-Identifier: MIT
// The engine's static content, but with another sum of a segment than that of the prefix sums: LAB_SUM(octets, len). What is measured
// with LAB_SUM_ADDED is an engine that adds the octets up when it sends them; with LAB_SUM_NONE, one that leaves the sum away.
#include "inner.h"

#ifdef LAB_SUM_ADDED
#define LAB_SUM(octets, len) checksum_octets(0, octets, len, false)
#else
#define LAB_SUM(octets, len) 0
#endif
#define checksum_subtract(sum, less) LAB_SUM(p->octets + start, (uint16_t)len)

#pragma GCC diagnostic ignored "-Wunused-function"
#include "../../engine/content_static.c"
