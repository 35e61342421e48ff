// SPDX-License-Identifier: MIT
/* <generator>
     <handlers doGet="show" doPostIn="take" doPostOut="answer"/>
     <properties persistence="volatile" content-type="application/json"/>
     <content-types><content-type type="image/png"/></content-types>
   </generator> */
// Takes a picture, from a form or as the body itself, into stored content. The engine then serves it like a file, under
// /picture.png, with an entity tag of its own. GET and the answer to an upload are {"octets":5805,"room":12288}. A
// refused picture is 422 with {"error":"..."}; 409 if another picture was sent at the same time.
#include <whit/app.h>
#include <whit_stored.h>

#define ROOM 12288    // app.toml
#define BLOCK 64

// Lives as long as the request, and is zero at its beginning.
struct state_t {
    uint16_t ticket;    // ticket of the write; 0 after a failure
    uint16_t len;       // bytes that came, at most one more than there is room for
    bool is_stored;
    uint8_t fill;
    uint8_t block[BLOCK];    // bytes go to the medium in blocks: each write may cost it a page
};

// Writes the block to stored content. After a failure the body is still read to its end, so that the client gets an
// answer.
static void flush(struct state_t *state)
{
    if (state->ticket != 0 && !stored_add(state->ticket, state->block, state->fill))
        state->ticket = 0;
    state->fill = 0;
}

// A protothread: PT_IN leaves it until the next byte is there. The new picture takes the old one's place at the end,
// as a whole; a client that goes away before changes nothing.
static char take(struct whit_pt *pt, struct whit_part *part, struct state_t *state)
{
    int16_t byte;

    PT_BEGIN(pt);
    if (part->number == 0)    // further files of the same form are passed over
        state->ticket = stored_begin(STORED_PICTURE_PNG);
    for (;;) {
        PT_IN(pt, byte);
        if (byte < 0)
            break;
        state->block[state->fill++] = (uint8_t)byte;
        if (state->len <= ROOM)
            state->len++;
        if (state->fill == BLOCK)
            flush(state);
    }
    flush(state);
    if (state->ticket != 0 && stored_end(state->ticket))
        state->is_stored = true;
    state->ticket = 0;
    PT_END(pt);
}

static void say_what_is_there(void)
{
    out_str("{\"octets\":");
    out_uint(stored_len(STORED_PICTURE_PNG));
    out_str(",\"room\":");
    out_uint(ROOM);
    out_c('}');
}

static char answer(uint8_t content_type, struct state_t *state)
{
    (void)content_type;
    if (state->is_stored) {
        say_what_is_there();
    } else if (state->len != 0 && state->len <= ROOM) {
        answer_status(409);
        out_str("{\"error\":\"Another picture was sent at the same time. Send this one again.\"}");
    } else {
        answer_status(422);
        out_str("{\"error\":\"It was not stored: a PNG of at most 12288 octets was expected.\"}");
    }
    return 1;
}

static char show(struct args_t *args)
{
    (void)args;
    say_what_is_there();
    return 1;
}
