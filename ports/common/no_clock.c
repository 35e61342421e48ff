// SPDX-License-Identifier: MIT
// A machine whose clock begins anew with each start.
#include "whit/port.h"

uint32_t whit_port_unix_s(void)
{
    return 0;
}
