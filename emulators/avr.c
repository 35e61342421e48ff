// SPDX-License-Identifier: MIT
// An ATmega1284P, run by libsimavr. Its UART and the control of its EEPROM are here, because the timing of libsimavr's
// is not exact. An octet takes ten bits on the line, and the receiver has the two octets of the chip. The EEPROM
// programs for the time of the data sheet. RTS is PD4; low: the machine takes octets.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <avr_eeprom.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>

#include "machine.h"

#define HZ_USUAL 16000000
#define EEPROM_LEN 4096
#define BITS 10       // bits of an octet on the line, 8N1
#define BUFFERED 3    // octets that the receiver has room for: two, and its shift register
#define WATCHES 16
#define SENT_MAX 65536
#define DDRD 0x2a
#define PORTD 0x2b
#define RTS 0x10
#define ERASE_ONLY 1    // EEPM: of EECR, above EERIE
#define WRITE_ONLY 2
#define RAM_BEGIN 0x100
#define STATE_STOPPED(state) ((state) == cpu_Done || (state) == cpu_Crashed)

static avr_t *avr;
static avr_uart_t *uart, *console;
static avr_eeprom_t *eeprom;
static int persistent = -1;    // descriptor of the EEPROM's file, -1: none
static uint64_t base;          // cycles before the last reset
static uint64_t slept;

static uint8_t buffered[BUFFERED], buffered_cnt;
static uint8_t coming;    // the octet on the line towards the machine
static bool is_coming;
static uint64_t line_free;    // cycle at which the transmitter's shift register is empty
static uint8_t waiting;       // the octet in the transmitter's buffer
static bool is_waiting;
static struct sent {
    uint64_t cycle;    // cycle at which its last bit was sent
    uint8_t octet;
} sent[SENT_MAX];    // a ring: octets that the machine sent and that were not taken yet
static uint32_t sent_first, sent_cnt;

static uint64_t unlocked_until;    // EEMPE was set less than four cycles ago
static uint32_t cut_in;            // writes of the EEPROM until power fails; 0: it does not
static bool is_cut;
static uint64_t random_state;

static struct {
    uint32_t address;
    uint64_t cycle;
} watches[WATCHES];
static uint8_t watch_cnt;

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return false;
}

static void say(avr_t *machine, const int level, const char *format, va_list arguments)
{
    (void)machine;
    if (level == LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

// xorshift64*: random choices of a chip.
static uint8_t chance(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint8_t)(random_state * UINT64_C(2685821657736338717) >> 56);
}

// ------------------------------------------------------------------------------------------------ UART

uint32_t machine_octet_cycles(void)
{
    uint32_t ubrr = avr->data[uart->ubrrl.reg] | (uint32_t)(avr->data[uart->ubrrh.reg] & 15) << 8;
    return (ubrr + 1) * (avr_regbit_get(avr, uart->u2x) ? 8 : 16) * BITS;
}

static avr_cycle_count_t arrive(avr_t *machine, avr_cycle_count_t when, void *context)
{
    (void)machine, (void)when, (void)context;
    is_coming = false;
    if (!avr_regbit_get(avr, uart->rxen) || buffered_cnt == BUFFERED)
        return 0;    // an overrun
    buffered[buffered_cnt++] = coming;
    avr_raise_interrupt(avr, &uart->rxc);
    return 0;
}

static uint8_t read_udr(avr_t *machine, avr_io_addr_t address, void *context)
{
    (void)machine, (void)context;
    uint8_t octet = buffered[0];
    avr_clear_interrupt(avr, &uart->rxc);
    if (buffered_cnt != 0 && --buffered_cnt != 0) {
        memmove(buffered, buffered + 1, buffered_cnt);
        avr_raise_interrupt(avr, &uart->rxc);
    }
    avr->data[address] = octet;
    return octet;
}

static void transmit(uint8_t octet)
{
    line_free = avr->cycle + machine_octet_cycles();
    if (sent_cnt < SENT_MAX)
        sent[(sent_first + sent_cnt++) % SENT_MAX] = (struct sent){base + line_free, octet};
}

// The transmitter's buffer is empty: UDRE is set, and interrupts as long as it is.
static void tell_empty(void)
{
    avr_raise_interrupt(avr, &uart->udrc);
}

static avr_cycle_count_t shifted(avr_t *machine, avr_cycle_count_t when, void *context)
{
    (void)machine, (void)when, (void)context;
    is_waiting = false;
    transmit(waiting);
    tell_empty();
    return 0;
}

static void write_udr(avr_t *machine, avr_io_addr_t address, uint8_t octet, void *context)
{
    (void)machine, (void)address, (void)context;
    if (!avr_regbit_get(avr, uart->txen) || is_waiting)
        return;
    if (line_free <= avr->cycle) {
        transmit(octet);
        tell_empty();
        return;
    }
    waiting = octet;
    is_waiting = true;
    avr_clear_interrupt(avr, &uart->udrc);
    avr_regbit_clear(avr, uart->udrc.raised);
    avr_cycle_timer_register(avr, line_free - avr->cycle, shifted, NULL);
}

// USART 1 is the console, and never busy.
static void write_console(avr_t *machine, avr_io_addr_t address, uint8_t octet, void *context)
{
    (void)machine, (void)address, (void)context;
    machine_says(octet);
}

static uint8_t read_console_status(avr_t *machine, avr_io_addr_t address, void *context)
{
    (void)machine, (void)context;
    return avr->data[address] = (uint8_t)(1 << console->udrc.raised.bit);
}

// RXC and UDRE are not the program's to write; TXC is cleared by a 1, and is never set here.
static void write_ucsra(avr_t *machine, avr_io_addr_t address, uint8_t value, void *context)
{
    (void)machine, (void)context;
    uint8_t ours = (uint8_t)(1 << uart->rxc.raised.bit | 1 << uart->udrc.raised.bit);
    avr->data[address] = (uint8_t)((value & ~ours & ~(1 << uart->txc.raised.bit)) | (avr->data[address] & ours));
}

// An interrupt that is enabled while its cause is there comes at once.
static void write_ucsrb(avr_t *machine, avr_io_addr_t address, uint8_t value, void *context)
{
    (void)machine, (void)context;
    avr->data[address] = value;
    if (!is_waiting)
        tell_empty();
    if (buffered_cnt != 0)
        avr_raise_interrupt(avr, &uart->rxc);
}

bool machine_may_send(void)
{
    return !is_coming && avr_regbit_get(avr, uart->rxen) && (avr->data[DDRD] & avr->data[PORTD] & RTS) == 0;
}

void machine_send(uint8_t octet)
{
    coming = octet;
    is_coming = true;
    avr_cycle_timer_register(avr, machine_octet_cycles(), arrive, NULL);
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

// ------------------------------------------------------------------------------------------------ EEPROM

static bool keep(uint16_t address)
{
    return persistent < 0 || pwrite(persistent, &eeprom->eeprom[address], 1, address) == 1;
}

// Returns an octet whose programming was interrupted: some bits erased and not yet written, or some of them written.
static uint8_t half_done(uint8_t old, uint8_t wanted)
{
    switch (chance() % 4) {
    case 0:
        return old;
    case 1:
        return old | chance();
    case 2:
        return 0xff;
    default:
        return wanted | chance();
    }
}

static avr_cycle_count_t programmed(avr_t *machine, avr_cycle_count_t when, void *context)
{
    (void)machine, (void)when, (void)context;
    avr_regbit_clear(avr, eeprom->eepe);
    if (avr_regbit_get(avr, eeprom->ready.enable))
        avr_raise_interrupt(avr, &eeprom->ready);
    return 0;
}

static void program(uint16_t address, uint8_t octet, uint8_t mode)
{
    uint8_t old = eeprom->eeprom[address];
    uint8_t wanted = mode == ERASE_ONLY ? 0xff : mode == WRITE_ONLY ? old & octet : octet;
    is_cut = cut_in != 0 && --cut_in == 0;
    eeprom->eeprom[address] = is_cut ? half_done(old, wanted) : wanted;
    if (!keep(address))
        complain("persistent memory", "its file cannot be written any more; is the disk full?");
    avr_cycle_timer_register_usec(avr, mode == 0 ? 3400 : 1800, programmed, NULL);
}

static void write_eecr(avr_t *machine, avr_io_addr_t address, uint8_t value, void *context)
{
    (void)machine, (void)context;
    bool busy = avr_regbit_get(avr, eeprom->eepe);
    uint16_t at = (uint16_t)((avr->data[eeprom->r_eearh] << 8 | avr->data[eeprom->r_eearl]) % EEPROM_LEN);
    bool starts = !busy && (value & 1 << eeprom->eepe.bit) != 0 && avr->cycle <= unlocked_until;
    avr->data[address] = (uint8_t)((value & ~(1 << eeprom->eepe.bit | 1 << eeprom->eempe.bit | 1 << eeprom->eere.bit)) |
                                   (busy || starts ? 1 << eeprom->eepe.bit : 0));
    if (starts)
        program(at, avr->data[eeprom->r_eedr], (uint8_t)(value >> 4 & 3));
    else if ((value & 1 << eeprom->eempe.bit) != 0)
        unlocked_until = avr->cycle + 4;
    if (!busy && !starts && (value & 1 << eeprom->eere.bit) != 0)
        avr->data[eeprom->r_eedr] = eeprom->eeprom[at];
    if (!busy && !starts && avr_regbit_get(avr, eeprom->ready.enable))
        avr_raise_interrupt(avr, &eeprom->ready);
}

static bool open_persistent(const char *path)
{
    memset(eeprom->eeprom, 0xff, EEPROM_LEN);
    if (path == NULL)
        return true;
    persistent = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (persistent < 0)
        return complain(path, "cannot be written; name another file for persistent memory");
    if (flock(persistent, LOCK_EX | LOCK_NB) != 0)
        return complain(path, "another machine keeps its memory there; end it, or name another file");
    struct stat there;
    if (fstat(persistent, &there) != 0 || (there.st_size != 0 && there.st_size != EEPROM_LEN))
        return complain(path, "expected a file of 4096 octets, the EEPROM of this machine");
    if (there.st_size == 0)
        return pwrite(persistent, eeprom->eeprom, EEPROM_LEN, 0) == EEPROM_LEN || complain(path, strerror(errno));
    return pread(persistent, eeprom->eeprom, EEPROM_LEN, 0) == EEPROM_LEN || complain(path, strerror(errno));
}

// ------------------------------------------------------------------------------------------------ the machine

// Time passes at once.
static void sleep_through(avr_t *machine, avr_cycle_count_t cycles)
{
    (void)machine;
    slept += cycles;
}

static avr_cycle_count_t stop_here(avr_t *machine, avr_cycle_count_t when, void *context)
{
    (void)machine, (void)when, (void)context;
    return 0;
}

static void take_over(void)
{
    for (avr_io_t *io = avr->io_port; io != NULL; io = io->next) {
        if (strcmp(io->kind, "uart") == 0 && ((avr_uart_t *)io)->name == '0')
            uart = (avr_uart_t *)io;
        else if (strcmp(io->kind, "uart") == 0)
            console = (avr_uart_t *)io;
        else if (strcmp(io->kind, "eeprom") == 0)
            eeprom = (avr_eeprom_t *)io;
    }
    avr_io_addr_t udr = AVR_DATA_TO_IO(uart->r_udr), eecr = AVR_DATA_TO_IO(eeprom->r_eecr);
    avr->io[udr].r.c = read_udr;
    avr->io[udr].w.c = write_udr;
    avr->io[AVR_DATA_TO_IO(uart->r_ucsra)].w.c = write_ucsra;
    avr->io[AVR_DATA_TO_IO(uart->r_ucsrb)].w.c = write_ucsrb;
    avr->io[eecr].w.c = write_eecr;
    uart->flags = 0;
    avr->io[AVR_DATA_TO_IO(console->r_udr)].w.c = write_console;
    avr->io[AVR_DATA_TO_IO(console->r_ucsra)].r.c = read_console_status;
}

bool machine_open(const char *image, uint32_t hz, const char *persistent_path)
{
    static elf_firmware_t firmware;
    avr_global_logger_set(say);
    if (access(image, R_OK) != 0)
        return complain(image, strerror(errno));
    if (elf_read_firmware(image, &firmware) != 0 || firmware.flashsize == 0)
        return complain(image, "expected an ELF image for the AVR");
    avr = avr_make_mcu_by_name("atmega1284p");
    if (avr == NULL)
        return complain("libsimavr", "does not know the atmega1284p");
    avr_init(avr);
    firmware.frequency = hz != 0 ? hz : HZ_USUAL;
    avr_load_firmware(avr, &firmware);
    avr->sleep = sleep_through;
    take_over();
    if (!open_persistent(persistent_path))
        return false;
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        return complain("getrandom", "no entropy");
    machine_seed(seed);
    machine_reset();
    return true;
}

void machine_close(void)
{
    if (persistent >= 0)
        close(persistent);
    persistent = -1;
    avr_terminate(avr);
}

void machine_seed(uint64_t seed)
{
    random_state = seed ^ UINT64_C(0x9e3779b97f4a7c15);
}

void machine_reset(void)
{
    base += avr->cycle;
    avr_cycle_timer_cancel(avr, arrive, NULL);
    avr_cycle_timer_cancel(avr, shifted, NULL);
    avr_cycle_timer_cancel(avr, programmed, NULL);
    avr_cycle_timer_cancel(avr, stop_here, NULL);
    avr_reset(avr);
    base -= avr->cycle;    // newer versions continue counting
    for (uint32_t at = RAM_BEGIN; at <= avr->ramend; at++)
        avr->data[at] = chance();
    buffered_cnt = 0;
    is_coming = is_waiting = is_cut = false;
    line_free = unlocked_until = 0;
    sent_first = sent_cnt = 0;
    cut_in = 0;
    for (uint8_t i = 0; i < watch_cnt; i++)
        watches[i].cycle = 0;
}

uint32_t machine_hz(void)
{
    return avr->frequency;
}

uint64_t machine_cycle(void)
{
    return base + avr->cycle;
}

uint64_t machine_slept(void)
{
    return slept;
}

static void look(void)
{
    for (uint8_t i = 0; i < watch_cnt; i++)
        if (watches[i].address == avr->pc)
            watches[i].cycle = machine_cycle();
}

void machine_run(uint64_t until, bool stop_at_octet)
{
    if (until <= machine_cycle() || STATE_STOPPED(avr->state))
        return;
    avr_cycle_timer_cancel(avr, stop_here, NULL);
    avr_cycle_timer_register(avr, until - machine_cycle(), stop_here, NULL);    // no sleep goes beyond
    while (machine_cycle() < until && !is_cut && !(stop_at_octet && has_left())) {
        if (watch_cnt != 0) {
            look();
            avr->run_cycle_count = 1;    // an instruction at a time
        }
        int state = avr_run(avr);
        if (STATE_STOPPED(state)) {
            complain("the machine", "crashed, or sleeps with interrupts disabled");
            return;
        }
    }
}

uint8_t machine_peek(uint32_t address)
{
    return (address & 0xffff) <= avr->ramend ? avr->data[address & 0xffff] : 0;
}

void machine_poke(uint32_t address, uint8_t octet)
{
    if ((address & 0xffff) <= avr->ramend)
        avr->data[address & 0xffff] = octet;
}

bool machine_watch(uint8_t number, uint32_t address)
{
    if (number >= WATCHES)
        return false;
    if (number >= watch_cnt)
        watch_cnt = (uint8_t)(number + 1);
    watches[number].address = address;
    watches[number].cycle = 0;
    return true;
}

uint64_t machine_watched(uint8_t number)
{
    return watches[number].cycle;
}

void machine_press(uint16_t buttons)
{
    (void)buttons;
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
