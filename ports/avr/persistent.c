// SPDX-License-Identifier: MIT
// Persistent memory in EEPROM. A write goes to a journal first; then one octet, the state of the journal's record,
// makes it effective. After that it is copied to its place, one octet at a time while the processor is idle, and the
// record is freed. If there is an effective record at the start, its copying begins again. Until an octet is copied it
// is read from the journal.
//
// Records and their octets are used in turn, and an octet that already has its value is not written, so that no part
// wears much faster than the memory itself.
#include <avr/io.h>
#include <stddef.h>
#include <util/crc16.h>

#include "port.h"
#include "whit/port.h"

#define RECORD_CNT 8
#define COUNTS 0x5a    // state of an effective record; an interrupted erase or write leaves another value

// A record as it lies in the EEPROM.
struct record {
    uint16_t address, len;    // destination of the write
    uint16_t at;              // place of its octets in the journal
    uint16_t crc;             // CRC of the three numbers and of the octets
    uint8_t state;
};

#define RECORDS_AT WHIT_PERSISTENT_SIZE
#define JOURNAL_AT (RECORDS_AT + RECORD_CNT * (uint16_t)sizeof(struct record))
#define STATE_AT(index) \
    (RECORDS_AT + (index) * (uint16_t)sizeof(struct record) + (uint16_t)offsetof(struct record, state))
_Static_assert(WHIT_PERSISTENT_SIZE == 0 || JOURNAL_AT + 64 <= SEED_AT,
               "persistent.size: no room for a journal; expected less");

static struct {
    uint16_t address, len;    // the write that is being copied; len 0: none
    uint16_t at;              // offset of its octets; without octets, of the next ones
    uint16_t copied;
    uint8_t index;    // its record's index; without one, the last record's
} pending;

static uint16_t get16(uint16_t address)
{
    return (uint16_t)(eeprom_octet(address) | (uint16_t)eeprom_octet((uint16_t)(address + 1)) << 8);
}

static void put16(uint16_t address, uint16_t number)
{
    eeprom_write(address, (uint8_t)number);
    eeprom_write((uint16_t)(address + 1), (uint8_t)(number >> 8));
}

static uint16_t crc16(uint16_t crc, uint16_t number)
{
    return _crc_xmodem_update(_crc_xmodem_update(crc, (uint8_t)number), (uint8_t)(number >> 8));
}

static uint16_t pending_crc(void)
{
    uint16_t crc = crc16(crc16(crc16(0, pending.address), pending.len), pending.at);
    for (uint16_t i = 0; i < pending.len; i++)
        crc = _crc_xmodem_update(crc, eeprom_octet((uint16_t)(pending.at + i)));
    return crc;
}

static bool in_range(uint16_t address, uint16_t len)
{
    return (uint32_t)address + len <= WHIT_PERSISTENT_SIZE;
}

static uint8_t current(uint16_t address)
{
    uint16_t offset = (uint16_t)(address - pending.address);
    return eeprom_octet(offset < pending.len ? (uint16_t)(pending.at + offset) : address);
}

bool persistent_step(void)
{
    if (pending.len == 0)
        return false;
    if (eeprom_busy())
        return true;
    while (pending.copied < pending.len && !eeprom_busy()) {
        eeprom_write((uint16_t)(pending.address + pending.copied),
                     eeprom_octet((uint16_t)(pending.at + pending.copied)));
        pending.copied++;
    }
    if (!eeprom_busy()) {
        eeprom_write(STATE_AT(pending.index), 0);
        pending.at = (uint16_t)(pending.at + pending.len);
        pending.len = 0;
    }
    return true;
}

static void finish(void)
{
    while (persistent_step()) {
    }
}

void persistent_init(void)
{
    if (WHIT_PERSISTENT_SIZE == 0)
        return;
    pending.at = JOURNAL_AT;
    for (uint8_t i = 0; i < RECORD_CNT; i++) {
        uint16_t record = (uint16_t)(RECORDS_AT + i * sizeof(struct record));
        uint8_t state = eeprom_octet(STATE_AT(i));
        if (state == 0)
            continue;
        pending.address = get16(record);
        pending.len = get16((uint16_t)(record + offsetof(struct record, len)));
        pending.at = get16((uint16_t)(record + offsetof(struct record, at)));
        pending.copied = 0;
        pending.index = i;
        if (state == COUNTS && in_range(pending.address, pending.len) && pending.at >= JOURNAL_AT &&
            pending.at <= SEED_AT - pending.len &&
            pending_crc() == get16((uint16_t)(record + offsetof(struct record, crc))))
            return;    // there is one at most
        eeprom_write(STATE_AT(i), 0);
        pending.at = JOURNAL_AT;
        pending.len = 0;
    }
}

const uint8_t *whit_port_persistent_at(uint16_t address)
{
    return (const uint8_t *)(uintptr_t)address;
}

bool whit_port_persistent_read(uint16_t address, void *to, uint16_t len)
{
    uint8_t *octets = to;
    if (!in_range(address, len))
        return false;
    if (pending.len == 0) {
        eeprom_read(address, octets, len);
        return true;
    }
    while (len-- != 0)
        *octets++ = current(address++);
    return true;
}

// Writes only the octets between the first and the last that change.
bool whit_port_persistent_write(uint16_t address, const void *from, uint16_t len)
{
    const uint8_t *octets = from;
    if (!in_range(address, len))
        return false;
    finish();
    for (; len != 0 && eeprom_octet(address) == *octets; len--, octets++)
        address++;
    while (len != 0 && eeprom_octet((uint16_t)(address + len - 1)) == octets[len - 1])
        len--;
    if (len == 0)
        return true;
    if (len > SEED_AT - JOURNAL_AT)
        return false;
    uint16_t at = pending.at <= SEED_AT - len ? pending.at : JOURNAL_AT;
    for (uint16_t i = 0; i < len; i++)
        eeprom_write((uint16_t)(at + i), octets[i]);

    uint8_t index = (uint8_t)((pending.index + 1) % RECORD_CNT);
    uint16_t record = (uint16_t)(RECORDS_AT + index * sizeof(struct record));
    pending.index = index;
    pending.address = address;
    pending.len = len;
    pending.at = at;
    pending.copied = 0;
    put16(record, address);
    put16((uint16_t)(record + offsetof(struct record, len)), len);
    put16((uint16_t)(record + offsetof(struct record, at)), at);
    put16((uint16_t)(record + offsetof(struct record, crc)), pending_crc());
    eeprom_write(STATE_AT(index), COUNTS);
    (void)eeprom_octet(STATE_AT(index));    // reading waits until the write is done
    return true;
}

// Each write takes effect at once.
bool whit_port_persistent_stage(uint16_t address, const void *from, uint16_t len)
{
    return whit_port_persistent_write(address, from, len);
}
