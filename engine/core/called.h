// SPDX-License-Identifier: MIT
// CALLED marks functions of headers that stay functions on processors of 8 and 16 bits, where the call is shorter than
// the function. OWN_FRAME marks functions of .c files that are not inlined there: their callers' frames would be
// deeper, or the code longer.
#ifndef WHIT_CORE_CALLED_H
#define WHIT_CORE_CALLED_H

#include <stdint.h>

#if UINTPTR_MAX <= 0xffff
#define CALLED static __attribute__((noinline, unused))
#define OWN_FRAME __attribute__((noinline))
#else
#define CALLED static inline
#define OWN_FRAME
#endif

#endif
