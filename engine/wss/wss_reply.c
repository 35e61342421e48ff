// SPDX-License-Identifier: MIT
// The signature of a reply. What takes long of it, the nonce, is computed before the function runs, in slices as the message's own signature
// is verified; what is left when the reply is known are some twenty multiplications.
#include <string.h>

#include "wss_in.h"
#include "wss_signed.h"
#include "wss_signed_in.h"

#if WHIT_HAS_REPLIES
// No two nonces are the same: no message is admitted twice, and its digest goes into its reply's. Who does not know the key can foretell
// none (crypto.h).
bool reply_prepare(struct wss_signed *w)
{
    struct whit_sha256 sha;
    uint8_t key[32], input[32];
    whit_port_entropy(input, sizeof input);
    whit_sha256_begin(&sha);
    whit_sha256_add(&sha, input, sizeof input);
    whit_sha256_add(&sha, w->info, sizeof w->info);
    whit_sha256_end(&sha, input);
    whit_tls_key(key);
    bool begun = whit_p256_begin(&w->nonce, key, input);
    whit_wipe(key, sizeof key);
    whit_wipe(input, sizeof input);
    return begun;
}

void reply_keep(struct wss_reply *reply, struct wss_signed *w)
{
    memcpy(reply->inverse, w->nonce.k, sizeof reply->inverse);
    memcpy(reply->r, w->nonce.x, sizeof reply->r);
    reply->confirmed_len = w->signature_len;
    memcpy(reply->confirmed, w->signature, sizeof reply->confirmed);
    whit_wipe(&w->nonce, sizeof w->nonce);
}

bool reply_sign(struct wss_reply *reply, uint8_t signature[64], const uint8_t digest[32])
{
    uint8_t key[32];
    whit_tls_key(key);
    bool done = whit_p256_finish(signature, reply->inverse, reply->r, key, digest);
    whit_wipe(key, sizeof key);
    whit_wipe(reply->inverse, sizeof reply->inverse);
    return done;
}

uint32_t reply_now(void)
{
    bool exact;
    return wss_now(&exact);
}
#endif
