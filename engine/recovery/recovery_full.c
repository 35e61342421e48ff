// SPDX-License-Identifier: MIT
// Loss detection by acknowledgments: fast retransmit (RFC 5681, 5827), NewReno recovery (RFC 6582) and, with SACK
// blocks, recovery by these (RFC 6675, 8985). Below: congestion control, selective acknowledgments, the timer,
// round-trip times. recovery_small.c is smaller and does less.
#include "recovery.h"
#include "../core/limits.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"

static void rtt_start(struct whit_tcb *tcb, uint16_t before);    // times an octet sent from there on
static void rtt_sample(struct whit_tcb *tcb);
// it was acknowledged after timeouts: no sample, but a lesson
static void rtt_backed_off(struct whit_tcb *tcb);
// With room for it: timeouts stop doubling at a limit, there are more of them, and a repeated request triggers the next
// one.
#define MORE_TRIES (WHIT_REPEATS != 0)
// newcomers wait, or did lately: timeouts follow each other without back-off
static bool hurried(void);
struct rtt {
    uint16_t srtt;    // ticks; 0: unknown
    uint16_t over;    // four times RTTVAR, added to it
    uint16_t rto;     // ticks, backed off
};
static struct rtt rtt_times(const struct whit_tcb *tcb);
static void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip);
static void congestion_lost(struct whit_tcb *tcb, bool timeout);
static void congestion_recovered(struct whit_tcb *tcb, uint16_t sacked);    // `sacked` segments in flight have arrived

// State of the flight according to the current acknowledgment. Offsets are from snd_una, which is SEG.ACK.
struct sacked {
    uint16_t octets;     // octets that arrived
    uint16_t highest;    // after the last of them
    uint16_t missing;    // the first octet from `mark` on that did not arrive
    bool newest;         // the newest segment that arrived is the one before `mark`, or next to it
};
static bool sack_read(const struct whit_tcb *tcb, struct sacked *sacked);    // false: it has no blocks

static void recovery_lost(struct whit_tcb *tcb);    // the segment at snd_una
// something later has arrived: unless it comes within RACK's reordering window, it is lost
static void retransmit_soon(struct whit_tcb *tcb);
static void recovery_again(struct whit_tcb *tcb);    // a retransmitted segment is lost again

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

// MODE_RECOVER: `mark` is the offset up to which all missing octets were retransmitted (HighRxt of RFC 6675).
// `dupacks` is 1 if the segment there is to be retransmitted now. `stamp` is SND.MAX at the begin of recovery, from
// snd_una, in units that are rounded up: recovery continues until it is acknowledged.
#define UNIT_SHIFT 9
#define WINDOW_UNITS 130    // units of the largest window

static uint8_t units(const struct whit_tcb *tcb, uint16_t offset)
{
    return (uint8_t)((tcb->snd_una + offset + ((1u << UNIT_SHIFT) - 1)) >> UNIT_SHIFT);
}

// Returns the units in flight since recovery began; none: it is over.
static uint8_t units_left(const struct whit_tcb *tcb)
{
    uint8_t left = (uint8_t)(tcb->response.stamp - units(tcb, 0));
    return tcb->response.flight != 0 && left <= WINDOW_UNITS ? left : 0;
}

static void recovery_again(struct whit_tcb *tcb)
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

static void recovery_lost(struct whit_tcb *tcb)
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
        // Octets sent later than the segment at snd_una have arrived: another retransmitted segment, or new octets.
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

// NewReno: the octets after the acknowledged ones are lost as well (RFC 6582 section 3.2, step 3).
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

// Congestion control (RFC 5681, 6582) in whole segments. It uses the initial window of RFC 6928, and slow start that
// counts octets (RFC 3465, at most two segments for an acknowledgment). After that it adds one segment a round trip.

#define CWND_MAX 255
#define CWND_INITIAL 10
#define SSTHRESH_CODE_MAX 15    // 192 segments and more: slow start knows no end

// Hosts reduce and increase windows as their clients' kernels do, in CUBIC's region that is as fast as Reno (RFC 9438
// section 4.3). 0.7 is left after a loss, and a round trip adds half a segment. Bits of snd_una select the round trips
// that add one, because no state is kept.
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

// True if the host's window is still valid for a next response (RFC 5681 section 4.1, RFC 7661, RFC 9040). The window
// is the octets that the host's connections had in flight together without a loss, increased by acknowledgments of a
// whole window. Each next response may have a slot's share of it, if that is more than the initial window. It expires
// if the connections had less than half of it for an RTO. The shares assume that each slot had as much as the
// acknowledged one.
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

// Stores the window for the next response after a loss: as much as for this one (RFC 9040).
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
static void congestion_acked(struct whit_tcb *tcb, uint16_t acked, bool round_trip)
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

// Reduces the window to a part of the flight, at least two segments: half (RFC 5681 (4)), or 0.7 (RFC 9438 section
// 4.6).
static void congestion_lost(struct whit_tcb *tcb, bool timeout)
{
    uint16_t segments = tcb->response.flight / tcb_mss(tcb),
             left = (uint16_t)(AS_CUBIC ? segments * UINT32_C(7) / 10 : segments / 2);
    if (left < 2)
        left = 2;
    uint16_t code = packed(left, SSTHRESH_BITS);
    tcb->response.ssthresh = (code < SSTHRESH_CODE_MAX ? code : SSTHRESH_CODE_MAX) & 15u;
    set_cwnd(tcb, timeout ? 1 : ssthresh_of(tcb) + 3);
    if (WHIT_KEEPS_WINDOW)
        window_lost(tcb, timeout ? 0 : left);
}

static void congestion_recovered(struct whit_tcb *tcb, uint16_t sacked)
{
    set_cwnd(tcb, ssthresh_of(tcb) + sacked);
}

// ------------------------------------------------------------------------------------------- selective acknowledgments

// Selective acknowledgments (RFC 2018) without a scoreboard: the blocks of the current segment, and the octets that
// they show missing. They are dropped with their segment. The permission is not stored either: a peer without it sends
// no blocks.

#define OPTION_PERMITTED 4
#define EDGES_MAX 8    // two of each block that the 40 octets of options hold

static struct {
    uint32_t edge;                // being read
    uint16_t edges[EDGES_MAX];    // begin and end of each block, that of the newest segment first; offsets from SEG.ACK
    uint8_t cnt;                  // number of edges
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

// Reads the blocks. Blocks outside the flight become empty: old octets (RFC 2883), octets that were never sent, an end
// before its begin.
static bool sack_read(const struct whit_tcb *tcb, struct sacked *sacked)
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

// ----------------------------------------------------------------------------------- the timer of a response in flight

// The timer of a response in flight: retransmission (RFC 6298), tail-loss probe (RFC 8985 section 7) and the probe of a
// closed window (RFC 9293 section 3.8.6.1). One deadline serves all three; the state selects one.

#define RETRIES_MAX 7    // 1+2+4+8+16+32+60 s: more than the 100 s of RFC 9293 MUST-20; one more where 0.2 s come first
#define RETRIES_MORE 15    // with MORE_TRIES: 24 timeouts, 100 s at least
#define RETRIES_EACH 6     // these are counted each, later ones every second time
// at 20 % loss, a living peer leaves that number unanswered in one of some thirty thousand cases
#define SILENT_TRIES 11
#define SILENT_UNKNOWN 8    // no round trip was measured, and each takes 300 ms
// while others wait, timeouts are short, and no number of them ends a response: it may be evicted instead
#define RETRIES_COUNTED 12

// True if all round trips are shorter than a tick: RTTVAR has only rounding errors. Hosts need not wait for these.
static bool is_rounded(const struct rtt *times)
{
    return WHIT_KEEPS_WINDOW && times->srtt == 1 && times->over <= 3;
}

// Returns the time until a probe, which distinguishes a lost last segment from a slow one within about two round trips.
// It is two round trips after the first segment, one and a half after an acknowledgment. A peer that may delay the
// acknowledgment of a lone segment gets the time for it, but only if the response is no longer than a segment. That
// covers a short segment that was sent ahead: on a slow line its round trip is shorter than the transmission of the
// following octets. In recovery nothing is delayed: a peer with a gap answers at once when it is filled (RFC 5681
// section 4.2). A segment retransmitted there and not acknowledged in RFC 6298's time, without a minimum, is lost.
// While others wait for a slot or for room, no time for delayed acknowledgments is added, and a lost probe begins
// recovery.
static uint16_t probe_ticks(const struct whit_tcb *tcb, const struct rtt *times)
{
    uint16_t srtt = times->srtt;
    if (srtt == 0 || tcb->response.flight == 0 || tcb->response.wnd == 0 ||
        (tcb->response.mode == MODE_RECOVER || hurried() ? tcb->probed_again : tcb->response.probed) ||
        tcb->response.mode == MODE_RESEND || tcb->response.retries != 0)
        return RTO_MAX;
    uint32_t ticks = srtt + UINT32_C(1);
    if (tcb->response.mode == MODE_RECOVER || tcb->response.probed)
        ticks += is_rounded(times) ? 0 : times->over;
    else
        ticks += tcb->position == 0 ? srtt : srtt / 2;
    if (tcb->position + tcb->response.flight <= tcb_mss(tcb) && tcb->response.mode != MODE_RECOVER && !hurried() &&
        (tcb->position == 0 || tcb->response.mode != MODE_TIMING || tcb->response.mark == tcb->response.flight))
        ticks += DELAYED_ACK;
    ticks <<= tcb->response.probed;
    return (uint16_t)(ticks < RTO_MAX ? ticks : RTO_MAX);
}

bool recovery_silent(struct whit_tcb *tcb)
{
    recovery_hurry();
    struct rtt times = rtt_times(tcb);
    if (tcb->response.retries != 0 && ticks_left(tcb) > times.rto)
        retransmit_arm(tcb);
    return tcb->response.retries >= (tcb->response.wnd == 0 ? 2 : times.over != 0 ? SILENT_TRIES : SILENT_UNKNOWN);
}

void retransmit_arm(struct whit_tcb *tcb)
{
    struct rtt times = rtt_times(tcb);
    uint16_t probe = probe_ticks(tcb, &times);
    table_arm(tcb, probe < times.rto ? probe : times.rto);
}

static bool gives_up(const struct whit_tcb *tcb)
{
    uint8_t most = MORE_TRIES ? RETRIES_MORE : rtt_times(tcb).srtt != 0 ? RETRIES_MAX + 1 : RETRIES_MAX;
    return !hurried() && tcb->response.retries >= most;
}

// probed_again: of the timeouts that are counted by two, there was one.
static void count_try(struct whit_tcb *tcb)
{
    if (MORE_TRIES && tcb->response.wnd != 0 && !hurried() && tcb->response.retries >= RETRIES_EACH) {
        tcb->probed_again = !tcb->probed_again;
        if (tcb->probed_again)
            return;
    }
    if (!hurried() || tcb->response.retries < RETRIES_COUNTED)
        tcb->response.retries++;
}

// The window is closed, or the first segment found no way out.
static enum due window_due(struct whit_tcb *tcb)
{
    if (tcb->response.wnd == 0 ? tcb->response.retries >= PERSIST_RETRIES_MAX : gives_up(tcb))
        return DUE_GIVE_UP;
    count_try(tcb);
    table_arm(tcb, rtt_times(tcb).rto);
    if (tcb->response.wnd == 0) {    // a probe
        mark_times_out(tcb);
    }
    table_ready(tcb);
    return DUE_NOTHING;
}

static enum due timeout_due(struct whit_tcb *tcb)
{
    if (gives_up(tcb))
        return DUE_GIVE_UP;
    count(WHIT_COUNT_RETRANSMIT_TIMEOUT);
    if (tcb->response.mode != MODE_RESEND || tcb->response.mark != 0 || tcb->response.retries == 0)
        congestion_lost(tcb, true);
    count_try(tcb);
    mark_times_out(tcb);
    table_ready(tcb);
    table_arm(tcb, rtt_times(tcb).rto);
    return DUE_NOTHING;
}

static void retransmit_soon(struct whit_tcb *tcb)
{
    struct rtt times = rtt_times(tcb);
    if (probe_ticks(tcb, &times) < times.rto)
        table_arm(tcb, times.srtt / 4 + 1);
}

static enum due probe_due(struct whit_tcb *tcb)
{
    if (tcb->response.mode <= MODE_TIMING && (tcb->response.dupacks != 0 || tcb->response.probed)) {
        recovery_lost(tcb);
        table_ready(tcb);
        return DUE_NOTHING;
    }
    count(WHIT_COUNT_TAIL_PROBE);
    tcb->probed_again = tcb->response.probed;
    tcb->response.probed = 1;
    if (tcb->response.mode == MODE_TIMING)
        mark_over(tcb);    // Karn: its acknowledgment could be for either
    retransmit_arm(tcb);
    if (tcb->response.mode != MODE_RECOVER)
        return DUE_TAIL_PROBE;
    recovery_again(tcb);
    table_ready(tcb);
    return DUE_NOTHING;
}

uint16_t retransmit_tail(const struct whit_tcb *tcb)
{
    uint16_t len = segment_len(tcb), flight = tcb->response.flight;
    return flight > tcb_mss(tcb) ? (uint16_t)((flight - 1u) / len * len) : 0;
}

void recovery_heard(struct whit_tcb *tcb)
{
    if (MORE_TRIES && tcb->state == TCB_RESPONSE && tcb->response.retries != 0 && tcb->response.wnd != 0)
        table_arm(tcb, 0);    // the next timeout is now
}

enum due retransmit_due(struct whit_tcb *tcb)
{
    struct rtt times = rtt_times(tcb);
    if (tcb->response.flight == 0 || tcb->response.wnd == 0)
        return window_due(tcb);
    if (probe_ticks(tcb, &times) >= times.rto)
        return timeout_due(tcb);
    if (!tcb->ready)
        return probe_due(tcb);
    retransmit_arm(tcb);    // the next segment is as good a probe; others have the line
    return DUE_NOTHING;
}

// ------------------------------------------------------------------------------------------------ round-trip times

// Round-trip times (RFC 6298). One octet at a time is timed for a connection; SRTT and RTTVAR belong to the host
// (tcb.h), in eighths and quarters of ticks. The stamp has one octet, in units of four ticks to a power: as long as
// necessary for the RTO to fit into 255. It may be longer than the RTO, because acknowledgments restart the timer; the
// RTO does not change in that time.

// An RTO is three round trips, and at least 200 ms, as in Linux on a fast line. On a slow line a single measured round
// trip says little about one with other connections' segments before it. RFC 6298 (2.4) requires 1 s.
#define RTO_MIN ((uint16_t)AT_LEAST(TICKS(200), FULL_SEGMENTS(4)))
#define RTO_HURRIED ((uint16_t)AT_LEAST(TICKS(300), FULL_SEGMENTS(4)))    // without a measured round trip of the host
// at least, over a round trip that was measured, while others wait
#define OVER_HURRIED ((uint16_t)AT_LEAST(TICKS(72), FULL_SEGMENTS(4)))
#define BACKED_OFF TICKS(5000)    // an RTO is not doubled from here on, but for probes of a closed window
// timeouts that double nothing, where a round trip was measured, as Linux has it for thin streams
#define LINEAR 3
#define SLOW TICKS(100)      // a round trip of a path that is slow, where none was measured
#define SAMPLE_MAX 0x1fff    // ticks: 32 s

#define HURRY TICKS(2000)    // time for which timeouts are short after another connection found no slot or no room
static struct {
    bool on;
    uint16_t since;    // the last tick at which another connection found no slot or no room
} hurry;

void recovery_init(void)
{
    peer_init();
}

static bool hurried(void)
{
    return hurry.on;
}

// Timeouts follow each other without back-off from now on, so that it soon shows whether a peer lives.
void recovery_hurry(void)
{
    hurry.on = true;
    hurry.since = now_ticks();
}

static bool hurries_now(const struct whit_tcb *tcb)
{
    hurry.on = hurry.on && (uint16_t)(now_ticks() - hurry.since) < HURRY;
    return hurry.on && tcb->state == TCB_RESPONSE && tcb->response.wnd != 0;
}

// A backed-off RTO is kept as a round-trip time without variance, which none has that was measured. The first that is
// measured takes its place.
static bool is_kept_rto(uint16_t peer)
{
    return peer_rttvar[peer] == 0;
}

static struct rtt rtt_times(const struct whit_tcb *tcb)
{
    uint16_t peer = peer_of(tcb);
    struct rtt times = {0, 0, RTO_INITIAL};
    uint32_t rto = RTO_INITIAL;
    bool hurries = hurries_now(tcb), measured = peer_srtt[peer] != 0 && !is_kept_rto(peer);
    if (peer_srtt[peer] != 0) {
        times.srtt = peer_srtt[peer] >> 3;
        times.over = peer_rttvar[peer];
        rto = times.srtt;
    }
    if (measured) {
        uint16_t least = hurries ? OVER_HURRIED : (uint16_t)(RTO_MIN + 2 * times.srtt);
        rto += UINT32_C(1) + (times.over > least ? times.over : least);
    }
    if (hurries) {
        if (rto > RTO_HURRIED && !measured)
            rto = RTO_HURRIED;
    } else {
        uint16_t most = MORE_TRIES && tcb->state == TCB_RESPONSE && tcb->response.wnd != 0 ? BACKED_OFF : RTO_MAX;
        for (uint8_t i = tcb->state == TCB_RESPONSE ? tcb->response.retries : 0;
             i > (most == BACKED_OFF && measured ? LINEAR : 0) && rto < most; i--)
            rto *= 2;
    }
    times.rto = (uint16_t)(rto < RTO_MAX ? rto : RTO_MAX);
    return times;
}

uint16_t rtt_rto(const struct whit_tcb *tcb)
{
    uint16_t rto = rtt_times(tcb).rto;
    return rto < RTO_INITIAL ? RTO_INITIAL : rto;
}

static uint8_t stamp_shift(const struct whit_tcb *tcb)
{
    uint8_t shift = 0;
    for (uint16_t rto = rtt_rto(tcb); rto > 255; rto >>= 2)
        shift = (uint8_t)(shift + 2);
    return shift;
}

static void rtt_start(struct whit_tcb *tcb, uint16_t before)
{
    mark_times(tcb, before);
    tcb->response.stamp = (uint8_t)(now_ticks() >> stamp_shift(tcb));
}

static void rtt_sample(struct whit_tcb *tcb)
{
    uint16_t peer = peer_of(tcb);
    uint8_t shift = stamp_shift(tcb);
    uint16_t sample = (uint16_t)((uint8_t)((now_ticks() >> shift) - tcb->response.stamp) << shift);
    if (sample == 0)
        sample = 1;    // less than a tick: 0 means that nothing is known
    if (sample > SAMPLE_MAX)
        sample = SAMPLE_MAX;
    uint16_t *srtt = &peer_srtt[peer], *rttvar = &peer_rttvar[peer];
    if (*srtt == 0 || is_kept_rto(peer)) {
        *srtt = (uint16_t)(sample * 8);
        *rttvar = (uint16_t)(sample * 2);
        return;
    }
    int16_t error = (int16_t)(sample - (*srtt >> 3));
    *srtt = (uint16_t)(*srtt + error);
    *rttvar = (uint16_t)(*rttvar - (*rttvar >> 2) + (error < 0 ? -error : error));
}

// A round trip longer than the RTO is never measured: every acknowledgment comes after a retransmission. The backed-off
// RTO stays in force until one can be (RFC 6298 section 5, Karn's algorithm). If the first copy was acknowledged, the
// path is slow: the RTO grows, and nothing more is sent again, as F-RTO has it (RFC 5682). This is assumed where
// nothing of the host was known, and where the acknowledgment comes within a quarter of the kept RTO after the
// retransmission. Later, the retransmission has arrived, and the flight was lost: the rest follows at once. There the
// RTO grows by a sixteenth only, for a path that has become slower since.
__attribute__((noinline)) static void rtt_backed_off(struct whit_tcb *tcb)
{
    uint16_t peer = peer_of(tcb), kept = peer_srtt[peer] >> 3, rto = rtt_rto(tcb), left = ticks_left(tcb);
    uint16_t elapsed = left < rto ? (uint16_t)(rto - left) : 0;    // since the last retransmission
    if (tcb->response.mode == MODE_TIMING || (kept != 0 && !is_kept_rto(peer)))
        return;
    bool lost = kept != 0 && elapsed >= kept / 4;
    if (lost)
        rto = (uint16_t)(kept + kept / 16);
    else if (kept == 0 && elapsed > RTO_INITIAL)    // since the first copy was sent
        rto = (uint16_t)(rto + elapsed - RTO_INITIAL);
    peer_srtt[peer] = (uint16_t)((rto < RTO_KEPT ? rto : RTO_KEPT) * 8);
    peer_rttvar[peer] = 0;
    if (!lost && tcb->response.mode == MODE_RESEND && !hurried() && elapsed > SLOW)
        mark_over(tcb);
}
