// SPDX-License-Identifier: MIT
// Counts the instructions that QEMU's processor executes, into a file that another process reads meanwhile.
//
//     qemu-system-x86_64 -plugin libcounter.so,into=COUNTS ...
//
// COUNTS holds two 64-bit numbers in the order of this machine: instructions in the lower half of the address space, and
// in the upper half, where Linux has its kernel. A processor that is halted executes none.
//
// QEMU translates code in blocks and calls this before a block runs. A block that is left in its middle (by a fault or a
// device that asks for it) counts whole: that is the only error.
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define INTO "into="

// QEMU's interface for plugins, as far as it is used here; it is the same from version 1 of it on.
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { REGISTERS_UNUSED = 0 };
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, void (*runs)(unsigned processor, void *argument),
                                          int registers, void *argument);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);

EXPORTED int qemu_plugin_version = PLUGIN_INTERFACE;
EXPORTED int qemu_plugin_install(plugin_id id, const void *about, int argument_cnt, char **arguments);

static volatile uint64_t *counts;

// One processor, so nobody else writes. The argument: how many, times two, and whether in the upper half.
static void runs(unsigned processor, void *argument)
{
    (void)processor;
    uintptr_t what = (uintptr_t)argument;
    counts[what & 1] += what >> 1;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    uintptr_t what = (uintptr_t)qemu_plugin_tb_n_insns(block) << 1 | (uintptr_t)(qemu_plugin_tb_vaddr(block) >> 63);
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
