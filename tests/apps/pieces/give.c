// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="give"/>
     <service as="soap json form"/>
     <args>
       <arg name="len" type="uint32"/>
       <arg name="fails_at" type="uint32" default="4000000000"/>
       <arg name="name" type="str" size="60" optional="true"/>
     </args>
     <result>
       <value name="before" type="str" size="60"/>
       <value name="octets" type="base64" give="octets"/>
       <value name="between" type="uint16"/>
       <value name="others" type="base64" give="others"/>
       <value name="after" type="str" size="60"/>
     </result>
   </generator> */
#include "whit/app.h"

#include <string.h>

static bool octets(struct args_t *args, uint32_t at, uint8_t *to, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++)
        to[i] = (uint8_t)((at + i) * 7 + ((at + i) >> 8));
    return at + len <= args->fails_at;
}

static bool others(struct args_t *args, uint32_t at, uint8_t *to, uint8_t len)
{
    (void)args;
    for (uint8_t i = 0; i < len; i++)
        to[i] = (uint8_t)(255 - at - i);
    return true;
}

static char give(struct args_t *args, struct result_t *result)
{
    if (args->len > 10000000)
        return fault("nobody has so many octets");
    if (args->len == 10000000)
        return 0;
    memcpy(result->before, args->name, sizeof result->before);
    result->octets_len = args->len;
    result->between = 4711;
    result->others_len = args->len / 2;
    memcpy(result->after, args->name, sizeof result->after);
    return 1;
}
