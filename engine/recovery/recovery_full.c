// SPDX-License-Identifier: MIT
// What acknowledgments tell of losses: fast retransmit (RFC 5681, 5827), NewReno recovery (RFC 6582) and, where they have blocks,
// recovery by these (RFC 6675, 8985). What they say is in sack.c; windows are in congestion.c, timers in retransmit.c and
// rtt.c. recovery_small.c does with less.
#include "full.h"
#include "recovery.h"
#include "../base/packed.h"
#include "../base/state.h"
#include "../base/tcb.h"

uint16_t window_code(uint16_t wnd)
{
    return packed(wnd, WND_BITS) & 0xfff;
}

uint16_t window_of(const struct whit_tcb *tcb)
{
    return unpacked(tcb->response.wnd, WND_BITS);
}

// By limited transmit, one segment for each of the first duplicate acknowledgments (RFC 3042).
uint32_t recovery_segments(const struct whit_tcb *tcb)
{
    return tcb->cwnd + (tcb->response.mode <= MODE_TIMING ? tcb->response.dupacks : UINT32_C(0));
}

// In MODE_RECOVER, `mark` is the offset up to which all that is missing was sent again (HighRxt of RFC 6675), `dupacks` is 1 when
// the segment there is to be sent again now, and `stamp` is SND.MAX of the time at which this began at snd_una, in units that
// are rounded up: recovery goes on until that is acknowledged.
#define UNIT_SHIFT 9
#define WINDOW_UNITS 130    // of the largest window

static uint8_t units(const struct whit_tcb *tcb, uint16_t offset)
{
    return (uint8_t)((tcb->snd_una + offset + ((1u << UNIT_SHIFT) - 1)) >> UNIT_SHIFT);
}

// Units that are in flight since recovery began; none: it is over.
static uint8_t units_left(const struct whit_tcb *tcb)
{
    uint8_t left = (uint8_t)(tcb->response.stamp - units(tcb, 0));
    return tcb->response.flight != 0 && left <= WINDOW_UNITS ? left : 0;
}

void recovery_again(struct whit_tcb *tcb)
{
    tcb->response.mark = 0;
    tcb->response.stamp = units(tcb, tcb->response.flight);
    tcb->response.dupacks = 1;
}

bool recovery_resends(struct whit_tcb *tcb)
{
    bool resends = tcb->response.mode == MODE_RECOVER && tcb->response.dupacks != 0;
    if (resends)
        tcb->response.dupacks = 0;
    return resends;
}

void recovery_resent(struct whit_tcb *tcb, uint16_t end)
{
    if (tcb->response.mode == MODE_RECOVER)
        tcb->response.mark = end;
}

void recovery_lost(struct whit_tcb *tcb)
{
    count(WHIT_COUNT_RETRANSMIT_FAST);
    congestion_lost(tcb, false);
    tcb->response.mode = MODE_RECOVER;
    recovery_again(tcb);
    retransmit_arm(tcb);
}

// Too little is in flight for three duplicates, and nothing more can be sent that would draw them.
bool recovery_early(struct whit_tcb *tcb)
{
    uint16_t mss = tcb_mss(tcb), flight = tcb->response.flight;
    uint8_t dupacks = tcb->response.dupacks;
    if (tcb->response.mode > MODE_TIMING || dupacks == 0 || flight <= mss || flight > (dupacks + 1u) * mss)
        return false;
    recovery_lost(tcb);
    return true;
}

static void timed(struct whit_tcb *tcb)
{
    rtt_sample(tcb);
    mark_over(tcb);
}

static void arrived(struct whit_tcb *tcb, const struct sacked *sacked)
{
    if (sacked->octets == 0)
        return;
    uint16_t segments = (uint16_t)((sacked->octets - 1u) / tcb_mss(tcb) + 1u);
    if (tcb->response.mode == MODE_RESEND) {
        tcb->response.mark = sacked->missing;
    } else if (tcb->response.mode != MODE_RECOVER) {
        bool first = tcb->response.dupacks == 0;
        if (tcb->response.mode == MODE_TIMING && sacked->highest > tcb->response.mark)
            timed(tcb);
        tcb->response.dupacks = segments < 3 ? segments & 3u : 3;
        if (segments >= 3 || tcb->response.probed)
            recovery_lost(tcb);
        else if (first)
            retransmit_soon(tcb);
    } else {
        congestion_recovered(tcb, segments);
        // What was sent later than the segment at snd_una has arrived: another one that was sent again, or new octets.
        uint8_t later = (uint8_t)(units(tcb, sacked->highest) - tcb->response.stamp);
        if (tcb->response.dupacks == 0 && (sacked->newest || (later != 0 && later < 256 - WINDOW_UNITS))) {
            recovery_again(tcb);
        } else if (sacked->missing < sacked->highest) {
            tcb->response.mark = sacked->missing;
            tcb->response.dupacks = 1;
        }
    }
}

void recovery_duplicate(struct whit_tcb *tcb)
{
    struct sacked sacked;
    uint8_t dupacks = tcb->response.dupacks;
    if (sack_read(tcb, &sacked)) {
        arrived(tcb, &sacked);
    } else if (tcb->response.mode == MODE_RECOVER) {
        tcb->cwnd = (uint8_t)(tcb->cwnd < 255 ? tcb->cwnd + 1 : 255);
    } else if (dupacks < 3) {
        tcb->response.dupacks = (dupacks + 1u) & 3u;
        if (tcb->response.mode != MODE_RESEND && (dupacks == 2 || tcb->response.probed))
            recovery_lost(tcb);
    }
}

// NewReno: what follows the acknowledged segment is lost as well (RFC 6582 section 3.2, step 3).
static void partial(struct whit_tcb *tcb, uint16_t acked)
{
    uint16_t segments = acked / tcb_mss(tcb);
    tcb->cwnd = (uint8_t)(tcb->cwnd > segments + 1 ? tcb->cwnd - segments + 1 : 1);
    tcb->response.dupacks = tcb->response.mark == 0;
}

static void progress(struct whit_tcb *tcb, uint16_t acked, bool reached)
{
    bool round_trip = tcb->response.mode == MODE_TIMING && reached;
    congestion_acked(tcb, acked, round_trip);
    if (round_trip)
        timed(tcb);
    recovery_rests(tcb);
}

void recovery_acked(struct whit_tcb *tcb, uint16_t acked, bool reached)
{
    struct sacked sacked;
    tcb->response.probed = tcb->probed_again = 0;
    if (tcb->response.retries != 0)
        rtt_backed_off(tcb);
    if (tcb->response.mode != MODE_RECOVER) {
        progress(tcb, acked, reached);
    } else if (units_left(tcb) != 0) {
        partial(tcb, acked);
    } else {
        congestion_recovered(tcb, 0);
        mark_over(tcb);
    }
    sack_read(tcb, &sacked);
    arrived(tcb, &sacked);
}

// The timer runs from the first segment of a flight, and from the last.
void recovery_sent(struct whit_tcb *tcb, uint16_t before, bool last)
{
    tcb->response.probed = tcb->probed_again = 0;
    if (tcb->response.mode == MODE_PLAIN)
        rtt_start(tcb, before);
    if (before == 0 || (last && tcb->response.mode <= MODE_TIMING))
        retransmit_arm(tcb);
}
