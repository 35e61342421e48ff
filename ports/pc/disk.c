// SPDX-License-Identifier: MIT
// Persistent memory on a disk of an IDE controller (ATA/ATAPI-6, by its ports, without DMA), as flash_log.c requires
// it: two sectors of a flash part, held in memory, written through. A disk is used only if its first block begins with
// MARK, because any other disk may have data of its owner. A block is written whole or not at all, and one after
// another has reached the medium, so that flash_log.c's order holds.
#include <string.h>

#include "board.h"
#include "flash.h"
#include "io.h"
#include "pc.h"
#include "whit_limits.h"

#define MARK "Whit keeps its persistent memory on this disk.\n"
#define BLOCK_LEN 512u
#define BLOCKS_MAX 128u       // most blocks of a command
#define FIRST_BLOCK 1u        // after the mark's
#define ATTEMPTS 20000000u    // reads of a port: some seconds, in which a disk can start to turn

enum { DATA = 0, CNT = 2, BLOCK_LOW = 3, BLOCK_MIDDLE = 4, BLOCK_HIGH = 5, DRIVE = 6, STATUS = 7, COMMAND = 7 };
enum { READ = 0x20, WRITE = 0x30, FLUSH = 0xe7, IDENTIFY = 0xec };
enum { FAILED = 0x01, WANTS_DATA = 0x08, BROKEN = 0x20, BUSY = 0x80 };
#define BY_BLOCK 0xe0u
#define NO_CHANNEL 0xffu

static uint8_t drive;    // 0 or 1
static const char *name = "";
static uint32_t sectors[WHIT_PERSISTENT_SIZE > 0 ? FLASH_SECTOR_CNT : 1]
                       [WHIT_PERSISTENT_SIZE > 0 ? FLASH_SECTOR_LEN / 4 : 1];

const char *disk_name(void)
{
    return name;
}

// Waits until the disk has executed its command, and asks for octets if it should.
static bool finish(uint8_t wanted)
{
    for (uint32_t i = 0; i < ATTEMPTS; i++) {
        uint8_t status = in_8(ATA + STATUS);
        if (status == NO_CHANNEL || status == 0)
            return false;
        if ((status & BUSY) == 0 && (status & (FAILED | BROKEN)) != 0)
            return false;
        if ((status & BUSY) == 0 && (status & wanted) == wanted)
            return true;
    }
    return false;
}

static void begin(uint8_t command, uint32_t block, uint32_t cnt)
{
    out_8(ATA + DRIVE, (uint8_t)(BY_BLOCK | drive << 4 | block >> 24));
    for (uint8_t i = 0; i < 4; i++)    // 400 ns, in which the drive takes over the lines
        in_8(ATA_CONTROL);
    out_8(ATA + CNT, (uint8_t)cnt);
    out_8(ATA + BLOCK_LOW, (uint8_t)block);
    out_8(ATA + BLOCK_MIDDLE, (uint8_t)(block >> 8));
    out_8(ATA + BLOCK_HIGH, (uint8_t)(block >> 16));
    out_8(ATA + COMMAND, command);
    for (uint8_t i = 0; i < 4; i++)
        in_8(ATA_CONTROL);
}

static bool read_blocks(uint8_t command, uint32_t block, uint32_t cnt, void *to)
{
    uint8_t *at = to;
    begin(command, block, cnt);
    for (uint32_t i = 0; i < cnt; i++, at += BLOCK_LEN) {
        if (!finish(WANTS_DATA))
            return false;
        void *into = at;
        uint32_t words = BLOCK_LEN / 2;
        __asm__ volatile("rep insw" : "+D"(into), "+c"(words) : "d"(ATA + DATA) : "memory");
    }
    return true;
}

static bool write_blocks(uint32_t block, uint32_t cnt, const void *from)
{
    const uint8_t *at = from;
    begin(WRITE, block, cnt);
    for (uint32_t i = 0; i < cnt; i++, at += BLOCK_LEN) {
        if (!finish(WANTS_DATA))
            return false;
        const void *out = at;
        uint32_t words = BLOCK_LEN / 2;
        __asm__ volatile("rep outsw" : "+S"(out), "+c"(words) : "d"(ATA + DATA) : "memory");
    }
    if (!finish(0))
        return false;
    begin(FLUSH, 0, 0);
    return finish(0);
}

// Drives without a medium, or of CDs, refuse the command.
static bool is_ours(void)
{
    uint16_t *block = (uint16_t *)sectors[0];    // memory that is still unused
    if (in_8(ATA + STATUS) == NO_CHANNEL || !read_blocks(IDENTIFY, 0, 1, block))
        return false;
    uint32_t blocks = (uint32_t)block[61] << 16 | block[60];
    return blocks >= FIRST_BLOCK + FLASH_SECTOR_CNT * FLASH_SECTOR_LEN / BLOCK_LEN && read_blocks(READ, 0, 1, block) &&
           memcmp(block, MARK, sizeof MARK - 1) == 0;
}

static uint32_t block_of(uint8_t sector, uint32_t at)
{
    return FIRST_BLOCK + (sector * FLASH_SECTOR_LEN + at) / BLOCK_LEN;
}

static bool load(uint8_t sector)
{
    uint8_t *to = (uint8_t *)sectors[sector];
    for (uint32_t at = 0; at < FLASH_SECTOR_LEN; at += BLOCKS_MAX * BLOCK_LEN)
        if (!read_blocks(READ, block_of(sector, at), BLOCKS_MAX, to + at))
            return false;
    return true;
}

// True also without a disk.
bool flash_open(void)
{
    static const char *const names[] = {"ATA disk 0", "ATA disk 1"};
    for (drive = 0; drive < 2; drive++)
        if (is_ours() && load(0) && load(1)) {
            name = names[drive];
            return true;
        }
    memset(sectors, 0xff, sizeof sectors);
    return true;
}

const uint32_t *flash_sector(uint8_t sector)
{
    return sectors[sector];
}

bool flash_erase(uint8_t sector)
{
    memset(sectors[sector], 0xff, FLASH_SECTOR_LEN);
    for (uint32_t at = 0; *name != '\0' && at < FLASH_SECTOR_LEN; at += BLOCKS_MAX * BLOCK_LEN)
        if (!write_blocks(block_of(sector, at), BLOCKS_MAX, (const uint8_t *)sectors[sector] + at))
            return false;
    return true;
}

bool flash_program(uint8_t sector, uint32_t at, const void *octets, uint16_t len)
{
    uint8_t *to = (uint8_t *)sectors[sector];
    memcpy(to + at, octets, len);
    uint32_t first = at / BLOCK_LEN * BLOCK_LEN, end = at + len;
    for (; *name != '\0' && first < end; first += BLOCK_LEN)
        if (!write_blocks(block_of(sector, first), 1, to + first))
            return false;
    return true;
}
