// SPDX-License-Identifier: MIT
/* <generator><handlers call="nothing"/></generator> */
// Takes nothing and gives nothing.
#include <whit/app.h>

static char nothing(void)
{
    return 1;
}
