// SPDX-License-Identifier: MIT
// What recovery_full.c has of its own: rtt.c, congestion.c, retransmit.c, sack.c.
#ifndef WHIT_RECOVERY_FULL_H
#define WHIT_RECOVERY_FULL_H

#include "../base/tcb.h"

void rtt_start(struct whit_tcb *tcb, uint16_t before);    // times what was sent from there on
void rtt_sample(struct whit_tcb *tcb);
void rtt_backed_off(struct whit_tcb *tcb);           // it was acknowledged after timeouts: no sample, but a lesson
// Where there is room for it: timeouts are not doubled without end, are more, and the next one is due when a request is repeated.
#define MORE_TRIES (WHIT_REPEATS != 0)
bool hurried(void);                                  // newcomers wait, or did lately: timeouts follow each other without back-off
struct rtt {
    uint16_t srtt;    // ticks; 0: unknown
    uint16_t over;    // what may come on top of it: four times RTTVAR
    uint16_t rto;     // ticks, backed off
};
struct rtt rtt_times(const struct whit_tcb *tcb);
void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip);
void congestion_lost(struct whit_tcb *tcb, bool timeout);
void congestion_recovered(struct whit_tcb *tcb, uint16_t sacked);    // so many segments in flight have arrived

// Of the flight, as the acknowledgment at hand tells it. Offsets from snd_una, which is SEG.ACK.
struct sacked {
    uint16_t octets;     // that arrived
    uint16_t highest;    // after the last of them
    uint16_t missing;    // the first octet from `mark` on that did not arrive
    bool newest;         // the newest segment that arrived is the one before `mark`, or next to it
};
bool sack_read(const struct whit_tcb *tcb, struct sacked *sacked);    // false: it has no blocks

void recovery_lost(struct whit_tcb *tcb);     // the segment at snd_una
void retransmit_soon(struct whit_tcb *tcb);   // something later has arrived: unless it comes within RACK's reordering window, it is lost
void recovery_again(struct whit_tcb *tcb);    // what was sent again is lost again

#endif
