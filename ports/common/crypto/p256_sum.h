// SPDX-License-Identifier: MIT
// The sum that verifies a signature, R = 2 R + u G + v Q, digit by digit of both, in slices.
#ifndef P256_SUM_H
#define P256_SUM_H

#define OF_DOUBLE 8
#define OF_ADD 11

static bool check_sum(struct whit_p256_check *c, slice_left left)
{
    for (; c->step < CHECK_END; c->step++) {
        uint8_t at = (uint8_t)(CHECK_END - 1 - c->step);
        uint8_t g = c->u[0][at / 32] >> at % 32 & 1, q = c->u[1][at / 32] >> at % 32 & 1;
        uint8_t cost = (uint8_t)(OF_DOUBLE + OF_ADD * (g + q));
        if (left < cost)
            return false;
        left = (slice_left)(left - cost);
        point_double(c->x, c->y, c->z);
        if (g != 0)
            check_add(c, p256_gx, p256_gy);
        if (q != 0)
            check_add(c, c->point[0], c->point[1]);
    }
    return true;
}

#endif
