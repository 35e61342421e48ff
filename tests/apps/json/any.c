// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPost="take"/>
     <content-types><content-type type="application/json"/></content-types>
   </generator> */
#include <whit/app.h>

static char take(struct args_t *args)
{
    (void)args;
    out_str("taken");
    return 1;
}
