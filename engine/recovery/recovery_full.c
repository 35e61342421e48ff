// SPDX-License-Identifier: MIT
// What acknowledgments tell of losses: fast retransmit (RFC 5681, 5827), NewReno recovery (RFC 6582) and, where they have blocks,
// recovery by these (RFC 6675, 8985). What they say is in recovery_full.c; windows are in recovery_full.c, timers in timer.c and
// timer.c. recovery_small.c does with less.
#include "recovery.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"

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

// ------------------------------------------------------------------------------------------------ congestion control

// Congestion control (RFC 5681, 6582) in whole segments: initial window of RFC 6928, slow start that counts octets
// (RFC 3465, at most two segments for an acknowledgment), then one segment a round trip.

#define CWND_MAX 255
#define CWND_INITIAL 10
#define SSTHRESH_CODE_MAX 15    // 192 segments and more: slow start knows no end

// Hosts lose windows and win them back as their clients' kernels do, in CUBIC's region that is as fast as Reno (RFC 9438 section 4.3): 0.7
// is left after a loss, and a round trip brings half a segment. Which of them bring one, bits of snd_una say, as nothing is kept.
#define AS_CUBIC WHIT_KEEPS_WINDOW

static uint8_t ssthresh_of(const struct whit_tcb *tcb)
{
    uint8_t code = tcb->response.ssthresh;
    return code == SSTHRESH_CODE_MAX ? CWND_MAX : (uint8_t)unpacked(code, SSTHRESH_BITS);
}

static void set_cwnd(struct whit_tcb *tcb, uint16_t segments)
{
    tcb->cwnd = (uint8_t)(segments < CWND_MAX ? segments : CWND_MAX);
}

// What a host's connections had in flight together without a loss, and what an acknowledgment of a whole window made of it, each next
// response may have a slot's share of, where it is more than the initial window: until for an RTO they had less than half of it
// (RFC 5681 section 4.1, RFC 7661, RFC 9040). That each slot had as much as the one that is acknowledged is a guess.
static bool window_is_proven(const struct whit_tcb *tcb, uint16_t peer)
{
    return (uint16_t)(now_ticks() - peer_window_at[peer]) <= rtt_times(tcb).rto;
}

static uint16_t window_proven(const struct whit_tcb *tcb)
{
    uint16_t peer = peer_of(tcb);
    return window_is_proven(tcb, peer) ? peer_window[peer] / peer_slot_cnt(peer) : 0;
}

// cwnd: as it was when these octets were in flight.
static void window_used(const struct whit_tcb *tcb, uint32_t octets, uint8_t cwnd)
{
    uint16_t mss = tcb_mss(tcb), peer = peer_of(tcb);
    uint32_t window = (octets + mss - 1) / mss;
    window = (window < cwnd ? window : tcb->cwnd) * peer_slot_cnt(peer);
    if (window > UINT16_MAX)
        window = UINT16_MAX;
    bool proven = window_is_proven(tcb, peer);
    if (proven && window < peer_window[peer] / 2)
        return;
    if (!proven || window > peer_window[peer])
        peer_window[peer] = (uint16_t)window;
    peer_window_at[peer] = now_ticks();
}

// What is left of it for the next response after a loss: as much as for this one (RFC 9040).
static void window_lost(const struct whit_tcb *tcb, uint16_t segments)
{
    uint16_t peer = peer_of(tcb);
    uint32_t window = (uint32_t)segments * peer_slot_cnt(peer);
    if (window < peer_window[peer])
        peer_window[peer] = (uint16_t)window;
}

void recovery_begin(struct whit_tcb *tcb)
{
    uint16_t proven = WHIT_KEEPS_WINDOW ? window_proven(tcb) : 0;
    set_cwnd(tcb, WHIT_LINK_LOCAL ? CWND_MAX : proven > CWND_INITIAL ? proven : CWND_INITIAL);
    tcb->response.ssthresh = SSTHRESH_CODE_MAX;
}

// Their parity, so that no window in octets meets the same answer each time.
static bool brings_one(const struct whit_tcb *tcb)
{
    return (0x6996 >> (tcb->snd_una >> 12 & 15) & 1) != 0;
}

// acked: octets that an acknowledgment outside of recovery covers for the first time; round_trip: it ends one.
void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip)
{
    uint8_t ssthresh = ssthresh_of(tcb), before = tcb->cwnd;
    if (tcb->cwnd < ssthresh) {
        uint16_t grown = (uint16_t)(tcb->cwnd + (acked > tcb_mss(tcb) ? 2 : 1));
        set_cwnd(tcb, grown < ssthresh ? grown : ssthresh);
    } else if (round_trip && (!AS_CUBIC || brings_one(tcb))) {
        set_cwnd(tcb, (uint16_t)(tcb->cwnd + 1));
    }
    if (WHIT_KEEPS_WINDOW)
        window_used(tcb, UINT32_C(0) + acked + tcb->response.flight, before);
}

// Of what is in flight a part is left, two segments at least: half (RFC 5681 (4)), or 0.7 (RFC 9438 section 4.6).
void congestion_lost(struct whit_tcb *tcb, bool timeout)
{
    uint16_t segments = tcb->response.flight / tcb_mss(tcb), left = (uint16_t)(AS_CUBIC ? segments * UINT32_C(7) / 10 : segments / 2);
    if (left < 2)
        left = 2;
    uint16_t code = packed(left, SSTHRESH_BITS);
    tcb->response.ssthresh = (code < SSTHRESH_CODE_MAX ? code : SSTHRESH_CODE_MAX) & 15u;
    set_cwnd(tcb, timeout ? 1 : ssthresh_of(tcb) + 3);
    if (WHIT_KEEPS_WINDOW)
        window_lost(tcb, timeout ? 0 : left);
}

void congestion_recovered(struct whit_tcb *tcb, uint16_t sacked)
{
    set_cwnd(tcb, ssthresh_of(tcb) + sacked);
}

// ------------------------------------------------------------------------------------------------ selective acknowledgments

// Selective acknowledgments (RFC 2018) without a scoreboard: the blocks of the segment at hand, and what they show missing. They
// are forgotten with their segment. That they were permitted is not kept either: a peer that was not told so sends none.

#define OPTION_PERMITTED 4
#define EDGES_MAX 8    // two of each block; what the 40 octets of options hold

static struct {
    uint32_t edge;               // being read
    uint16_t edges[EDGES_MAX];   // begin and end of each block, that of the newest segment first; offsets from SEG.ACK
    uint8_t cnt;                 // of edges
    bool permitted;
} sack;

void sack_begin(void)
{
    sack.cnt = 0;
    sack.permitted = false;
}

void sack_permit(bool permitted)
{
    sack.permitted = permitted;
}

bool sack_told(void)
{
    return sack.cnt != 0;
}

bool sack_permitted(void)
{
    return sack.permitted;
}

uint8_t sack_kind(uint8_t kind)
{
    if (kind == OPTION_PERMITTED)
        sack.permitted = true;
    return kind == OPTION_SACK ? OPTION_SACK : 0;
}

void sack_octet(uint8_t octet, uint8_t left)
{
    sack.edge = sack.edge << 8 | octet;
    if ((left & 3) != 0 || sack.cnt == EDGES_MAX)
        return;
    uint32_t offset = sack.edge - load32_be(whit.rx.head + 8);
    sack.edges[sack.cnt++] = offset <= UINT16_MAX ? (uint16_t)offset : 0;
}

// The first octet from `at` on that is in no block.
static uint16_t missing_from(uint16_t at)
{
    for (uint8_t i = 0; i < sack.cnt; i += 2)
        if (sack.edges[i] <= at && at < sack.edges[i + 1]) {
            at = sack.edges[i + 1];
            i = (uint8_t)-2;    // all of them again: their order is that of their arrival
        }
    return at;
}

// Blocks that are not of the flight become empty: old octets (RFC 2883), those that were never sent, an end before its begin.
bool sack_read(const struct whit_tcb *tcb, struct sacked *sacked)
{
    uint16_t mark = tcb->response.mark;
    bool told = sack.cnt != 0;
    *sacked = (struct sacked){0};
    sack.cnt &= (uint8_t)~1u;
    for (uint8_t i = 0; i < sack.cnt; i += 2) {
        uint16_t begin = sack.edges[i], end = sack.edges[i + 1];
        if (begin == 0 || begin >= end || end > tcb->response.flight) {
            sack.edges[i + 1] = 0;
            continue;
        }
        sacked->octets = (uint16_t)(sacked->octets + (end - begin));
        if (sacked->highest < end)
            sacked->highest = end;
        if (i == 0)
            sacked->newest = begin < mark && mark - begin >= segment_len(tcb) && mark <= end;
    }
    sacked->missing = missing_from(mark);
    return told;
}
