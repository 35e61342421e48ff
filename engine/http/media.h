// SPDX-License-Identifier: MIT
// Media types and their parameters (http_media.c).
#ifndef WHIT_HTTP_MEDIA_H
#define WHIT_HTTP_MEDIA_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/body_block.h"
#include "../base/tcb.h"

// http_media.c: "type/subtype; name=value", octet by octet; the state is in the slot's request.
struct media {
    uint8_t *text;           // where the value of the wanted parameter goes; NULL: nowhere but in the slot's request (MEDIA_VALUE)
    uint8_t text_max;
    uint8_t wanted;          // enum whit_media
    bool partial;               // a longer value is cut, not refused
    bool folds;              // MEDIA_VALUE is wanted: of a boundary its hash, of a name its state from `names` on
    uint16_t names;          // in whit_targets
    struct body *body;       // that gets kind and content type of the word; NULL: no body does
};
void media_begin(struct whit_tcb *t, uint16_t types);
void media_step(struct whit_tcb *t, const struct media *m, uint8_t c);
uint8_t media_end(struct whit_tcb *t, const struct media *m);    // octets of the text; or of a charset, enum whit_media, 0: none is given
// It stands in the slot's request, so that a segment that proves to be spoilt changes nothing.
#define MEDIA_VALUE(t) ((uint16_t)(t)->media)
#define BOUNDARY_HASH(hash, c) ((hash) * 31 + (c))    // of one octet more; MEDIA_VALUE is the lower half of it

#endif
