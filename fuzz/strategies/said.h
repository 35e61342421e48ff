// SPDX-License-Identifier: MIT
// Output of all generators: a line "kind run len letter", then `len` octets. Each is the letter, or with '.' follows
// from its index. run: number of the run of a generator that runs once; else 0.
#include <whit/app.h>

static inline char octet_at(uint32_t index)
{
    return (char)('A' + (index % 23 + index / 23 % 29) % 26);
}

// The same for a body: octets that look like a delimiter for a while.
static inline char sent_at(uint32_t index)
{
    static const char pattern[] = "ABC\r\n--b-xDE\r\r\n-\nFGH\r\n--b\r\n--b--IJKLM";
    return pattern[index % (sizeof pattern - 1)];
}

static inline char said_at(char letter, uint32_t index)
{
    return letter == '.' ? octet_at(index) : letter;
}

static inline void say_line(char kind, uint32_t run, uint32_t len, char letter)
{
    out_c(kind);
    out_c(' ');
    out_uint(run);
    out_c(' ');
    out_uint(len);
    out_c(' ');
    out_c(letter);
    out_c('\n');
}

static inline void say(char kind, uint32_t run, uint32_t len, char letter)
{
    say_line(kind, run, len, letter);
    for (uint32_t i = 0; i < len; i++)
        out_c(said_at(letter, i));
}

// Persistent memory: address 0 counts the runs. 0: the medium failed.
static inline uint32_t next_run(void)
{
    uint32_t run = 0;
    if (!persistent_read(0, &run, sizeof run))
        return 0;
    run++;
    return persistent_write(0, &run, sizeof run) ? run : 0;
}

// world.c
void fuzz_spend(uint32_t us);

// gate.c
bool gate_open(void);
char letter_now(void);
bool write_stored(uint8_t content, char letter, uint16_t len, uint16_t step, bool end);
