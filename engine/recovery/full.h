// SPDX-License-Identifier: MIT
// What recovery_full.c has of its own: rtt.c, congestion.c.
#ifndef WHIT_RECOVERY_FULL_H
#define WHIT_RECOVERY_FULL_H

#include "../base/tcb.h"

void rtt_start(struct whit_tcb *tcb, uint16_t mark);
void rtt_sample(struct whit_tcb *tcb);
void rtt_backed_off(const struct whit_tcb *tcb);     // it was acknowledged after timeouts: no sample, but a lesson
bool recovery_hurries(const struct whit_tcb *tcb);    // newcomers wait: its timeouts follow each other without back-off
struct rtt {
    uint16_t srtt;    // ticks; 0: unknown
    uint16_t rto;     // ticks, backed off
};
struct rtt rtt_times(const struct whit_tcb *tcb);
void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip);
void congestion_lost(struct whit_tcb *tcb, bool timeout);
void congestion_recovered(struct whit_tcb *tcb);

#endif
