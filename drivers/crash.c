// SPDX-License-Identifier: MIT
#include "crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define CALLS 64
#define STACK_OCTETS 65536    // length of its own stack: the other one may be full

extern const char __executable_start[];    // the linker's

static void tell(int signal_number)
{
    void *calls[CALLS];
    int call_cnt = backtrace(calls, CALLS);
    char line[24 + CALLS * 20];
    int len = snprintf(line, sizeof line, "crash");
    for (int i = 0; i < call_cnt; i++)
        len += snprintf(line + len, sizeof line - (size_t)len, " %jx",
                        (uintmax_t)((uintptr_t)calls[i] - (uintptr_t)__executable_start));
    line[len++] = '\n';
    if (write(STDOUT_FILENO, line, (size_t)len) < 0)
        _exit(1);
    raise(signal_number);    // the signal has its old effect again
}

void crash_catch(void)
{
#ifdef WHIT_SANITIZED    // the sanitizer's report is better
    return;
#endif
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    void *calls[1];
    stack_t stack = {.ss_size = STACK_OCTETS};
    stack.ss_sp = mmap(NULL, STACK_OCTETS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        return;
    (void)backtrace(calls, 1);    // loads its library, which allocates
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = tell, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
        sigaction(signals[i], &action, NULL);
    }
}
