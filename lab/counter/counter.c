// SPDX-License-Identifier: MIT
// Counts the instructions that QEMU's IA-32 processor executes, into a file that another process reads at the same
// time.
//
//     qemu-system-x86_64 -plugin counter.so,into=COUNTS ...
//
// COUNTS holds two 64-bit numbers in the order of this machine: instructions in the lower half of the address space,
// and in the upper half, where Linux has its kernel. A processor that is halted executes none. A string instruction
// that is repeated (rep movs) is one, as on a processor.
//
// QEMU translates code in blocks and calls this before a block runs. A block that is left in its middle (by a fault or
// a device that asks for it) counts whole: that is the only error.
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define INTO "into="
#define INSTRUCTION_MAX 16

// QEMU's interface for plugins, as far as it is used here. PLUGIN_INTERFACE is its version.
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { REGISTERS_UNUSED = 0 };
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*translated)(plugin_id id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                          void (*runs)(unsigned processor, void *argument), int registers,
                                          void *argument);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t number);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);
#if PLUGIN_INTERFACE < 3
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
#else
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction, void *to, size_t len);
#endif

EXPORTED int qemu_plugin_version = PLUGIN_INTERFACE;
EXPORTED int qemu_plugin_install(plugin_id id, const void *about, int argument_cnt, char **arguments);

static volatile uint64_t *counts;
// the string instruction that the last block ended with, by the lower half of its address; 0: none
static uint32_t repeated;

static size_t octets_of(const struct qemu_plugin_insn *instruction, uint8_t *octets)
{
    size_t len = qemu_plugin_insn_size(instruction);
    if (len > INSTRUCTION_MAX)
        len = INSTRUCTION_MAX;
#if PLUGIN_INTERFACE < 3
    memcpy(octets, qemu_plugin_insn_data(instruction), len);
    return len;
#else
    return qemu_plugin_insn_data(instruction, octets, len);
#endif
}

// A string instruction is its last octet; rep or repne is among the prefixes before it. QEMU ends a block behind each.
static bool is_repeated(const struct qemu_plugin_insn *instruction)
{
    uint8_t octets[INSTRUCTION_MAX];
    size_t len = octets_of(instruction, octets);
    bool repeats = false;
    for (size_t i = 0; i + 1 < len; i++) {
        uint8_t prefix = octets[i];
        bool known = prefix == 0xf2 || prefix == 0xf3 || prefix == 0x66 || prefix == 0x67 || (prefix & 0xf0) == 0x40 ||
                     (prefix & 0xe7) == 0x26 || (prefix & 0xfe) == 0x64;
        if (!known)
            return false;
        repeats |= prefix == 0xf2 || prefix == 0xf3;
    }
    uint8_t last = len != 0 ? octets[len - 1] : 0;
    return repeats && ((last & 0xfc) == 0x6c || (last & 0xfc) == 0xa4 || (last >= 0xaa && last <= 0xaf));
}

// Counts a block; there is one processor, and so one writer. The argument: instructions, times two, plus 1 in the upper
// half.
static void runs(unsigned processor, void *argument)
{
    (void)processor;
    uintptr_t what = (uintptr_t)argument;
    counts[what & 1] += what >> 1;
    repeated = 0;
}

// A block that ends with a repeated instruction, whose argument has its address too. QEMU enters it anew for each turn.
static void runs_repeated(unsigned processor, void *argument)
{
    (void)processor;
    uintptr_t what = (uintptr_t)argument;
    uint32_t at = (uint32_t)(what >> 32), cnt = (uint32_t)what >> 1;
    if (cnt != 1 || at != repeated)
        counts[what & 1] += cnt;
    repeated = at;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    size_t cnt = qemu_plugin_tb_n_insns(block);
    uintptr_t what = (uintptr_t)cnt << 1 | (uintptr_t)(qemu_plugin_tb_vaddr(block) >> 63);
    const struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(block, cnt - 1);
    if (is_repeated(last))
        qemu_plugin_register_vcpu_tb_exec_cb(block, runs_repeated, REGISTERS_UNUSED,
                                             (void *)(what | (uintptr_t)qemu_plugin_insn_vaddr(last) << 32));
    else
        qemu_plugin_register_vcpu_tb_exec_cb(block, runs, REGISTERS_UNUSED, (void *)what);
}

int qemu_plugin_install(plugin_id id, const void *about, int argument_cnt, char **arguments)
{
    (void)about;
    if (argument_cnt != 1 || strncmp(arguments[0], INTO, strlen(INTO)) != 0)
        return -1;
    int file = open(arguments[0] + strlen(INTO), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, 2 * sizeof *counts) != 0)
        return -1;
    void *there = mmap(NULL, 2 * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (there == MAP_FAILED)
        return -1;
    counts = there;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
