// SPDX-License-Identifier: MIT
// All that a program needs which brings the machine and the link.
#ifndef WHIT_H
#define WHIT_H

#include "whit/driver.h"
#include "whit/engine.h"
#include "whit/port.h"

#endif
