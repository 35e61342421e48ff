// SPDX-License-Identifier: MIT
// Data of idle connections under TLS besides their tags, and the first data of a connection that opens or resumes.
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "tcp.h"
#include "../core/buffer.h"
#include "../core/limits.h"
#include "../core/checksum.h"
#include "../core/octets.h"
#include "../core/state.h"
#include "../core/tcb.h"
#include "../http/http.h"
#include "../net/net.h"
#include "../response/response.h"
#include "whit/crypto.h"
#include "whit/driver.h"

static void sealed_gone(const struct whit_tcb *tcb);    // ... or not

#define TIMEOUT_REST TICKS(TIMEOUT_REST_S *UINT32_C(1000))
#define SETTLED TICKS(200)    // an idle connection may be ended after this

// Nothing has come, and nothing is to be sent.
bool sealed_rests(const struct whit_tcb *tcb)
{
    const struct sealed *s = sealed_of(tcb);
    const struct tls *tls = &s->tls;
    return tcb->state == TCB_REQUEST && tls->kept.phase == TLS_OPEN && tls->kept.out == TLS_NOTHING &&
           tls->kept.message_len == 0 && !tcb->peer_fin && !input_waits(tcb) && !request_begun(tcb);
}

bool sealed_rested(const struct whit_tcb *tcb)
{
    return ticks_left(tcb) <= TIMEOUT_REST - SETTLED;
}

// Returns the connection that has been idle longest, except `but`; NULL: no other one is idle.
static struct whit_tcb *longest_at_rest(const struct whit_tcb *but)
{
    struct whit_tcb *longest = NULL;
    for (struct whit_tcb *one = whit_slots; one != whit_slots + WHIT_CONNECTIONS; one++)
        if (one != but && one->state == TCB_REQUEST && is_tls(one) && sealed_rests(one) &&
            (longest == NULL || ticks_left(one) < ticks_left(longest)))
            longest = one;
    return longest;
}

void sealed_rest(struct whit_tcb *tcb)
{
    if (!sealed_rests(tcb))
        return;
    struct sealed *s = sealed_of(tcb);
    struct tls_kept *one = sealed_idle_free();
    if (one == NULL) {    // it stays in its slot, until the slot or its room is needed
        table_arm(tcb, TIMEOUT_REST);
        if (WHIT_CONNECTIONS > 1 && table_is_full()) {    // the last slot is for newcomers, of whom this one may be
            struct whit_tcb *other = longest_at_rest(tcb);
            if (other != NULL && sealed_rested(other))
                sealed_dismiss(other);
            else if (s->tls.kept.rx_seq != 0)
                sealed_dismiss(tcb);
        }
        return;
    }
    // its slot cannot send it later; promised octets were acknowledged
    if (tcb->ack_now && promised_len(tcb) == 0)
        tcp_answer(tcb->snd_una, tcb->rcv_nxt, TCP_ACK);
    const struct whit_tag *tag = tag_put(tcb, TAG_IDLE);
    *one = s->tls.kept;
    sealed_idle_mark(one, tag);
    connection_release(tcb);
}

// The slot is needed now, so the acknowledgment is not awaited. The client resumes with its ticket.
void sealed_dismiss(struct whit_tcb *tcb)
{
    const uint8_t *octets;
    uint16_t len = sealed_last(tcb, &octets);
    count(WHIT_COUNT_SLOT_EVICTED);
    bool begun =
        segment_begin(tcb, tcb->snd_una, TCP_ACK | TCP_PSH | TCP_FIN, len, checksum_octets(0, octets, len, false));
    if (begun) {
        whit_driver_put(octets, len, WHIT_IN_BUFFER);
        link_out_end();
        connection_sent(tcb, (uint16_t)(len + 1));
    }
    if (HAS_TAGS)
        tag_put(tcb, TAG_CLOSED);
    connection_release(tcb);
}

bool sealed_make_room(const struct whit_tcb *tcb)
{
    struct whit_tcb *other = longest_at_rest(tcb);
    if (other != NULL)
        sealed_dismiss(other);
    return other != NULL;
}

// --------------------------------------------------------------------------------------- what a connection begins with

// Handshakes of a host that may be under way: half of the slots, and half of the room.
#define HANDSHAKES_ROOM (INPUT_LEN / 2 / sizeof(struct sealed))
#define HANDSHAKES_SLOTS (WHIT_CONNECTIONS / 2)
#define HANDSHAKES_LESS (HANDSHAKES_ROOM < HANDSHAKES_SLOTS ? HANDSHAKES_ROOM : HANDSHAKES_SLOTS)
#define HANDSHAKES_MAX (HANDSHAKES_LESS != 0 ? HANDSHAKES_LESS : 1)

// Its hello is not whole after a while: it is evicted for another one of its host.
#define HELLO_SLOW TICKS(500)
static bool hello_lags(const struct whit_tcb *tcb)
{
    return tcb->state == TCB_REQUEST && sealed_of(tcb)->tls.kept.phase == TLS_HELLO &&
           ticks_left(tcb) <= TICKS(WHIT_REQUEST_TIMEOUT_S * UINT32_C(1000)) - HELLO_SLOW;
}

bool sealed_crowded(uint32_t addr)
{
    uint16_t cnt = 0;
    struct whit_tcb *lags = NULL;
    for (struct whit_tcb *one = whit_slots; one != whit_slots + WHIT_CONNECTIONS && cnt < HANDSHAKES_MAX; one++) {
        if (one->remote_addr != addr || one->state == TCB_FREE || !is_tls(one) ||
            sealed_of(one)->tls.kept.phase >= TLS_OPEN)
            continue;
        cnt++;
        if (hello_lags(one))
            lags = one;
    }
    if (cnt == HANDSHAKES_MAX && lags != NULL) {
        count(WHIT_COUNT_SLOT_EVICTED);
        connection_dead(lags);    // a RST informs its peer later
        cnt--;
    }
    return cnt == HANDSHAKES_MAX;
}

#define HELLO_PART 256    // octets that find room before a connection takes a slot where it could wait for that instead

static bool sealed_reserved;    // by the current frame: its reservation begins with BLOCK_TLS

bool sealed_reserve(void)
{
    struct whit_rx *rx = &whit.rx;
    bool is_new = rx->origin == ORIGIN_COOKIE;
    sealed_reserved = false;
    if (!is_tls(&rx->pending) || rx->payload_len == 0 || (!is_new && rx->origin != ORIGIN_TAG))
        return true;
    if (!is_new && sealed_idle_of(rx->tag) == NULL)
        return false;
    sealed_reserved = buffer_reserve_block(is_new ? sizeof(struct sealed) : SEALED_CUT);
    bool stuck =
        WHIT_KEEPS_FRAMES && buffer_input_room() < (rx->payload_len < HELLO_PART ? rx->payload_len : HELLO_PART);
    if (!sealed_reserved || stuck)
        request_starve(&rx->pending);
    return true;
}

void sealed_open(struct whit_tcb *tcb)
{
    struct tls_kept *one = whit.rx.origin == ORIGIN_TAG ? sealed_idle_of(whit.rx.tag) : NULL;
    if (!sealed_reserved)
        return;
    sealed_reserved = false;
    HOLDS(one != NULL || whit.rx.origin == ORIGIN_COOKIE);
    buffer_keep(tcb, BLOCK_TLS, one == NULL ? sizeof(struct sealed) : SEALED_CUT);
    struct sealed *s = sealed_of(tcb);
    memset(s, 0, one == NULL ? sizeof *s : SEALED_CUT);
    if (one == NULL) {
        tls_open(&s->tls, sealed_record_len(tcb));
        return;
    }
    s->tls.kept = *one;
    s->tls.kept.phase = TLS_OPEN;
    s->tls.kept.out = TLS_NOTHING;
    s->tls.kept.message_len = 0;
    s->tls.kept.is_cut = true;
    whit_wipe(one, sizeof *one);
    whit.rx.tag->age = 0;
}

void sealed_wipe(const struct whit_tcb *tcb)
{
    uint16_t len;
    uint8_t *octets = buffer_find(tcb, BLOCK_TLS, &len);
    sealed_gone(tcb);
    if (octets != NULL)
        whit_wipe(octets, len);
}

// ----------------------------------------------------------------------------------------- whose handshake is computed

// Turns of handshakes (slices.c): one is computed at a time; the others wait in their slots. If none waits, the numbers
// for the next one are computed.

// Milliseconds wrap after 2^32; the seconds of a ticket must not: it would be young again.
#define ROUND_S (UINT32_MAX / 1000)
#define IS_SECOND_HALF (whit.now_ms >> 31 != 0)
static uint16_t half_rounds;    // half rounds of the milliseconds that began

static struct {
    struct whit_tcb *answered;    // the handshake that is computed; NULL: none
    bool others_wait;             // for their turn
    bool all_is_ready;            // for the next one: nothing is computed while none waits
#if WHIT_HTTPS_EARLY
    struct whit_tcb *early;    // its answer is complete, and its early data is not read yet; NULL: none
#endif
} sealed_turns;

void sealed_init(void)
{
    sealed_turns.answered = NULL;
    sealed_turns.others_wait = sealed_turns.all_is_ready = false;
    half_rounds = IS_SECOND_HALF;
}

void sealed_clock(void)
{
    half_rounds = (uint16_t)(half_rounds + ((half_rounds ^ IS_SECOND_HALF) & 1));
}

bool sealed_awaits(const struct whit_tcb *tcb)
{
    return tcb->state == TCB_REQUEST && is_tls(tcb) && sealed_of(tcb)->tls.kept.phase == TLS_HEARD;
}

void sealed_awaits_turn(struct whit_tcb *tcb)
{
    if (sealed_turns.answered == NULL)
        sealed_turns.answered = tcb;
    else if (sealed_turns.answered != tcb)
        sealed_turns.others_wait = true;
}

// The next slot that waits, after the one that had its sealed_turns.
static void sealed_next(void)
{
    struct whit_tcb *last = sealed_turns.answered, *tcb = last;
    sealed_turns.answered = NULL;
    sealed_turns.all_is_ready = false;
    if (!sealed_turns.others_wait)
        return;
    sealed_turns.others_wait = false;
    do {
        if (++tcb == whit_slots + WHIT_CONNECTIONS)
            tcb = whit_slots;
        if (sealed_awaits(tcb))
            sealed_awaits_turn(tcb);
    } while (tcb != last);
}

static void sealed_gone(const struct whit_tcb *tcb)
{
    if (sealed_turns.answered != tcb)
        return;
    tls_give_up();
    sealed_next();
}

void sealed_slice(void)
{
    struct whit_tcb *tcb = sealed_turns.answered;
    if (tcb == NULL) {
        sealed_turns.all_is_ready = !tls_prepare();
        return;
    }
    if (!sealed_awaits(tcb)) {    // its client ended it
        sealed_gone(tcb);
        return;
    }
    struct sealed *s = sealed_of(tcb);
    if (WHIT_HTTPS_EARLY && s->tls.resumed == TLS_RESUMED_EARLY && !rx_rests())
        return;    // early data will be parsed with the state of the current frame
    tls_work(&s->tls, half_rounds / 2 * ROUND_S + whit.now_ms / 1000);
    if (s->tls.kept.phase == TLS_HEARD)
        return;
    rx_forget(tcb);
#if WHIT_HTTPS_EARLY
    sealed_turns.early = tcb;
#else
    sealed_begin_own(tcb);
#endif
    sealed_next();
}

#if WHIT_HTTPS_EARLY
struct whit_tcb *sealed_turn_over(void)
{
    struct whit_tcb *tcb = sealed_turns.early;
    sealed_turns.early = NULL;
    return tcb;
}
#endif

bool sealed_waits(void)
{
    return sealed_turns.answered != NULL || !sealed_turns.all_is_ready;
}
