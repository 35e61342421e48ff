// SPDX-License-Identifier: MIT
// The timer of a response in flight: retransmission (RFC 6298), tail-loss probe (RFC 8985 section 7) and the probe
// of a closed window (RFC 9293 section 3.8.6.1). One deadline serves all three; which it is follows from the state.
#include "recovery.h"
#include "../core/limits.h"
#include "../core/state.h"
#include "../core/tables.h"
#include "../core/tcb.h"

#define RETRIES_MAX 7    // 1+2+4+8+16+32+60 s: more than the 100 s of RFC 9293 MUST-20; one more where 0.2 s come first
#define RETRIES_MORE 15    // of MORE_TRIES: 24 timeouts, 100 s at least
#define RETRIES_EACH 6     // so many of them are counted each, of those after these every second one
#define SILENT_TRIES 11    // at 20 % loss, a peer that lives leaves so many unanswered in one of some thirty thousand cases
#define SILENT_UNKNOWN 8   // where no round trip was measured, and each takes 300 ms
#define RETRIES_COUNTED 12    // while others wait, timeouts are short, and no number of them ends a response: they may make it give way

// All round trips are shorter than a tick: of RTTVAR there is only what rounding leaves. Hosts need not wait for that.
static bool is_rounded(const struct rtt *times)
{
    return WHIT_KEEPS_WINDOW && times->srtt == 1 && times->over <= 3;
}

// A probe tells a lost last segment from a slow one within about two round trips: two after the first segment, one and
// a half after an acknowledgment, which came a round trip later than what it is for. Who waits with the acknowledgment
// of a lone segment gets the time for it, but only when the response is no longer than a segment. That covers a short
// segment that went ahead: on a slow line its round trip is shorter than the time that the rest needs to leave.
// In recovery nothing is delayed: a peer with a gap answers at once what fills it (RFC 5681 section 4.2), and what is sent
// there again and not acknowledged by RFC 6298's time without a floor is lost. While others wait for a slot or for room, nobody
// is given the time of a delayed acknowledgment, and a probe that is lost begins recovery.
static uint16_t probe_ticks(const struct whit_tcb *tcb, const struct rtt *times)
{
    uint16_t srtt = times->srtt;
    if (srtt == 0 || tcb->response.flight == 0 || tcb->response.wnd == 0 ||
        (tcb->response.mode == MODE_RECOVER || hurried() ? tcb->probed_again : tcb->response.probed) || tcb->response.mode == MODE_RESEND || tcb->response.retries != 0)
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

void retransmit_soon(struct whit_tcb *tcb)
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
    retransmit_arm(tcb);    // what it would send next is as good a probe; others have the line
    return DUE_NOTHING;
}

// ------------------------------------------------------------------------------------------------ round-trip times

// Round-trip times (RFC 6298). One octet at a time is timed for a connection; SRTT and RTTVAR belong to the host
// (tcb.h), in eighths and quarters of ticks. The stamp is an octet, in units of four ticks to a power: as long as they must be for the RTO to
// fit into 255. It may be longer than the RTO, as acknowledgments start the timer anew; the RTO does not change meanwhile.

// An RTO is three round trips and 200 ms at least: as Linux has it on a fast line, while on a slow one a round trip
// that was measured alone says little of one with other connections' segments before it. RFC 6298 (2.4) would have 1 s.
#define RTO_MIN ((uint16_t)AT_LEAST(TICKS(200), FULL_SEGMENTS(4)))
#define RTO_HURRIED ((uint16_t)AT_LEAST(TICKS(300), FULL_SEGMENTS(4)))    // of a host whose round trip was not measured
#define OVER_HURRIED ((uint16_t)AT_LEAST(TICKS(72), FULL_SEGMENTS(4)))   // at least, over a round trip that was measured, while others wait
#define BACKED_OFF TICKS(5000)    // an RTO is not doubled from here on, but for probes of a closed window
#define LINEAR 3             // timeouts that double nothing, where a round trip was measured, as Linux has it for thin streams
#define SLOW TICKS(100)    // a round trip of a path that is slow, where none was measured
#define SAMPLE_MAX 0x1fff    // ticks: 32 s

#define HURRY TICKS(2000)    // how long timeouts are hurried after somebody found no slot or no room
static struct {
    bool on;
    uint16_t since;    // the tick at which somebody found no slot or no room last
} hurry;

void recovery_init(void)
{
    peer_init();
}

bool hurried(void)
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

// A backed-off RTO is kept as a round-trip time without variance, which none has that was measured. The first that is measured takes its place.
static bool is_kept_rto(uint16_t peer)
{
    return peer_rttvar[peer] == 0;
}

struct rtt rtt_times(const struct whit_tcb *tcb)
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
        for (uint8_t i = tcb->state == TCB_RESPONSE ? tcb->response.retries : 0; i > (most == BACKED_OFF && measured ? LINEAR : 0) && rto < most; i--)
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

void rtt_start(struct whit_tcb *tcb, uint16_t before)
{
    mark_times(tcb, before);
    tcb->response.stamp = (uint8_t)(now_ticks() >> stamp_shift(tcb));
}

void rtt_sample(struct whit_tcb *tcb)
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
// RTO stays in force until one can be (RFC 6298 section 5, Karn's algorithm). If the first copy was acknowledged, the path is slow:
// the RTO grows, and nothing more is sent again, as F-RTO has it (RFC 5682). This is assumed where nothing of the host was known, and
// where the acknowledgment comes within a quarter of the kept RTO after the retransmission. Later, the retransmission has arrived, and
// the flight was lost: the rest follows at once. There the RTO grows by a sixteenth only, for a path that has become slower since.
__attribute__((noinline)) void rtt_backed_off(struct whit_tcb *tcb)
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
