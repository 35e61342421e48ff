// SPDX-License-Identifier: MIT
// A Game Boy Advance, run by libmgba without picture and sound. Its link port is a UART (SIOCNT, SIODATA8), which
// libmgba does not have. Reads and writes of these two addresses are handled here: a mailbox of an octet each way. The
// port's FIFO of four follows it, on a line with the rate of SIOCNT.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mgba/core/config.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/core/timing.h>
#include <mgba/gba/core.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gba/gba.h>
#include <mgba-util/vfs.h>

#include "machine.h"

#define HZ UINT32_C(16777216)
#define SIOCNT 0x04000128
#define SIODATA8 0x0400012a
#define NOTHING_THERE 0x0400015c    // a write to it does nothing, and takes the time of one to a register
#define SEND_FULL 0x0010
#define RECEIVE_EMPTY 0x0020
#define FIFO 0x0100
#define RECEIVE 0x0800
#define MODE 0x3000    // all of it: UART
#define IRQ 0x4000
#define BITS 10    // bits of an octet on the line, 8N1
#define SAVE_LEN 0x8000
#define SEED_LEN 16    // random octets at the end of save memory
#define WATCHES 16
#define SENT_MAX 65536

static struct mCore *core;
static struct GBA *gba;
static struct ARMCore *cpu;
static struct ARMMemory real;    // libmgba's own accesses to memory
static uint64_t base;            // cycles before the last reset
static uint64_t chance = 1;      // RAM after power-on is random
static uint64_t slept;

static uint16_t siocnt;
static struct sent {
    uint64_t cycle;    // cycle at which its last bit was sent
    uint8_t octet;
} sent[SENT_MAX];    // a ring: octets that the machine sent and that were not taken yet
static uint32_t sent_first, sent_cnt;
static uint64_t sent_end;    // cycle at which the last of them was sent
static uint8_t received[4], received_cnt;
static uint8_t coming;    // the octet on the line towards the machine
static bool is_coming;
static struct mTimingEvent arrival, stop;

static struct {
    uint32_t address;
    uint64_t cycle;
} watches[WATCHES];
static uint8_t watch_cnt;
static uint32_t cut_in;    // writes of save memory until power fails; 0: it does not
static bool is_cut;

static void say(struct mLogger *logger, int category, enum mLogLevel level, const char *format, va_list arguments)
{
    (void)logger;
    // output of the program to the registers of mGBA's debug console
    if (strcmp(mLogCategoryName(category), "GBA Debug") == 0) {
        char text[257];
        vsnprintf(text, sizeof text, format, arguments);
        for (const char *at = text; *at != 0; at++)
            machine_says((uint8_t)*at);
        machine_says('\n');
        return;
    }
    if ((level & (mLOG_FATAL | mLOG_ERROR)) == 0)
        return;
    fprintf(stderr, "libmgba: %s: ", mLogCategoryName(category));
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

// ------------------------------------------------------------------------------------------------ the link port

uint32_t machine_octet_cycles(void)
{
    static const uint32_t bauds[] = {9600, 38400, 57600, 115200};
    return HZ * BITS / bauds[siocnt & 3];
}

static uint8_t depth(void)
{
    return siocnt & FIFO ? 4 : 1;
}

static bool is_uart(void)
{
    return (siocnt & MODE) == MODE;
}

static bool is_full(void)
{
    uint64_t now = machine_cycle();
    // and one in the shift register
    return sent_end > now && (sent_end - now + machine_octet_cycles() - 1) / machine_octet_cycles() > depth();
}

static void leave(uint8_t octet)
{
    if (!is_uart() || is_full() || sent_cnt == SENT_MAX)
        return;
    uint64_t now = machine_cycle();
    sent_end = (sent_end > now ? sent_end : now) + machine_octet_cycles();
    sent[(sent_first + sent_cnt++) % SENT_MAX] = (struct sent){sent_end, octet};
}

static uint8_t take(void)
{
    uint8_t octet = received[0];
    if (received_cnt != 0)
        memmove(received, received + 1, --received_cnt);
    return octet;
}

static void arrive(struct mTiming *timing, void *context, uint32_t late)
{
    (void)timing;
    (void)context;
    is_coming = false;
    if (received_cnt < depth())
        received[received_cnt++] = coming;
    if (siocnt & IRQ)
        GBARaiseIRQ(gba, GBA_IRQ_SIO, late);
}

static uint32_t load16(struct ARMCore *core_cpu, uint32_t address, int *cycles)
{
    uint32_t value = real.load16(core_cpu, address, cycles);
    if (address != SIOCNT)
        return value;
    return (siocnt & ~(SEND_FULL | RECEIVE_EMPTY)) | (is_full() ? SEND_FULL : 0) |
           (received_cnt == 0 ? RECEIVE_EMPTY : 0);
}

static uint32_t load8(struct ARMCore *core_cpu, uint32_t address, int *cycles)
{
    uint32_t value = real.load8(core_cpu, address, cycles);
    return address == SIODATA8 ? take() : value;
}

static void store16(struct ARMCore *core_cpu, uint32_t address, int16_t value, int *cycles)
{
    if (address == SIOCNT)
        siocnt = (uint16_t)value;
    real.store16(core_cpu, address == SIOCNT ? NOTHING_THERE : address, value, cycles);
}

// Save memory keeps the upper half of its old value if power fails during a write.
static int8_t half_written(uint32_t address, int8_t value)
{
    return (int8_t)((gba->memory.savedata.data[address % SAVE_LEN] & 0xf0) | (value & 0x0f));
}

static void store8(struct ARMCore *core_cpu, uint32_t address, int8_t value, int *cycles)
{
    if (address == SIODATA8) {
        leave((uint8_t)value);
        address = NOTHING_THERE;
    } else if (address >> 24 == REGION_CART_SRAM) {
        if (is_cut)
            return;
        if (cut_in != 0 && --cut_in == 0) {
            is_cut = true;
            value = half_written(address, value);
        }
    }
    real.store8(core_cpu, address, value, cycles);
}

bool machine_may_send(void)
{
    return !is_coming && is_uart() && (siocnt & RECEIVE) != 0 && received_cnt < depth();
}

void machine_send(uint8_t octet)
{
    coming = octet;
    is_coming = true;
    mTimingSchedule(&gba->timing, &arrival, (int32_t)machine_octet_cycles());
}

static bool has_left(void)
{
    return sent_cnt != 0 && sent[sent_first].cycle <= machine_cycle();
}

bool machine_receive(uint8_t *octet, uint64_t *cycle)
{
    if (!has_left())
        return false;
    *octet = sent[sent_first].octet;
    *cycle = sent[sent_first].cycle;
    sent_first = (sent_first + 1) % SENT_MAX;
    sent_cnt--;
    return true;
}

// ------------------------------------------------------------------------------------------------ the machine

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return false;
}

// Makes a new cartridge: nothing written, and a unique seed (ports/gba/entropy.c).
static bool make_save(const char *path)
{
    uint8_t octets[SAVE_LEN];
    memset(octets, 0xff, sizeof octets);
    if (getrandom(octets + SAVE_LEN - SEED_LEN, SEED_LEN, 0) != SEED_LEN)
        return complain("getrandom", "no entropy");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return complain(path, "cannot be written; name another file for save memory");
    bool done = write(fd, octets, sizeof octets) == (ssize_t)sizeof octets;
    return (close(fd) == 0 && done) || complain(path, "cannot be written; is the disk full?");
}

static bool open_save(const char *path)
{
    static char unnamed[] = "/tmp/whit-gba-XXXXXX";
    bool kept = path != NULL;
    if (!kept) {
        int fd = mkstemp(unnamed);
        if (fd < 0)
            return complain(unnamed, "cannot be written");
        close(fd);
        unlink(unnamed);
        path = unnamed;
    }
    struct stat there;
    if (stat(path, &there) != 0 && !make_save(path))
        return false;
    struct VFile *file = VFileOpen(path, O_RDWR);
    if (file == NULL || file->size(file) != SAVE_LEN || !core->loadSave(core, file))
        return complain(path, "expected a file of 32768 octets that can be written: a cartridge's save memory");
    if (!kept)
        unlink(unnamed);
    return true;
}

static void stop_here(struct mTiming *timing, void *context, uint32_t late)
{
    (void)timing;
    (void)context;
    (void)late;
}

bool machine_open(const char *image, uint32_t hz, const char *persistent)
{
    static struct mLogger logger = {.log = say};
    if (hz != 0 && hz != HZ)
        return complain(image, "this console's clock is 16777216 Hz");
    mLogSetDefaultLogger(&logger);
    core = GBACoreCreate();
    if (core == NULL || !core->init(core))
        return complain("libmgba", "cannot be used");
    mCoreInitConfig(core, NULL);
    mCoreConfigSetDefaultValue(&core->config, "idleOptimization", "ignore");
    core->opts.skipBios = true;
    core->loadConfig(core, &core->config);
    struct VFile *rom = VFileOpen(image, O_RDONLY);
    if (rom == NULL || !core->loadROM(core, rom))
        return complain(image, "expected a cartridge's ROM (.gba)");
    gba = core->board;
    cpu = core->cpu;
    if (!open_save(persistent))
        return false;
    arrival = (struct mTimingEvent){.callback = arrive, .name = "octet", .priority = 0x20};
    stop = (struct mTimingEvent){.callback = stop_here, .name = "stop", .priority = 0xff};
    real = cpu->memory;
    machine_reset();
    return true;
}

void machine_seed(uint64_t seed)
{
    chance = seed;
}

static void fill_by_chance(uint32_t *words, size_t len)
{
    for (size_t i = 0; i < len / sizeof *words; i++) {
        chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        words[i] = (uint32_t)(chance >> 32);
    }
}

void machine_close(void)
{
    core->deinit(core);
    mLogSetDefaultLogger(NULL);    // ours goes with this library
}

void machine_reset(void)
{
    base = core->timing->masterCycles == 0 ? 0 : machine_cycle();
    mTimingDeschedule(&gba->timing, &arrival);
    mTimingDeschedule(&gba->timing, &stop);
    core->reset(core);
    GBASavedataForceType(&gba->memory.savedata, SAVEDATA_SRAM);
    fill_by_chance(gba->memory.iwram, SIZE_WORKING_IRAM);
    fill_by_chance(gba->memory.wram, SIZE_WORKING_RAM);
    cpu->memory.load16 = load16;
    cpu->memory.load8 = load8;
    cpu->memory.store16 = store16;
    cpu->memory.store8 = store8;
    siocnt = 0;
    sent_first = sent_cnt = received_cnt = 0;
    sent_end = 0;
    is_coming = false;
    is_cut = false;
    cut_in = 0;
    for (uint8_t i = 0; i < watch_cnt; i++)
        watches[i].cycle = 0;
}

uint32_t machine_hz(void)
{
    return HZ;
}

uint64_t machine_cycle(void)
{
    return base + mTimingGlobalTime(&gba->timing);
}

uint64_t machine_slept(void)
{
    return slept;
}

// One instruction, or, while the processor halts, up to the next event of the machine.
static void step(void)
{
    if (!cpu->halted) {
        ARMRun(cpu);
        return;
    }
    uint64_t since = machine_cycle();
    if (cpu->cycles < cpu->nextEvent)
        cpu->cycles = cpu->nextEvent;
    gba->earlyExit = true;
    cpu->irqh.processEvents(cpu);
    slept += machine_cycle() - since;
    if (cpu->halted && received_cnt != 0 && (siocnt & IRQ) != 0)
        GBARaiseIRQ(gba, GBA_IRQ_SIO, 0);
}

static void look(void)
{
    uint32_t address =
        (uint32_t)cpu->gprs[ARM_PC] - (cpu->executionMode == MODE_THUMB ? WORD_SIZE_THUMB : WORD_SIZE_ARM);
    for (uint8_t i = 0; i < watch_cnt; i++)
        if (watches[i].address == address)
            watches[i].cycle = machine_cycle();
}

void machine_run(uint64_t until, bool stop_at_octet)
{
    uint64_t now;
    if (until > machine_cycle() && until - machine_cycle() < INT32_MAX) {
        mTimingDeschedule(&gba->timing, &stop);
        mTimingSchedule(&gba->timing, &stop, (int32_t)(until - machine_cycle()));    // ends a halt's jump over time
    }
    while ((now = machine_cycle()) < until && !is_cut && !(stop_at_octet && has_left())) {
        if (watch_cnt != 0)
            look();
        step();
    }
    if (!cpu->halted && cpu->cycles >= cpu->nextEvent) {    // events are due: above all a received octet
        gba->earlyExit = true;
        cpu->irqh.processEvents(cpu);
    }
}

uint8_t machine_peek(uint32_t address)
{
    return (uint8_t)core->rawRead8(core, address, -1);
}

void machine_poke(uint32_t address, uint8_t octet)
{
    core->rawWrite8(core, address, -1, octet);
}

bool machine_watch(uint8_t number, uint32_t address)
{
    if (number >= WATCHES)
        return false;
    if (number >= watch_cnt)
        watch_cnt = (uint8_t)(number + 1);
    watches[number].address = address & ~UINT32_C(1);    // a function in Thumb state is known by an odd one
    watches[number].cycle = 0;
    return true;
}

uint64_t machine_watched(uint8_t number)
{
    return watches[number].cycle;
}

void machine_press(uint16_t buttons)
{
    core->setKeys(core, buttons);
}

bool machine_cut(uint32_t writes)
{
    cut_in = writes;
    return true;
}

bool machine_is_cut(void)
{
    return is_cut;
}
