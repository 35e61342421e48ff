// SPDX-License-Identifier: MIT
// Idle kept-alive connections. A tag holds no address and no number, only what recognises them when the next
// segment brings them along. Closing connections rest here too, for a late or repeated FIN.
#include "inner.h"
#include "siphash.h"

#define AGE_RING 31    // ages run 1..31, 0 is a free tag

static uint8_t age_now(void)
{
    return (uint8_t)(whit.now_ms / AGE_MS % AGE_RING + 1);
}

// Units of AGE_MS since it was put down.
static uint8_t age_of(const struct whit_tag *tag)
{
    uint8_t now = age_now();
    return (uint8_t)(now >= tag->age ? now - tag->age : now + AGE_RING - tag->age);
}

// The lower half of the first word tells these hashes from each other and from a cookie's (cookie.c).
#define TUPLE_HASH 0xffff
#define MAC_HASH 0xfffe

static uint16_t tuple_hash(uint32_t addr, uint16_t port)
{
    return (uint16_t)siphash((uint64_t)addr << 32 | (uint32_t)port << 16 | TUPLE_HASH, 0);
}

static uint32_t mac_of(uint32_t addr, uint16_t port, uint32_t rcv_nxt, uint32_t snd_nxt)
{
    return (uint32_t)siphash((uint64_t)addr << 32 | (uint32_t)port << 16 | MAC_HASH, (uint64_t)rcv_nxt << 32 | snd_nxt);
}

static bool expired(const struct whit_tag *tag)
{
    return age_of(tag) > (tag->closing ? CLOSING_S * 1000 / AGE_MS : WHIT_IDLE_TIMEOUT_S * UINT32_C(1000) / AGE_MS);
}

// Which of two makes room first: a free one, a closing one, the older one.
static bool goes_before(const struct whit_tag *a, const struct whit_tag *b)
{
    if (a->age == 0 || b->age == 0)
        return a->age == 0 && b->age != 0;
    if (a->closing != b->closing)
        return a->closing;
    return age_of(a) > age_of(b);
}

void tag_put(const struct whit_tcb *tcb, uint32_t rcv_nxt, uint32_t snd_nxt, enum tag_end end)
{
    bool closing = end != TAG_IDLE;
    uint32_t addr = tcb->remote_addr;
    uint16_t cnt, port = tcb->remote_port;
    struct whit_tag *tags = table_tags(addr, port, &cnt), *place = tags;
    for (uint16_t i = 1; i < cnt; i++)
        if (goes_before(&tags[i], place))
            place = &tags[i];
    if (place->age != 0 && !place->closing)
        count(WHIT_COUNT_TAG_EVICTED);
    place->mac = mac_of(addr, port, rcv_nxt, snd_nxt);
    place->tuple = tuple_hash(addr, port);
    place->mss4 = closing ? end & 0x1ff : tcb->mss4;
    place->closing = closing;
    place->flavour = tcb->flavour;
    place->age = age_now() & 0x1f;
}

struct whit_tag *tag_find(uint32_t addr, uint16_t port, uint32_t rcv_nxt, uint32_t snd_nxt)
{
    uint16_t cnt;
    struct whit_tag *tags = table_tags(addr, port, &cnt);
    uint32_t mac = mac_of(addr, port, rcv_nxt, snd_nxt);
    for (uint16_t i = 0; i < cnt; i++)
        if (tags[i].mac == mac && tags[i].age != 0 && !expired(&tags[i]))
            return &tags[i];
    return NULL;
}

// The next tag of these from `from` on; NULL: none.
static struct whit_tag *next_near(uint32_t addr, uint16_t port, uint16_t *from)
{
    uint16_t cnt, tuple = tuple_hash(addr, port);
    struct whit_tag *tags = table_tags(addr, port, &cnt);
    while (*from < cnt) {
        struct whit_tag *tag = &tags[(*from)++];
        if (tag->age != 0 && tag->tuple == tuple && !expired(tag))
            return tag;
    }
    return NULL;
}

bool tag_is_reset(uint32_t addr, uint16_t port)
{
    struct whit_tag *tag;
    for (uint16_t from = 0; (tag = next_near(addr, port, &from)) != NULL;)
        if (tag->closing && tag->mss4 == TAG_RESET)
            return true;
    return false;
}

uint8_t tag_flavours(uint32_t addr, uint16_t port)
{
    uint8_t flavours = 0;
    const struct whit_tag *tag;
    for (uint16_t from = 0; (tag = next_near(addr, port, &from)) != NULL;)
        flavours |= (uint8_t)(1 << tag->flavour);
    return flavours;
}

void tag_forget(uint32_t addr, uint16_t port)
{
    struct whit_tag *tag;
    for (uint16_t from = 0; (tag = next_near(addr, port, &from)) != NULL;)
        tag->age = 0;
}

// Forgets what has expired, before its age comes round: every 32.8 s, which is less than the 254 s of the ring
// without the 200 s that a tag may live.
void tag_sweep(void)
{
    uint8_t period = (uint8_t)(whit.now_ms >> 15);
    if (period == whit.swept)
        return;
    whit.swept = period;
    for (uint16_t i = 0; i < WHIT_IDLE; i++)
        if (whit_tags[i].age != 0 && expired(&whit_tags[i]))
            whit_tags[i].age = 0;
}
