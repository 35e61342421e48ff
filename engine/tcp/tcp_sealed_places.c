// SPDX-License-Identifier: MIT
// Places for what a tag does not know of an idle connection under TLS: its keys. A place is of one tag as long as that one remembers the same
// connection: where tags are few, its keys are wiped before that changes; elsewhere it knows the tag's sum.
#include <stddef.h>

#include "connection.h"
#include "../base/limits.h"
#include "../base/state.h"
#include "../base/tcb.h"
#include "../tls/tls.h"

#define IDLE_CNT (WHIT_HTTPS_IDLE != 0 ? WHIT_HTTPS_IDLE : 1)    // an image without them does not refer to it
static struct sealed_idle {
    struct tls_kept kept;    // of no octets in a record: the place is free. Where tags are few, its mark is the tag's index
#if !TAGS_ARE_FEW
    uint32_t mac, tag;
#endif
} idle[IDLE_CNT];

static struct whit_tag *tag_of(const struct sealed_idle *one)
{
#if TAGS_ARE_FEW
    return &whit_tags[one->kept.mark];
#else
    return &whit_tags[one->tag];
#endif
}

static bool is_taken(const struct sealed_idle *one)
{
    const struct whit_tag *tag = tag_of(one);
#if !TAGS_ARE_FEW
    if (one->mac != tag->mac)
        return false;
#endif
    return one->kept.record_half != 0 && tag->age != 0 && !tag->closing;
}

struct tls_kept *sealed_idle_of(const struct whit_tag *tag)
{
    for (struct sealed_idle *one = idle; WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (tag_of(one) == tag && is_taken(one))
            return &one->kept;
    return NULL;
}

uint8_t sealed_idle_last(const struct whit_tag *tag, uint8_t *last)
{
    const struct tls_kept *kept = sealed_idle_of(tag);
    if (kept == NULL)
        return 0;
    tls_seal_last(kept, last);
    return TLS_CLOSE_LEN;
}

struct tls_kept *sealed_idle_free(void)
{
    for (struct sealed_idle *one = idle; HAS_TAGS && WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (!is_taken(one))
            return &one->kept;
    return NULL;
}

void sealed_idle_wipe(void)
{
    for (struct sealed_idle *one = idle; WHIT_HTTPS_IDLE != 0 && one != idle + IDLE_CNT; one++)
        if (one->kept.record_half != 0 && !is_taken(one))
            whit_wipe(one, sizeof *one);
}

void sealed_idle_mark(struct tls_kept *kept, const struct whit_tag *tag)
{
    struct sealed_idle *one = (struct sealed_idle *)(void *)kept;
#if TAGS_ARE_FEW
    one->kept.mark = (uint16_t)(tag - whit_tags);
#else
    one->mac = tag->mac;
    one->tag = (uint32_t)(tag - whit_tags);
#endif
}
