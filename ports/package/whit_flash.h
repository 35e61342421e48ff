// SPDX-License-Identifier: MIT
// Constants of an exported package, which does not know its machine before it is compiled.
#ifdef __AVR__
#include "whit/flash_avr.h"
#else
#include "whit/flash_flat.h"
#endif
