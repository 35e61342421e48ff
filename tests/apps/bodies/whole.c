// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="tell"/>
     <properties persistence="persistent" content-type="text/plain"/>
   </generator> */
// Takes parts that lie in the buffer as a whole: remembers the first octets of each.
#include "whit/app.h"

static char text[64];
static uint8_t len;

static char take(uint8_t content_type, uint8_t part, char *filename, void **post_data)
{
    int16_t c;
    if (part == 0)
        len = 0;
    *post_data = text;
    if (content_type != 0 || (filename != NULL && filename[0] == '!'))
        return 0;
    if (len < sizeof text)
        text[len++] = (char)('0' + part);
    if (filename != NULL)
        for (; *filename != 0 && len < sizeof text; filename++)
            text[len++] = *filename;
    if (len < sizeof text)
        text[len++] = '=';
    while ((c = in()) >= 0)
        if (len < sizeof text)
            text[len++] = (char)c;
    if (len < sizeof text)
        text[len++] = '\n';
    return 1;
}

static char tell(uint8_t content_type, void *post_data)
{
    (void)content_type;
    out_mem(post_data, len);
    return in() < 0;    // nothing is read any more
}
