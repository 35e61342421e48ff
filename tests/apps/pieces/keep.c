// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="keep"/>
     <service as="soap json form"/>
     <args>
       <arg name="first" type="uint8" optional="true"/>
       <arg name="octets" type="base64" take="take" size="16000"/>
       <arg name="last" type="uint8" optional="true"/>
     </args>
     <result>
       <value name="len" type="uint32"/>
       <value name="sum" type="uint32"/>
       <value name="pieces" type="uint16"/>
       <value name="beside" type="uint8"/>
     </result>
   </generator> */
#include "whit/app.h"

/* Keeps the octets in persistent memory. An octet 0xee is refused. */
static bool take(struct args_t *args, const uint8_t *octets, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++)
        if (octets[i] == 0xee)
            return false;
    args->octets_ticket++;
    return persistent_write((uint16_t)args->octets_len, octets, len);
}

static char keep(struct args_t *args, struct result_t *result)
{
    result->len = args->octets_len;
    result->pieces = args->octets_ticket;
    result->beside = (uint8_t)(args->first + args->last);
    for (uint16_t at = 0; at < args->octets_len; at++) {
        uint8_t octet = 0;
        (void)persistent_read(at, &octet, 1);
        result->sum = result->sum * 31 + octet;
    }
    return 1;
}
