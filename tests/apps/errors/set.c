// SPDX-License-Identifier: MIT
/* <generator><handlers doPost="set"/></generator> */
#include <whit/app.h>

static char set(struct args_t *args)
{
    (void)args;
    out_str("set");
    return 1;
}
