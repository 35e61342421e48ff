// SPDX-License-Identifier: MIT
// Writes a content at run time. The new version goes to the bank that is not current, and its prefix sums are computed
// as its octets arrive. At the end one small write of a header makes it the current version; if power fails before, the
// old version stays current. Only one write is active at a time.
#include <string.h>

#include "checksum.h"
#include "octets.h"
#include "persistent.h"
#include "state.h"
#include "tables.h"
#include "tcb.h"
#include "whit/app.h"
#include "whit/port.h"

#define SUMS_HELD 8    // written together: a medium may need as long for two octets as for sixteen

static struct {
    uint16_t ticket;    // ticket of the active write, 0: none
    uint16_t last;      // ticket that was given out last
    uint16_t bank;      // address of the bank
    uint16_t version;
    uint16_t len, hash;    // octets so far, and their hash
    uint16_t gone_len;     // octets of the version that was in the bank before
    uint16_t sum;          // their sum
    uint16_t sums[SUMS_HELD];
    uint8_t sum_cnt;    // sums that are not written yet
    uint8_t content;
} writing;

static uint16_t stored_check(const struct whit_stored *s, const struct stored_header *h)
{
    return (uint16_t)~checksum_octets(whit_flash_u16(&s->seal), (const uint8_t *)h, STORED_CHECKED, false);
}

bool stored_header_read(const struct whit_stored *s, uint8_t bank, struct stored_header *h)
{
    return whit_port_persistent_read(stored_address(s, bank), h, sizeof *h);
}

uint8_t stored_current(const struct whit_stored *s, struct stored_header *current)
{
    uint8_t newest = STORED_BANKS;
    for (uint8_t bank = 0; bank < STORED_BANKS; bank++) {
        struct stored_header h;
        if (!stored_header_read(s, bank, &h) || h.version == 0 || h.len > whit_flash_u16(&s->size) ||
            h.check != stored_check(s, &h))
            continue;
        if (newest == STORED_BANKS || (int16_t)(uint16_t)(h.version - current->version) > 0) {
            *current = h;
            newest = bank;
        }
    }
    return newest;
}

void stored_init(void)
{
    writing.ticket = 0;
}

static uint16_t size_of(void)
{
    return whit_flash_u16(&stored_content(writing.content)->size);
}

uint16_t stored_gone_len(void)
{
    return writing.gone_len;
}

// Resets responses that read the bank: they would find other octets there. Sent octets can still be acknowledged if the
// content was sent completely; only its version knows the length.
static void drop_readers(uint16_t resource)
{
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++) {
        struct whit_tcb *tcb = &whit_slots[i];
        if (tcb->state != TCB_RESPONSE || tcb->response.kind == KIND_ERROR ||
            (tcb->response.kind != KIND_GONE && tcb->response.resource != resource))
            continue;
        tcb->response.head_only |= tcb->response.kind != KIND_CONTENT;
        tcb->response.kind = KIND_GONE;
        table_ready(tcb);    // reset when it is next served: a handler is running, and its memory must not move
    }
}

// An entity tag that a request brought and that was compared already was compared with the old version.
static void forget_matches(struct whit_tcb *tcb, uint16_t resource)
{
    if (tcb->state == TCB_REQUEST && tcb->request.resource == resource)
        tcb->request.flags &= (uint16_t)~(FLAG_MATCHED | FLAG_KNOWN * ((1u << FLAG_KNOWN_BITS) - 1));
}

uint16_t stored_begin(uint8_t content)
{
    if (!WHIT_HAS_STORED || content >= whit_flash_u8(&whit_stored_cnt))
        return 0;
    const struct whit_stored *s = stored_content(content);
    struct stored_header h = {0};
    uint8_t bank = stored_current(s, &h) == 0;
    uint16_t version = h.version;
    writing.gone_len = stored_header_read(s, bank, &h) ? h.len : 0;
    drop_readers((uint16_t)(whit_flash_u16(&s->resource) + bank));
    uint16_t ticket = (uint16_t)(writing.last + 1);
    ticket = ticket == 0 ? 1 : ticket;
    writing.ticket = writing.last = ticket;
    writing.bank = stored_address(s, bank);
    writing.version = (uint16_t)(version + 1);
    writing.version = writing.version == 0 ? 1 : writing.version;
    writing.len = writing.hash = writing.sum = 0;
    writing.sum_cnt = 0;
    writing.content = content;
    return ticket;
}

// Writes the sums that are held back: the last sums of all chunks so far.
static bool flush(void)
{
    uint16_t chunks = (uint16_t)((writing.len + (WHIT_CHUNK - 1u)) / WHIT_CHUNK);
    uint16_t at = (uint16_t)(writing.bank + sizeof(struct stored_header) + 2u * (uint16_t)(chunks - writing.sum_cnt));
    uint16_t len = (uint16_t)(2u * writing.sum_cnt);
    writing.sum_cnt = 0;
    return len == 0 || whit_port_persistent_stage(at, writing.sums, len);
}

// A chunk ends here. False: the medium failed.
static bool hold_sum(void)
{
    writing.sums[writing.sum_cnt++] = writing.sum;
    return writing.sum_cnt != SUMS_HELD || flush();
}

// Appends octets to the write.
static bool add_octets(const uint8_t *octets, uint16_t len)
{
    while (len != 0) {
        uint16_t run = (uint16_t)(WHIT_CHUNK - (writing.len & (WHIT_CHUNK - 1)));
        if (run > len)
            run = len;
        writing.sum = checksum_octets(writing.sum, octets, run, writing.len & 1);
        for (uint16_t i = 0; i < run; i++)
            writing.hash = (uint16_t)((uint16_t)(writing.hash * 31u) + octets[i]);
        writing.len = (uint16_t)(writing.len + run);
        if ((writing.len & (WHIT_CHUNK - 1)) == 0 && !hold_sum())
            return false;
        octets += run;
        len = (uint16_t)(len - run);
    }
    return true;
}

bool stored_add(uint16_t ticket, const void *octets, uint16_t len)
{
    if (!WHIT_HAS_STORED || ticket == 0 || ticket != writing.ticket)
        return false;
    uint16_t size = size_of(),
             at = (uint16_t)(writing.bank + sizeof(struct stored_header) + stored_sums_len(size) + writing.len);
    if (len <= size - writing.len && (len == 0 || whit_port_persistent_stage(at, octets, len)) &&
        add_octets(octets, len))
        return true;
    writing.ticket = 0;    // stored_end() must fail without these octets
    return false;
}

bool stored_end(uint16_t ticket)
{
    if (!WHIT_HAS_STORED || ticket == 0 || ticket != writing.ticket)
        return false;
    const struct whit_stored *s = stored_content(writing.content);
    struct stored_header h = {.version = writing.version, .len = writing.len, .hash = writing.hash};
    h.check = stored_check(s, &h);
    writing.ticket = 0;
    if (((writing.len & (WHIT_CHUNK - 1)) != 0 && !hold_sum()) || !flush() ||
        !whit_port_persistent_write(writing.bank, &h, sizeof h))
        return false;
    for (uint16_t i = 0; i < WHIT_CONNECTIONS; i++)
        forget_matches(&whit_slots[i], whit_flash_u16(&s->resource));
    forget_matches(&whit.rx.pending, whit_flash_u16(&s->resource));
    return true;
}

uint16_t stored_len(uint8_t content)
{
    struct stored_header h;
    if (!WHIT_HAS_STORED || content >= whit_flash_u8(&whit_stored_cnt) ||
        stored_current(stored_content(content), &h) == STORED_BANKS)
        return 0;
    return h.len;
}

// ------------------------------------------------------------------------------------------------ records

// The seal of a record is a hash of its octets that begins with the seed of its layout. Memory that was never written,
// is damaged, or was written by another layout has another seal, except for one case in 65 536. The seal is written
// with the octets: a power cut leaves the old record or the new one.

#define WORD_LEN 2    // octets; a record is a number of words, and the first one is its seal

static uint16_t seal_add(uint16_t seal, uint16_t word)
{
    return (uint16_t)((uint16_t)(seal * 31u) + word);
}

// Returns the seal. It is never 0, the seal of memory that was never written.
static uint16_t seal_end(uint16_t seal)
{
    return seal | 1;
}

static uint16_t seal_of(const uint8_t *record, uint8_t len, uint16_t seed)
{
    uint16_t word;
    while ((len = (uint8_t)(len - WORD_LEN)) != 0) {
        memcpy(&word, record += WORD_LEN, WORD_LEN);
        seed = seal_add(seed, word);
    }
    return seal_end(seed);
}

bool record_load(uint16_t address, void *record, uint8_t len, uint16_t seed)
{
    return whit_port_persistent_read(address, record, len) && *(const uint16_t *)record == seal_of(record, len, seed);
}

// Returns whether a record was written whole. One that was never written is known by its first word.
bool record_is_whole(uint16_t address, uint8_t len, uint16_t seed)
{
    uint16_t seal = 0;
    for (uint8_t at = 0; at < len; at = (uint8_t)(at + WORD_LEN)) {
        uint16_t word;
        if (!whit_port_persistent_read((uint16_t)(address + at), &word, WORD_LEN))
            return false;
        if (at != 0)
            seed = seal_add(seed, word);
        else if ((seal = word) == 0)
            return false;
    }
    return seal_end(seed) == seal;
}

bool record_save(uint16_t address, void *record, uint8_t len, uint16_t seed)
{
    *(uint16_t *)record = seal_of(record, len, seed);
    return whit_port_persistent_write(address, record, len);
}
