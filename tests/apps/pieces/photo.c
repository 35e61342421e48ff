// SPDX-License-Identifier: MIT
/* <generator>
     <handlers call="save"/>
     <args><arg name="photo" type="base64" take="take" size="6000"/></args>
     <result><value name="octets" type="uint16"/></result>
   </generator> */
#include <whit/app.h>
#include <whit_stored.h>

static bool take(struct args_t *args, const uint8_t *octets, uint8_t len)
{
    if (args->photo_len == 0)
        args->photo_ticket = stored_begin(STORED_PHOTO_PNG);
    return stored_add(args->photo_ticket, octets, len);
}

static char save(struct args_t *args, struct result_t *result)
{
    if (!stored_end(args->photo_ticket))
        return fault("another photo came meanwhile");
    result->octets = (uint16_t)args->photo_len;
    return 1;
}
