// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Parts that lie in the buffer as a whole.
#include "said.h"

#include <stddef.h>

static bool bad;

static char take(uint8_t content_type, uint8_t part, char *filename, void **post_data)
{
    int16_t octet;
    bool ended = false;

    if (part == 0)
        bad = false;
    *post_data = &bad;
    if (content_type != 0 || (filename != NULL && filename[0] == 'f'))
        return 0;
    for (uint16_t i = 0; (octet = in()) >= 0; i++) {
        bad |= ended || (octet != '$' && octet != sent_at(i));
        ended = octet == '$';
    }
    bad |= !ended;
    return 1;
}

static char tell(uint8_t content_type, void *post_data)
{
    uint32_t run = next_run();

    (void)content_type;
    say(post_data != NULL && *(bool *)post_data ? 'u' : 'U', run, 20, '.');
    return run != 0;
}
