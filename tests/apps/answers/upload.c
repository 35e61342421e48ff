// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doPostIn="take" doPostOut="answer"/>
   </generator> */
#include <whit/app.h>

static char take(uint8_t content_type, uint8_t part, char *filename, void **post_data)
{
    (void)content_type;
    (void)part;
    (void)filename;
    (void)post_data;
    while (in() >= 0)
        ;
    return 1;
}

static char answer(uint8_t content_type, void *post_data)
{
    (void)content_type;
    (void)post_data;
    answer_status(201);
    answer_field("Location", "/page?what=plain");
    out_str("made");
    return 1;
}
