// SPDX-License-Identifier: MIT
/* <generator>
     <handlers init="begin" doGet="tell" doPostIn="take" doPostOut="answer"/>
     <properties persistence="volatile" content-type="text/plain"/>
     <args><arg name="row" type="uint8"/></args>
     <content-types>
       <content-type type="text/plain"/>
       <content-type type="application/octet-stream"/>
     </content-types>
   </generator> */
// Written for any engine of this family: only the include below is its own.
#include "generators.h"

#define ROWS 3

struct row {
    uint8_t height;
    char name[8];
};

static CONST_VAR(struct row, rows[ROWS]) = {{3, "low"}, {120, "middle"}, {255, "high"}};
static CONST_VAR(uint16_t, limits[2]) = {100, 1000};
static CONST_VAR(uint32_t, million) = 1000000;
static CONST_VAR(char, greeting[]) = "row ";

static uint16_t ticks;
static uint8_t parts;
static struct sum {
    uint16_t octets;
    uint8_t exclusive_or;
} sum;

static void tick(void)
{
    ticks++;
}

static char begin(void)
{
    return set_timer(tick, 100);
}

static void out_greeting(void)
{
    const char *at = greeting;
    char c;

    while ((c = (char)CONST_UI8(*at++)) != '\0')
        out_c(c);
}

static char tell(struct args_t *args)
{
    struct row row;

    if (args->row >= ROWS)
        return 0;
    CONST_READ_NBYTES(&row, &rows[args->row], sizeof row);
    out_greeting();
    out_str(row.name);
    out_c(' ');
    out_uint(CONST_UI8(rows[args->row].height));
    out_str(row.height > CONST_UI16(limits[0]) ? " above " : " below ");
    out_uint(CONST_UI32(million) + CONST_UI16(limits[1]));
    out_str(" ticks ");
    out_uint(ticks);
    return 1;
}

static char take(uint8_t content_type, uint8_t part, char *filename, void **post_data)
{
    int16_t octet;

    if (part == 0)
        sum.octets = sum.exclusive_or = parts = 0;
    parts++;
    (void)content_type;
    (void)filename;
    while ((octet = in()) != -1) {
        sum.octets++;
        sum.exclusive_or ^= (uint8_t)octet;
    }
    *post_data = &sum;
    return 1;
}

static char answer(uint8_t content_type, void *post_data)
{
    const struct sum *found = post_data;

    out_uint(content_type);
    out_c(' ');
    out_uint(parts);
    out_c(' ');
    out_uint(found->octets);
    out_c(' ');
    out_uint(found->exclusive_or);
    return 1;
}
