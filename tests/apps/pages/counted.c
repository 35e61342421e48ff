// SPDX-License-Identifier: MIT
#include <whit/app.h>

uint32_t counted(void);
int32_t doubled(int16_t number);

uint32_t counted(void)
{
    return 4000000000u;
}
int32_t doubled(int16_t number)
{
    return 2 * (int32_t)number;
}
