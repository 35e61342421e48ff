// SPDX-License-Identifier: MIT
// Round-trip times (RFC 6298). One octet at a time is timed for a connection; SRTT and RTTVAR belong to the host
// (peer.h), in eighths and quarters of ticks. The stamp is an octet, in units of four ticks to a power: as long as they must be for the RTO to
// fit into 255. It may be longer than the RTO, as acknowledgments start the timer anew; the RTO does not change meanwhile.
#include "full.h"
#include "mark.h"
#include "recovery.h"
#include "../base/limits.h"
#include "../base/peer.h"
#include "../base/slots.h"
#include "../base/state.h"
#include "../base/tcb.h"

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
