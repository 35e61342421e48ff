// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="show" doPost="change"/>
     <args>
       <arg name="more" type="bool" optional="true"/>
       <arg name="id" type="uint16" source="path"/>
     </args>
   </generator> */
#include <whit/app.h>

static char show(struct args_t *args)
{
    out_uint(args->id);
    out_str(args->more ? " more" : "");
    return 1;
}

static char change(struct args_t *args)
{
    return show(args);
}
