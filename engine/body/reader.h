// SPDX-License-Identifier: MIT
// What the files of this floor know of each other.
#ifndef WHIT_BODY_READER_H
#define WHIT_BODY_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/body_block.h"
#include "../base/tables.h"
#include "../base/tcb.h"

// What is being read, while it is read.
struct reader {
    struct whit_tcb *tcb;
    const struct whit_post *post;    // in flash
    struct body *body;
    struct parts *parts;
    void *data;                      // struct args_t, struct state_t
    const uint8_t *octets;           // of them, `body->ready` are there
    uint16_t at;                     // ... and so many were read
};

// http_form.c
void form_begin(struct whit_tcb *tcb, struct body *b);
void form_run(struct reader *r);
bool form_end(struct reader *r);                // false: a signature is still to be verified

// http_form_parts.c, where WHIT_HAS_FORM_PARTS
void form_parts_begin(struct body *b);
void form_parts_octet(struct whit_tcb *t, struct body *b, uint8_t c);
void form_parts_end(struct whit_tcb *t, struct body *b);    // refuses the request where the last delimiter is missing

// http_json.c
void json_octet(struct whit_tcb *t, struct body *b, uint8_t c);
bool json_ended(struct whit_tcb *t);            // the object is complete, or nothing came; else the request is refused

// http_soap.c
void soap_begin(struct whit_tcb *tcb);
void soap_run(struct reader *r);
bool soap_end(struct reader *r);                // the same

// body_proof.c
void proof_awaited(void);                       // a signature is to be verified
struct whit_tcb *proof_slice(void);             // one slice; whose signature is judged then, or NULL

// http_multipart.c
void parts_begin(struct reader *r);
bool parts_run(struct reader *r);               // true: its handler waits for something else than octets
bool parts_ended(const struct reader *r);
#define PART_OVER (-1)
#define PART_DRY (-2)                           // more must come first
int16_t part_peek(struct reader *r);            // an octet of the part, PART_OVER, PART_DRY
int16_t part_take(struct reader *r);
extern struct reader *body_reader;              // of the handler that runs

#endif
