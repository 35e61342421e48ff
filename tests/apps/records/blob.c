// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="blob"/>
     <service as="soap json"/>
     <args><arg name="octets" type="base64" size="252"/></args>
     <result><value name="octets" type="base64" size="252"/></result>
   </generator> */
// As many octets as arguments can have.
#include <string.h>

#include <whit/app.h>

static char blob(struct args_t *args, struct result_t *result)
{
    result->octets_len = args->octets_len;
    memcpy(result->octets, args->octets, args->octets_len);
    return 1;
}
