// SPDX-License-Identifier: MIT
// Persistent memory as a log in two sectors of NOR flash. A write appends a record; a read starts with zeros and
// applies the records, oldest first. When a sector is full, the log moves to the other one. The other one is erased,
// gets one record of the whole array, and then the two words that make it the log. So a sector is erased once for as
// many octets as it holds. Between two erases each of its words is programmed once.
//
//   sector   generation, its complement, records, erased words
//   record   address and length << 16, its complement, octets up to a word's end, a word that commits it by being 0
//
// Power may fail during any operation. An interrupted programming leaves some bits set, so that a word and its
// complement do not match and a 0 is not complete. A record that is not committed is ignored; after a record of
// uncertain length nothing is appended. A corrupt generation looks like a newer one with a probability of at most
// 2^-33.
#include "flash.h"

#include <string.h>

#include "whit/port.h"
#include "whit_limits.h"

#define SIZE WHIT_PERSISTENT_SIZE
#define BEGIN 8u      // offset of the records
#define AROUND 12u    // octets of a record beside its data
#define ERASED UINT32_C(0xffffffff)
#define PIECE 32    // octets that are copied at a time
// After this many octets of records the whole array is written again, even if there is room, because a read walks all
// records.
#define SCAN_MAX (2u * SIZE + 1024u)

#if SIZE > 0
_Static_assert(
    FLASH_SECTOR_LEN % 4 == 0 && FLASH_SECTOR_LEN >= 2 * (SIZE + AROUND + 4) + BEGIN,
    "FLASH_SECTOR_LEN in machine.h: expected twice the octets of [persistent] and [stored] of app.toml, and 40");
#endif

static struct {
    uint32_t base;    // the oldest record that counts
    uint32_t end;     // after the newest one
    uint8_t sector;
    bool full;    // nothing can be appended
} newest;

static uint32_t word_at(uint32_t at)
{
    return flash_sector(newest.sector)[at / 4];
}

static uint32_t padded(uint32_t len)
{
    return (len + 3u) & ~UINT32_C(3);
}

static uint32_t record_address(uint32_t at)
{
    return word_at(at) & 0xffff;
}

static uint32_t record_data_len(uint32_t at)
{
    return word_at(at) >> 16;
}

static uint32_t record_len(uint32_t at)
{
    return AROUND + padded(record_data_len(at));
}

static bool record_committed(uint32_t at)
{
    return word_at(at + record_len(at) - 4) == 0;
}

// Its length can be trusted.
static bool record_sound(uint32_t at)
{
    return word_at(at + 4) == ~word_at(at) && record_len(at) <= FLASH_SECTOR_LEN - at;
}

static bool record_of_all(uint32_t at)
{
    uint32_t size = SIZE;
    return record_address(at) == 0 && record_data_len(at) >= size;
}

// While a sector is being erased a word may be 0 and its neighbour erased.
static bool is_log(uint8_t sector)
{
    uint32_t generation = flash_sector(sector)[0];
    return flash_sector(sector)[1] == ~generation && generation != 0 && generation != ERASED;
}

void flash_log_open(void)
{
    bool first = is_log(0), second = is_log(1);
    uint32_t ahead = flash_sector(1)[0] - flash_sector(0)[0];
    newest.sector = !first || (second && ahead != 0 && ahead < UINT32_C(0x80000000));
    newest.base = newest.end = BEGIN;
    newest.full = !is_log(newest.sector);
    if (newest.full)
        return;
    while (newest.end <= FLASH_SECTOR_LEN - AROUND && record_sound(newest.end)) {
        if (record_committed(newest.end) && record_of_all(newest.end))
            newest.base = newest.end;
        newest.end += record_len(newest.end);
    }
    newest.full =
        newest.end > FLASH_SECTOR_LEN - AROUND || word_at(newest.end) != ERASED || word_at(newest.end + 4) != ERASED;
}

// The octets of a record that lie in [address, address + len) go to their places.
static void overlay(uint32_t at, uint16_t address, uint8_t *to, uint16_t len)
{
    uint32_t begin = record_address(at), end = begin + record_data_len(at);
    uint32_t from = begin > address ? begin : address,
             until = end < (uint32_t)address + len ? end : (uint32_t)address + len;
    if (from < until)
        memcpy(to + (from - address), (const uint8_t *)flash_sector(newest.sector) + at + 8 + (from - begin),
               until - from);
}

static bool in_range(uint16_t address, uint16_t len)
{
    return (uint32_t)address + len <= SIZE;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    if (!in_range(address, len))
        return false;
    memset(to, 0, len);
    for (uint32_t at = newest.base; at < newest.end; at += record_len(at))
        if (record_committed(at))
            overlay(at, address, to, len);
    return true;
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return (const uint8_t *)(uintptr_t)address;
}

// A word and its complement.
static bool program_pair(uint8_t sector, uint32_t at, uint32_t word)
{
    return flash_program(sector, at, (const uint32_t[]){word, ~word}, 8);
}

static bool commit(uint8_t sector, uint32_t at)
{
    return flash_program(sector, at, &(const uint32_t){0}, 4);
}

// A record of the whole array as it is now.
static bool program_all(uint8_t sector, uint32_t at)
{
    uint8_t piece[PIECE];
    if (!program_pair(sector, at, (uint32_t)SIZE << 16))
        return false;
    for (uint32_t done = 0, size = SIZE; done < size; done += PIECE) {
        uint16_t len = (uint16_t)(size - done < PIECE ? size - done : PIECE);
        whit_port_persistent_read((uint16_t)done, piece, len);
        if (!flash_program(sector, at + 8 + done, piece, len))
            return false;
    }
    return commit(sector, at + 8 + padded(SIZE));
}

// Makes the other sector the log.
static bool move(void)
{
    uint8_t sector = !newest.sector;
    uint32_t generation = is_log(newest.sector) ? flash_sector(newest.sector)[0] + 1 : 1, end = BEGIN;
    if (!flash_erase(sector))
        return false;
    if (newest.end > newest.base) {
        if (!program_all(sector, end))
            return false;
        end += AROUND + padded(SIZE);
    }
    if (!program_pair(sector, 0, generation))
        return false;
    newest.base = BEGIN;
    newest.end = end;
    newest.sector = sector;
    newest.full = false;
    return true;
}

static uint32_t room(void)
{
    return newest.full ? 0 : FLASH_SECTOR_LEN - newest.end;
}

// Makes room for a record of `need` octets, and keeps reading short.
static bool prepare(uint32_t need)
{
    uint32_t all = AROUND + padded(SIZE);
    if (room() < need)
        return move();
    if (newest.end - newest.base <= SCAN_MAX + all || room() < all + need)
        return true;
    newest.full = true;    // unless it succeeds
    if (!program_all(newest.sector, newest.end))
        return false;
    newest.full = false;
    newest.base = newest.end;
    newest.end += all;
    return true;
}

static bool is_there(uint16_t address, const uint8_t *from, uint16_t len)
{
    uint8_t piece[PIECE];
    for (uint16_t done = 0, part; done < len; done = (uint16_t)(done + part)) {
        part = (uint16_t)(len - done < PIECE ? len - done : PIECE);
        whit_port_persistent_read((uint16_t)(address + done), piece, part);
        if (memcmp(piece, from + done, part) != 0)
            return false;
    }
    return true;
}

bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    uint32_t need = AROUND + padded(len);
    if (!in_range(address, len))
        return false;
    if (is_there(address, from, len))    // nothing is worn
        return true;
    if (!prepare(need))
        return false;
    uint32_t at = newest.end;
    newest.full = true;    // unless it succeeds
    if (!program_pair(newest.sector, at, address | (uint32_t)len << 16) ||
        !flash_program(newest.sector, at + 8, from, len) || !commit(newest.sector, at + 8 + padded(len)))
        return false;
    newest.full = false;
    newest.end += need;
    if (record_of_all(at))
        newest.base = at;
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
