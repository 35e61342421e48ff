// SPDX-License-Identifier: MIT
// What takes long, in slices: key pairs, what is shared with a client, nonces of signatures. One of them is computed at a time. A pair
// and a nonce wait here for the next hello; each serves once.
#ifndef WHIT_TLS_AHEAD_H
#define WHIT_TLS_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

enum ahead {
    AHEAD_MORE,     // a slice was computed: ask again
    AHEAD_READY,    // nothing was computed
    AHEAD_NONE,     // it cannot be had: the key is no scalar
};

void ahead_start(void);                              // with nothing
enum ahead ahead_pair(void);                         // a key pair
enum ahead ahead_shared(const uint8_t point[32]);    // of the pair, and a client's point: the same until it is ready
bool ahead_take(uint8_t share[32], uint8_t shared[32]);    // both, which are forgotten here. False: `shared` is zero
enum ahead ahead_nonce(const uint8_t *digest);       // NULL: of what nobody can foretell, else of the digest that is to be signed
bool ahead_sign(uint8_t signature[64], const uint8_t digest[32]);    // by the nonce, which is forgotten
bool ahead_amid_nonce(void);                         // one of what nobody can foretell
void ahead_no_nonce(void);                           // it makes room: who comes needs none
void ahead_give_up(void);                            // forgets what was for one client

#endif
