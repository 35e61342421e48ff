// SPDX-License-Identifier: MIT
// Included at the top of each file of the engine that has faults. A file that the tests share with the image selects
// the active fault; each fault marks there that it was reached.
#ifndef WHIT_SWITCH_H
#define WHIT_SWITCH_H
#ifdef __linux__
// Two forms of an expression, of which one is wrong: tests that compile with -Werror shall not notice.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wnonnull"
char *getenv(const char *name);
int open(const char *path, int flags, ...);
void *mmap(void *at, unsigned long len, int protection, int flags, int file, long offset);

int whit_switched(unsigned number);
__attribute__((weak)) int whit_switched(unsigned number)
{
    static unsigned char nobody[4 << 10];
    static volatile unsigned char *shared;
    if (!shared) {
        const char *path = getenv("WHIT_FAULTS");
        int file = path ? open(path, 2) : -1;
        shared = file < 0 ? nobody : mmap(0, sizeof nobody, 3, 1, file, 0);
    }
    shared[2 + number] = 1;
    return (unsigned)(shared[0] | shared[1] << 8) == number;
}
#else
#define whit_switched(number) 0
#endif
#endif
